"""`pip install .` in an empty virtual environment, and the package as a user has it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.full

ROOT = Path(__file__).parents[2]


def test_the_package_is_installed_imported_quickly_and_used(tmp_path: Path) -> None:
    clean = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True, env=clean)
    python = tmp_path / "venv" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "-q", ROOT], check=True, env=clean)

    def run(program: str) -> str:
        return subprocess.run(
            [python, "-c", program], check=True, env=clean, cwd=tmp_path, text=True,
            stdout=subprocess.PIPE,
        ).stdout  # fmt: skip

    # Processor time: the wall time is the same where nobody else works.
    timing = "import time; t = time.process_time(); import vapor; print(time.process_time() - t)"
    assert min(float(run(timing)) for _ in range(5)) < 0.3
    assert run("import vapor, sys; print('torch' in sys.modules, 'gymnasium' in sys.modules)") == (
        "False False\n"
    )
    program = (
        "import vapor\n"
        "runs = vapor.run('deep_sea:depth=10', 'vapor', episodes=100, seeds=2, out='out')\n"
        "print(all(run.finished for run in runs))\n"
    )
    assert run(program) == "True\n"
    # The command is on the PATH; it and the package find networks on arrays.
    train = "train --env catch --agent vapor-lite:batch=40 --frames 200 --quiet --out by-command"
    subprocess.run(
        [tmp_path / "venv/bin/vapor", *train.split()], check=True, env=clean, cwd=tmp_path
    )
    assert run("from vapor import _core; print(_core.has_torch_part())") == "True\n"
    stub = run("import vapor, pathlib; p = pathlib.Path(vapor.__file__).parent; "
               "print((p / '_core.pyi').exists(), (p / 'py.typed').exists())")  # fmt: skip
    assert stub == "True True\n"
