"""Reports: one page from any folders of records."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from . import _core


class Report(NamedTuple):
    """What a report was made of. ``left_out`` are folders that are not shown, with the reason."""

    page: Path
    runs: int
    trainings: int
    studies: int
    experiments: int
    traces: int
    figures: int
    left_out: list[tuple[str, str]]


def report(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    title: str = "VAPOR report",
) -> Report:
    """Writes ``out/index.html`` and ``out/data/*.csv``, as ``vapor report`` does."""
    several = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    made = _core.write_report([os.fspath(path) for path in several], os.fspath(out), title)
    made.pop("bytes")
    return Report(Path(made.pop("page")), **made)
