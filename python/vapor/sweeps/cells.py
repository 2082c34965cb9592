"""The cells of a sweep file, read by the same C++ code as ``vapor sweep``."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import _core
from ..errors import InputError


@dataclass(frozen=True)
class Cell:
    """One run or training of a grid; plain data, so that it can travel to another machine.

    ``folder`` stands below that of the sweep, ``words`` are those of the command that makes the
    cell. ``run`` has the settings of a run and is empty for a training. ``checkpoint_every`` is in
    episodes, 0 being every two seconds.
    """

    folder: str
    words: tuple[str, ...]
    env: str
    agent: str
    seed: int
    run: dict[str, Any]
    episodes: int | None
    frames: int | None
    stop_when_solved: bool
    checkpoint_every: int

    def run_settings(self) -> _core.RunSettings:
        """The settings as the library takes them."""
        return _core.run_settings(**self.run)

    def is_finished(self, out: Path) -> bool:
        """Whether the cell stands finished below ``out``.

        Raises InputError, which names the file, if something else stands there.
        """
        folder = os.fspath(out / self.folder)
        if self.run:
            return _core.run_is_finished(self.run_settings(), folder)
        return _core.training_is_finished(
            self.env,
            self.agent,
            self.episodes,
            self.frames,
            self.seed,
            self.stop_when_solved,
            folder,
        )


@dataclass
class Outcome:
    """How a cell ended: ``finished``, ``was_finished``, ``failed`` or ``unfinished``."""

    status: str = "unfinished"
    error: str = ""


def outcomes_before(cells: list[Cell], out: Path) -> list[Outcome]:
    """What stands below ``out``, as ``vapor sweep`` sees it before it makes anything.

    A run whose folder holds something else is an InputError. A training whose folder does has
    failed and the others go on, since it is known when the cell would start.
    """
    return [_outcome_before(cell, out) for cell in cells]


def _outcome_before(cell: Cell, out: Path) -> Outcome:
    try:
        return Outcome("was_finished" if cell.is_finished(out) else "unfinished")
    except InputError as error:
        if cell.run:
            raise
        return Outcome("failed", str(error))


def _cell_of(cell: _core.SweepCell) -> Cell:
    settings = cell.run_settings
    names = ("env", "agent", "belief", "episodes", "seed", "stop", "snapshot_every")
    run = {} if settings is None else {name: getattr(settings, name) for name in names}
    return Cell(
        folder=cell.folder,
        words=tuple(cell.words),
        env=cell.env,
        agent=cell.agent,
        seed=cell.seed,
        run=run,
        episodes=cell.episodes,
        frames=cell.frames,
        stop_when_solved=cell.stop_when_solved,
        checkpoint_every=cell.checkpoint_every,
    )


def read_sweep(path: str | os.PathLike[str]) -> list[Cell]:
    """The cells of a sweep file, in order. Raises InputError that names file, line and key."""
    return [_cell_of(cell) for cell in _core.read_sweep(os.fspath(path))]
