"""One torch in a process.

vapor._deep is linked with a libtorch. PyTorch of another build brings a second one; both register
the same operators and share symbols by name, and the process crashes or, worse, does not. So
whichever comes second is refused.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

WHY = (
    "two copies of torch in one process crash it. Use the other one in a process of its own, or "
    "install the PyTorch that VAPOR was built with (Debian: python3-torch)"
)


def torch_libraries_in_memory() -> Iterator[Path]:
    """The files of torch that this process has mapped, whoever loaded them."""
    with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:
        paths = {line.split(maxsplit=5)[5].rstrip("\n") for line in maps if "libtorch_cpu" in line}
    yield from (Path(path) for path in sorted(paths) if "libtorch_cpu" in os.path.basename(path))


def expect_no_other_torch(own: str) -> None:
    """Raises ImportError if a torch is loaded that is not the library ``own``."""
    for library in torch_libraries_in_memory():
        if not _is_same(library, Path(own)):
            raise ImportError(f"vapor.deep uses {own}, and {library} is loaded already: {WHY}")


class TorchFinder(MetaPathFinder):
    """Refuses ``import torch`` where that would load another library than ``own``."""

    def __init__(self, own: str) -> None:
        self.own = Path(own)

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Raises ImportError, or leaves the module to the other finders."""
        if fullname != "torch":
            return None
        spec = PathFinder.find_spec(fullname, path)
        for folder in (spec.submodule_search_locations or []) if spec else []:
            # A package without libraries of its own takes those of the system, which are ours.
            for library in sorted(Path(folder, "lib").glob("libtorch_cpu*")):
                if not _is_same(library, self.own):
                    raise ImportError(
                        f"vapor.deep has loaded {self.own}, and torch would load {library}: {WHY}",
                        name=fullname,
                    )
        return None


def guard(own: str) -> None:
    """Before vapor._deep is imported: no other torch now, and none later."""
    if not own or sys.platform != "linux":
        return
    expect_no_other_torch(own)
    if not any(isinstance(finder, TorchFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, TorchFinder(own))


def _is_same(library: Path, own: Path) -> bool:
    return library.resolve() == own.resolve()
