"""Records as data frames: every run below some paths, a row an episode."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _core
from .records import Run

if TYPE_CHECKING:
    import pandas
    import polars

Column = npt.NDArray[Any]


class Records(list[Run]):
    """Runs in the order of their folders; ``left_out`` has what could not be read, with reasons."""

    def __init__(self, runs: Iterable[Run], left_out: Iterable[tuple[str, str]] = ()) -> None:
        super().__init__(runs)
        self.left_out = list(left_out)

    def columns(self) -> dict[str, Column]:
        """The long table, by name an array ``(episodes of all runs,)``.

        The fields of a run's definition (env, agent, belief, seed, ...), its folder and whether it
        is finished, each repeated for every episode; then the columns of its episodes and their
        ``seconds``. What a run does not have is missing: NaN, or None among words. A field that is
        called like a column of the episodes is ``definition.NAME``.
        """
        tables = [_episode_columns(run) for run in self]
        numbers = {name: None for table in tables for name in table}
        fields = {name: None for run in self for name in run.definition}
        lengths = [len(table["episode"]) for table in tables]
        columns: dict[str, Column] = {}
        for name in fields:
            values = [_plain(run.definition.get(name)) for run in self]
            columns[f"definition.{name}" if name in numbers else name] = _repeated(values, lengths)
        columns["folder"] = _repeated([str(run.folder) for run in self], lengths)
        columns["finished"] = _repeated([run.finished for run in self], lengths)
        for name in numbers:
            columns[name] = np.concatenate(
                [
                    table.get(name, np.full(length, np.nan))
                    for table, length in zip(tables, lengths, strict=True)
                ]
            )
        if "episode" in columns:
            columns["episode"] = columns["episode"].astype(np.int64)
        return columns

    def to_pandas(self) -> pandas.DataFrame:
        """The table of :meth:`columns` for pandas."""
        import pandas

        return pandas.DataFrame(self.columns())

    def to_polars(self) -> polars.DataFrame:
        """The table of :meth:`columns` for polars."""
        import polars

        return polars.DataFrame(
            {
                name: column.tolist() if column.dtype == object else column
                for name, column in self.columns().items()
            },
            strict=False,
        )


def read_records(paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> Records:
    """Every run and training below one or more folders, however deep.

    A folder that is reached twice counts once; what cannot be read is listed in ``left_out``.
    """
    given = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    folders, left_out = _core.find_runs([os.fspath(path) for path in given])
    return Records((Run.read(folder) for folder in folders), left_out)


def _episode_columns(run: Run) -> dict[str, Column]:
    """The episodes of a run with their seconds, as far as these are written."""
    columns: dict[str, Column] = dict(run.episodes)
    if run.timing:
        seconds = np.full(len(columns["episode"]), np.nan)
        rows = run.timing["episode"].astype(np.int64) - 1
        inside = (rows >= 0) & (rows < len(seconds))
        seconds[rows[inside]] = run.timing["seconds"][inside]
        columns["seconds"] = seconds
    return columns


def _plain(value: Any) -> Any:
    return json.dumps(value) if isinstance(value, (dict, list)) else value


def _repeated(values: list[Any], lengths: list[int]) -> Column:
    """Each value as often as its run has episodes; None is a value that a run does not have."""
    kinds = {type(value) for value in values}
    if kinds <= {int} or kinds == {bool}:
        column = np.array(values)
    elif kinds <= {int, float, type(None)} and kinds != {type(None)}:
        column = np.array([np.nan if value is None else value for value in values], dtype=float)
    else:
        column = np.array(values, dtype=object)
    return np.repeat(column, lengths)
