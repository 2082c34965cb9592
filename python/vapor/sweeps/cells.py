"""The cells of a sweep file, read by the same C++ code as ``vapor sweep``."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import _core


@dataclass(frozen=True)
class Cell:
    """One run of a grid; plain data, so that it can travel to another machine.

    ``folder`` stands below that of the sweep, ``definition`` is that of its record, ``words`` are
    those of the command that makes it, ``varied`` is what ``vary`` gave to its names.
    ``checkpoint_every`` is in episodes, 0 being every two seconds.
    """

    folder: str
    definition: dict[str, Any]
    words: tuple[str, ...]
    varied: dict[str, str]
    checkpoint_every: int

    @property
    def settings(self) -> _core.RunSettings:
        """The settings as the library takes them."""
        return _core.settings_of(json.dumps(self.definition))

    @property
    def steps(self) -> int:
        """The episodes of a cell; one step for trainings by frames, whose episodes nobody knows."""
        return 1 if "frames" in self.definition else int(self.definition["episodes"])

    def is_finished(self, out: Path) -> bool:
        """Whether the cell stands finished below ``out``.

        Raises InputError, which names the file, if something else stands there.
        """
        return _core.is_finished(self.settings, os.fspath(out / self.folder))


@dataclass
class Outcome:
    """How a cell ended: ``finished``, ``was_finished``, ``failed`` or ``unfinished``."""

    status: str = "unfinished"
    error: str = ""


def cell_of(cell: _core.SweepCell) -> Cell:
    """The same as plain data."""
    return Cell(
        folder=cell.folder,
        definition=json.loads(cell.settings.definition),
        words=tuple(cell.settings.words),
        varied=dict(cell.varied),
        checkpoint_every=cell.checkpoint_every,
    )


def read_sweep(path: str | os.PathLike[str]) -> list[Cell]:
    """The cells of a sweep file, in order. Raises InputError that names file, line and key."""
    return [cell_of(cell) for cell in _core.read_sweep(os.fspath(path))]
