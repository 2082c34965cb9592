"""The programs of docs/gymnasium.md run from top to bottom."""

import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


def test_the_page_about_gymnasium_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "gymnasium.md").read_text()
    names: dict[str, Any] = {}
    for program in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(program, names)
    assert (tmp_path / "out/bsuite/vapor/bsuite_id_-_deep_sea-0.csv").exists()
    assert names["slippery"].optimal_value() == pytest.approx(0.199, abs=5e-4)
    assert names["again"].layout == names["problem"].layout
    assert len(names["frame"]) == 120
