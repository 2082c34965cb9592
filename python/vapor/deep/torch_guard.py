"""One torch in a process.

Networks on arrays are linked with a libtorch. PyTorch of another build brings a second one; both
register the same operators and share symbols by name, and the process crashes or, worse, does not.
So whichever comes second is refused: the library does so when it opens its own (torch_part.h), and
here ``import torch`` is refused after that.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

from .. import _core


class TorchFinder(MetaPathFinder):
    """Refuses ``import torch`` where that would load another library than the one that is open."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Raises ImportError, or leaves the module to the other finders."""
        if fullname != "torch":
            return None
        own = _core.open_torch_library()
        spec = PathFinder.find_spec(fullname, path) if own else None
        for folder in (spec.submodule_search_locations or []) if spec else []:
            # A package without libraries of its own takes those of the system, which are ours.
            for library in sorted(Path(folder, "lib").glob("libtorch_cpu*")):
                if library.resolve() != Path(own).resolve():
                    raise ImportError(
                        f"vapor.deep has loaded {own}, and torch would load {library}: "
                        f"{_core.one_torch}",
                        name=fullname,
                    )
        return None


def guard() -> None:
    """From now on."""
    if not any(isinstance(finder, TorchFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, TorchFinder())
