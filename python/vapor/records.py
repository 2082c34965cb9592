"""Records of runs: folders that `vapor run`, `vapor train` and :func:`vapor.run` write."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from . import _core
from .layered import Doubles


class RunProgress(NamedTuple):
    """How a run stands.

    ``episode_return`` and ``success`` are of the last episode, the means of the last 100 of this
    call; zeros before any. ``frames`` and ``learner_frames`` are those of the whole run, and 0
    where nobody counts them; the rates are of this call. ``environments_lost`` were replaced;
    ``frames_lost`` were played in them and never learned from.
    """

    episodes: int
    frames: int
    learner_frames: int
    episode_return: float
    success: bool
    mean_return: float
    mean_length: float
    sigma: float
    entropy: float
    policy_loss: float
    value_loss: float
    reward_loss: float
    frames_per_second: float
    learner_frames_per_second: float
    environments_lost: int
    frames_lost: int


ProgressFunction = Callable[[RunProgress], bool | None]


def watching(progress: ProgressFunction | None) -> Callable[..., bool] | None:
    """What the library calls in place of a user's function, which goes on unless it says False."""
    if progress is None:
        return None
    if not callable(progress):
        raise TypeError(f"progress must be a function, got {type(progress).__name__}")

    def watch(*fields: Any) -> bool:
        answer = progress(RunProgress(*fields))
        return answer is None or bool(answer)

    return watch


@dataclass(frozen=True)
class Run:
    """A run, read from its folder.

    ``definition`` is what makes it the run it is; ``episodes`` and ``timing`` are its tables, by
    name of the column an array ``(episodes,)``.
    """

    folder: Path
    definition: dict[str, Any]
    command: str
    version: str
    finished: bool
    episodes: dict[str, Doubles]
    timing: dict[str, Doubles]

    @classmethod
    def read(cls, folder: str | os.PathLike[str]) -> Run:
        """Reads a run, which may still be being written."""
        definition, command, version, finished, episodes, timing = _core.read_run(
            os.fspath(folder)
        )
        return cls(
            Path(folder), json.loads(definition), command, version, finished, episodes, timing
        )

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        from .charts import runs_chart

        return runs_chart([self])._repr_mimebundle_()

    def __repr__(self) -> str:
        state = "finished" if self.finished else "unfinished"
        count = len(self.episodes.get("episode", ()))
        what = " ".join(f"{key}={self.definition.get(key)}" for key in ("env", "agent", "seed"))
        return f"Run({what}, {count} episodes, {state})"
