"""Records of runs: folders that `vapor run`, `vapor train` and :func:`vapor.run` write."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import _core
from .layered import Doubles


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
