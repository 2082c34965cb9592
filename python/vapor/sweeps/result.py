"""``vapor.sweep``: a grid, made, and what came of each cell."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from ..errors import wrong
from ..records import Run
from .cells import Cell, Outcome, read_sweep
from .progress import Progress, ProgressFunction


@dataclass(frozen=True)
class CellResult:
    """A cell and how it ended.

    ``status`` is ``finished``, ``was_finished`` (before the call) or ``failed``, of which ``error``
    says why. ``run`` is the record of one that is finished.
    """

    cell: Cell
    folder: Path
    status: str
    error: str
    run: Run | None


def default_folder(file: Path) -> Path:
    """Where ``vapor sweep`` puts the records if it is not told."""
    return Path("out/sweeps") / file.stem


def sweep_outcomes(
    cells: list[Cell],
    out: Path,
    *,
    engine: str,
    address: str | None,
    processes: int,
    progress: Progress,
) -> list[Outcome]:
    """Makes the cells by an engine, which is imported here so that ``import vapor`` stays quick."""
    if engine == "local":
        from .local import make_locally

        if address is not None:
            raise wrong("address", "goes with engine ray")
        return make_locally(cells, out, processes, progress)
    if engine != "ray":
        raise wrong("engine", f'must be local or ray, got "{engine}"')
    if processes:
        raise wrong("processes", "goes with engine local; a Ray cluster knows its own cores")
    from ..ray_cluster import joined
    from .ray_engine import RayEngine

    with joined(address) as ray:
        made = RayEngine(ray, cells, out, progress)
        made.run()
    return made.outcomes


def sweep(
    path: str | os.PathLike[str],
    *,
    engine: str = "local",
    address: str | None = None,
    out: str | os.PathLike[str] | None = None,
    processes: int = 0,
    progress: ProgressFunction | None = None,
) -> list[CellResult]:
    """Makes every cell of a sweep file that is not finished below ``out``, and reads the records.

    ``engine`` is ``local``, this machine (``processes`` cells at a time, 0 being one a core; runs
    are made by threads of this process, trainings by the program ``vapor``), or ``ray``, the
    cluster at ``address`` (``HOST:PORT`` or ``auto``; None is a cluster of
    this machine alone, for the time of the call). The bytes are the same. ``progress`` is called
    with the cells ended, all cells, the episodes done and all episodes. Ctrl-C raises
    KeyboardInterrupt; the same call goes on from there.
    """
    file = Path(path)
    folder = default_folder(file) if out is None else Path(out)
    cells = read_sweep(file)
    outcomes = sweep_outcomes(
        cells,
        folder,
        engine=engine,
        address=address,
        processes=processes,
        progress=Progress(cells, progress),
    )
    return [
        CellResult(
            cell,
            folder / cell.folder,
            outcome.status,
            outcome.error,
            Run.read(folder / cell.folder) if outcome.status.endswith("finished") else None,
        )
        for cell, outcome in zip(cells, outcomes, strict=True)
    ]
