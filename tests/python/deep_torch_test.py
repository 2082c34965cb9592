"""One torch in a process: whichever comes second is refused; only networks on arrays load one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import vapor
import vapor.deep
from vapor import _core

PACKAGE = Path(vapor.__file__).parents[1]


def run(code: str, *more_paths: Path, **variables: str) -> str:
    """What a fresh interpreter prints."""
    paths = os.pathsep.join(map(str, (*more_paths, PACKAGE)))
    environment = {**os.environ, "PYTHONPATH": paths, **variables}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def own_torch() -> str:
    """The library that networks on arrays load."""
    code = "from vapor._core import *; open_torch_part(); print(open_torch_library())"
    return run(code).strip()


def other_torch(folder: Path) -> Path:
    """A package that looks like PyTorch's own: its libraries are within."""
    (folder / "torch/lib").mkdir(parents=True)
    (folder / "torch/lib/libtorch_cpu.so").write_bytes(bytes(4096))
    (folder / "torch/__init__.py").write_text("print('torch was imported')\n")
    return folder


LOADED = "any('libtorch' in line for line in open('/proc/self/maps'))"
TRAIN = "vapor.deep.train('catch', 'vapor-lite:batch=40', frames=100, out={!r})"


def test_only_networks_on_arrays_load_torch(tmp_path: Path) -> None:
    assert _core.has_torch_part(), "this build has libtorch"
    indices = "vapor.deep.train('deep_sea:depth=3', 'vapor-lite:hidden=8', episodes=3, out={!r})"
    code = (
        f"import vapor.deep; {indices}; print({LOADED})\n"
        f"{TRAIN}; print({LOADED})"
    ).format(str(tmp_path / "indices"), str(tmp_path / "arrays"))
    assert run(code) == "False\nTrue\n"


def test_without_them_arrays_are_refused_before_anything_is_written(tmp_path: Path) -> None:
    answer = run(
        "import vapor.deep\n"
        f"try:\n  {TRAIN.format(str(tmp_path / 'run'))}\n"
        "except vapor.InputError as error:\n  print(error.place, error)",
        VAPOR_TORCH_PART=str(tmp_path / "nowhere.so"),
    )
    assert answer.startswith("env env: is observed as arrays")
    assert "install libtorch-dev" in answer
    assert not (tmp_path / "run").exists()


def test_another_torch_that_is_loaded_is_named(tmp_path: Path) -> None:
    library = other_torch(tmp_path) / "torch/lib/libtorch_cpu.so"
    answer = run(
        f"import mmap; f = open({str(library)!r}, 'rb')\n"
        "kept = mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ)\n"
        "import vapor.deep\n"
        f"try:\n  {TRAIN.format(str(tmp_path / 'run'))}\n"
        "except vapor.InputError as error:\n  print(error)\n"
        f"print({LOADED.replace('libtorch', own_torch())})"
    )
    assert f"{library} is loaded already: two copies of torch" in answer
    assert answer.endswith("False\n"), "ours was loaded all the same"


def test_another_torch_is_refused_after_ours(tmp_path: Path) -> None:
    answer = run(
        "import vapor.deep; vapor._core.open_torch_part()\n"
        "try:\n  import torch\nexcept ImportError as error:\n  print(error)",
        other_torch(tmp_path),
    )
    assert "torch would load" in answer and "two copies of torch" in answer
    assert "torch was imported" not in answer
    # Before ours is there it may come in.
    assert run("import vapor.deep, torch", tmp_path) == "torch was imported\n"


def test_the_same_torch_is_let_in(tmp_path: Path) -> None:
    # As Debian's python3-torch: its libraries are links to the system's, or there are none.
    for folder in (tmp_path / "links", tmp_path / "none"):
        (folder / "torch/lib").mkdir(parents=True)
        (folder / "torch/__init__.py").write_text("print('torch was imported')\n")
    own = own_torch()
    (tmp_path / "links/torch/lib/libtorch_cpu.so").symlink_to(own)
    for folder in (tmp_path / "links", tmp_path / "none"):
        code = "import vapor.deep; vapor._core.open_torch_part(); import torch"
        assert run(code, folder) == "torch was imported\n"
    # And before ours.
    early = f"import ctypes; ctypes.CDLL({own!r}); import vapor.deep; vapor._core.open_torch_part()"
    assert run(f"{early}; print('fine')") == "fine\n"
