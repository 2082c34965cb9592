"""``vapor.sweep``: a grid, made, and what came of each cell."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from .. import _core
from ..errors import wrong
from ..records import Run
from .cells import Cell, Outcome, cell_of

ProgressFunction = Callable[[int, int, int, int], bool | None]


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


def say(message: str) -> None:
    """A line about a cell, on standard error."""
    print(f"vapor: {message}", file=sys.stderr, flush=True)


def find_program() -> str:
    """The program ``vapor``: $VAPOR_COMMAND, beside this interpreter, or on PATH.

    The package brings it along, but a build of the repository has it elsewhere.
    """
    beside = Path(sys.executable).parent / "vapor"
    found = os.environ.get("VAPOR_COMMAND") or (str(beside) if beside.exists() else None)
    found = found or shutil.which("vapor")
    if found is None:
        raise wrong(
            "vapor",
            "a sweep of this machine needs the program: there is none in $VAPOR_COMMAND, beside "
            f"{sys.executable} or on the PATH; pip installs it with the package, and ./run in a "
            "clone builds build/release/bin/vapor",
        )
    return found


def make_by_ray(
    cells: list[Cell], out: Path, address: str | None, progress: ProgressFunction | None
) -> list[Outcome]:
    """Makes the cells on a cluster; Ray is imported here so that ``import vapor`` stays quick.

    Raises InputError, and starts nothing, if a folder holds something else.
    """
    from ..ray_cluster import joined
    from .ray_engine import RayEngine

    outcomes = [
        Outcome("was_finished" if cell.is_finished(out) else "unfinished") for cell in cells
    ]
    with joined(address) as ray:
        made = RayEngine(ray, cells, out, outcomes, progress)
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

    ``engine`` is ``local``, the engine of ``vapor sweep`` (``processes`` of this machine at a time,
    0 being one a core, each the program ``vapor`` with one cell), or ``ray``, the cluster at
    ``address`` (``HOST:PORT`` or ``auto``; None is a cluster of this machine alone, for the time of
    the call). The bytes are the same. ``progress`` is called with the cells ended, all cells, the
    episodes done and all episodes. Ctrl-C raises KeyboardInterrupt; the same call goes on from
    there.
    """
    if engine not in ("local", "ray"):
        raise wrong("engine", f'must be local or ray, got "{engine}"')
    if engine == "local" and address is not None:
        raise wrong("address", "goes with engine ray")
    if engine == "ray" and processes:
        raise wrong("processes", "goes with engine local; a Ray cluster knows its own cores")
    if processes < 0:
        raise wrong("processes", f"must be at least 0, got {processes}")
    file = Path(path)
    folder = Path("out/sweeps") / file.stem if out is None else Path(out)
    grid = _core.read_sweep(os.fspath(file))
    cells = [cell_of(cell) for cell in grid]
    if engine == "local":
        ended = _core.sweep(
            grid, os.fspath(folder), find_program(), processes or os.cpu_count() or 1, progress, say
        )
        outcomes = [Outcome(*outcome) for outcome in ended]
    else:
        outcomes = make_by_ray(cells, folder, address, progress)
        _core.write_manifest(grid, os.fspath(folder))
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
