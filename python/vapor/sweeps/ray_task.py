"""What a node of a Ray cluster does for a cell. Nodes share no files: all that comes of a cell
travels to the driver in parts, at each checkpoint."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from .._core import version
from ..errors import InputError, wrong
from .cells import Cell
from .jobs import start
from .parts import Part, PartGatherer

POLL_SECONDS = 0.25


def make_cell(cell: Cell, state: dict[str, bytes], drivers: str) -> Iterator[Part]:
    """Makes a cell in a temporary folder, or goes on from ``state``, the files of a checkpoint.

    ``drivers`` is the version of the driver: another one may make other bytes.
    """
    if drivers != version():
        raise wrong("vapor", f"this node has version {version()}, the driver has {drivers}")
    with tempfile.TemporaryDirectory(prefix="vapor-") as above:
        folder = Path(above) / Path(cell.folder).name
        if state:
            folder.mkdir()
        for name, text in state.items():
            (folder / name).write_bytes(text)
        try:
            yield from _parts(cell, folder)
        except InputError as error:
            raise InputError(str(error).replace(str(folder), cell.folder)) from None


def _parts(cell: Cell, folder: Path) -> Iterator[Part]:
    gatherer = PartGatherer(folder)
    job = start(cell, folder)
    try:
        while not job.wait(POLL_SECONDS):
            if gatherer.has_new_checkpoint():
                yield gatherer.part()
    finally:
        job.stop()
    yield gatherer.last_part()
