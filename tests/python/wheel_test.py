"""scripts/wheel: a wheel that every Linux of its tag can use, and that type checkers see into."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.full

ROOT = Path(__file__).parents[2]
USER = """
import vapor

solution = vapor.solve(vapor.Problem(reward_mean=[[[1.0, 0.5]]], sigma=[[[0.1, 1.0]]]))
reveal_type(solution.value)
vapor.solve("no problem")
"""


def test_a_wheel_is_built_checked_and_typed(tmp_path: Path) -> None:
    clean = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    python = Path(sys.base_exec_prefix) / "bin" / f"python3.{sys.version_info.minor}"
    # It ends with scripts/wheel-check.
    subprocess.run(
        [ROOT / "scripts/wheel", "--out", tmp_path, python], check=True, env=clean, cwd="/"
    )
    (wheel,) = tmp_path.glob("*.whl")
    assert re.fullmatch(r"vapor_rl-[\d.]+-cp311-cp311-manylinux_2_\d+_\w+\.whl", wheel.name)
    subprocess.run([python, "-m", "venv", tmp_path / "venv"], check=True, env=clean)
    installed = tmp_path / "venv/bin/python"
    subprocess.run([installed, "-m", "pip", "install", "-q", wheel], check=True, env=clean)
    (tmp_path / "user.py").write_text(USER)
    answer = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir=/dev/null",
         "--python-executable", installed, "user.py"],
        env=clean, cwd=tmp_path, capture_output=True, text=True, check=False,
    ).stdout  # fmt: skip
    assert 'Revealed type is "float"' in answer or '"builtins.float"' in answer, answer
    assert 'incompatible type "str"' in answer, answer
    assert "Found 1 error" in answer, answer
