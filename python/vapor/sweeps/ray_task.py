"""What a node of a Ray cluster does for a cell. Nodes share no files: all that comes of a cell
travels to the driver in parts, at each checkpoint."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

from .. import _core
from ..errors import InputError, wrong
from .cells import Cell
from .parts import Part, PartGatherer

POLL_SECONDS = 0.25


class _Job:
    """A run that is made by a thread of this process, beside whoever watches its checkpoints."""

    def __init__(self, cell: Cell, folder: Path) -> None:
        self._cell = cell
        self._folder = folder
        self._stopped = False
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._make, name=f"vapor {cell.folder}")
        self._thread.start()

    def _make(self) -> None:
        try:
            _core.make_run(
                self._cell.settings,
                str(self._folder),
                self._cell.checkpoint_every,
                lambda: not self._stopped,
                None,
            )
        except BaseException as error:  # raised again by the thread that waits
            self._error = error

    def wait(self, seconds: float) -> bool:
        """Whether it has ended; raises what went wrong."""
        self._thread.join(seconds)
        if self._thread.is_alive():
            return False
        if self._error is not None:
            raise self._error
        return True

    def stop(self) -> None:
        """Ends it, and waits for that; it saves."""
        self._stopped = True
        self._thread.join()


def make_cell(cell: Cell, state: dict[str, bytes], drivers: str) -> Iterator[Part]:
    """Makes a cell in a temporary folder, or goes on from ``state``, the files of a checkpoint.

    ``drivers`` is the version of the driver: another one may make other bytes.
    """
    if drivers != _core.version():
        raise wrong("vapor", f"this node has version {_core.version()}, the driver has {drivers}")
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
    job = _Job(cell, folder)
    try:
        while not job.wait(POLL_SECONDS):
            if gatherer.has_new_checkpoint():
                yield gatherer.part()
    finally:
        job.stop()
    yield gatherer.last_part()
