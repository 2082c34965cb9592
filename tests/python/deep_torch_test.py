"""One torch in a process: whichever comes second is refused, and `import vapor` loads none."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import vapor
from vapor import _torch_library

PACKAGE = Path(vapor.__file__).parents[1]


def run(code: str, *more_paths: Path) -> str:
    """What a fresh interpreter prints."""
    paths = os.pathsep.join(map(str, (*more_paths, PACKAGE)))
    environment = {**os.environ, "PYTHONPATH": paths}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def other_torch(folder: Path) -> Path:
    """A package that looks like PyTorch's own: its libraries are within."""
    (folder / "torch/lib").mkdir(parents=True)
    (folder / "torch/lib/libtorch_cpu.so").write_bytes(bytes(4096))
    (folder / "torch/__init__.py").write_text("print('torch was imported')\n")
    return folder


LOADED = "any('libtorch' in line for line in open('/proc/self/maps'))"


def test_only_vapor_deep_loads_torch() -> None:
    assert run(f"import vapor; print({LOADED})") == "False\n"
    loaded = run(f"import vapor.deep; print({LOADED}, vapor._deep.has_torch)").split()
    assert loaded[0] == loaded[1]


def test_another_torch_that_is_loaded_is_named(tmp_path: Path) -> None:
    assert _torch_library.PATH, "this build has libtorch"
    library = other_torch(tmp_path) / "torch/lib/libtorch_cpu.so"
    answer = run(
        f"import mmap; f = open({str(library)!r}, 'rb')\n"
        "kept = mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ)\n"
        "try:\n  import vapor.deep\n"
        "except ImportError as error:\n  print(error)\n"
        f"print({LOADED.replace('libtorch', _torch_library.PATH)})"
    )
    assert f"{library} is loaded already: two copies of torch" in answer
    assert answer.endswith("False\n"), "ours was loaded all the same"


def test_another_torch_is_refused_after_ours(tmp_path: Path) -> None:
    answer = run(
        "import vapor.deep\ntry:\n  import torch\nexcept ImportError as error:\n  print(error)",
        other_torch(tmp_path),
    )
    assert "torch would load" in answer and "two copies of torch" in answer
    assert "torch was imported" not in answer


def test_the_same_torch_is_let_in(tmp_path: Path) -> None:
    # As Debian's python3-torch: its libraries are links to the system's, or there are none.
    for folder in (tmp_path / "links", tmp_path / "none"):
        (folder / "torch/lib").mkdir(parents=True)
        (folder / "torch/__init__.py").write_text("print('torch was imported')\n")
    (tmp_path / "links/torch/lib/libtorch_cpu.so").symlink_to(_torch_library.PATH)
    for folder in (tmp_path / "links", tmp_path / "none"):
        assert run("import vapor.deep, torch", folder) == "torch was imported\n"
    # And before ours.
    early = f"import ctypes; ctypes.CDLL({_torch_library.PATH!r}); import vapor.deep; print('fine')"
    assert run(early) == "fine\n"
