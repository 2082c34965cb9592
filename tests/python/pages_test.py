"""The programs in the README and in the pages about Python run as they stand."""

import re
from pathlib import Path
from typing import Any

import pytest

import vapor

ROOT = Path(__file__).parents[2]


def programs(page: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)


def test_the_readme_solves_learns_and_plots(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    first, _ = programs("README.md")
    names: dict[str, object] = {}
    exec(first, names)
    assert "Solution(solved" in capsys.readouterr().out
    runs = names["runs"]
    assert isinstance(runs, list)
    regret = {run.definition["agent"]: run.episodes["regret"].sum() for run in runs}
    assert regret["vapor"] < regret["thompson"] < regret["epsilon-greedy"]
    assert "vegaEmbed" in (tmp_path / "regret.html").read_text()


def test_the_readme_learns_a_lake_and_a_pole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    _, second = programs("README.md")
    names: dict[str, Any] = {"vapor": vapor}
    exec(second, names)
    assert "1 ± 0 over 100 episodes" in capsys.readouterr().out
    assert names["pole"].evaluate(20).mean > 400.0  # which sums torch makes depends on the machine
    assert {run.finished for run in vapor.read_records(tmp_path / "out")} == {True}


def test_the_landing_page_solves_and_learns(capsys: pytest.CaptureFixture[str]) -> None:
    (program,) = programs("docs/README.md")
    exec(program, {})
    assert "1 ± 0 over 20 episodes" in capsys.readouterr().out


def test_the_answers_to_can_i_hold() -> None:
    names: dict[str, object] = {}
    for program in programs("docs/can-i.md"):
        exec(program, names)  # they assert


def test_the_page_about_python_runs_from_top_to_bottom() -> None:
    names: dict[str, object] = {}
    for program in programs("docs/python.md"):
        exec(program, names)
    again = names["again"]
    assert isinstance(again, vapor.Solution)
    assert again.status == "solved"
