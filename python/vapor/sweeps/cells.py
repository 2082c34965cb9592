"""The cells of a sweep file, read by the same C++ code as ``vapor sweep``."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import _core
from ..errors import wrong


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
    checkpoint_every: int

    def run_settings(self) -> _core.RunSettings:
        """The settings as the library takes them."""
        return _core.run_settings(**self.run)

    def is_finished(self, out: Path) -> bool:
        """Whether the cell stands finished below ``out``.

        Raises InputError, which names the file, if something else stands there.
        """
        folder = out / self.folder
        if self.run:
            return _core.status_of_run(self.run_settings(), os.fspath(folder)) == "finished"
        return _training_is_finished(folder, self._definition_of_training())

    def _definition_of_training(self) -> dict[str, Any]:
        known = {"env": self.env, "agent": self.agent, "seed": self.seed}
        if self.episodes is not None:
            known["episodes"] = self.episodes
        if self.frames is not None:
            known["frames"] = self.frames
        return known


@dataclass
class Outcome:
    """How a cell ended: ``finished``, ``was_finished``, ``failed`` or ``unfinished``."""

    status: str = "unfinished"
    error: str = ""


def _training_is_finished(folder: Path, known: dict[str, Any]) -> bool:
    """What a training's record says of what the sweep knows; the rest its own program checks."""
    file = folder / "run.json"
    if not file.exists():
        return False
    try:
        run = json.loads(file.read_text(encoding="utf-8"))
        definition, finished = dict(run["definition"]), bool(run["status"] == "finished")
    except (ValueError, KeyError, TypeError) as error:
        raise wrong(str(file), f"is not the record of a training: {error}") from error
    for key, value in known.items():
        if definition.get(key) != value:
            raise wrong(str(file), f"{key}: is {definition.get(key)}, asked for is {value}")
    return finished


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
        checkpoint_every=cell.checkpoint_every,
    )


def read_sweep(path: str | os.PathLike[str]) -> list[Cell]:
    """The cells of a sweep file, in order. Raises InputError that names file, line and key."""
    return [_cell_of(cell) for cell in _core.read_sweep(os.fspath(path))]
