"""The local engine: a thread a core, each of which makes one cell after the other.

Runs are made in this process, trainings by the program ``vapor``, to the bytes of ``vapor sweep``.
"""

from __future__ import annotations

import os
import threading
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path

from ..errors import InputError, wrong
from .cells import Cell, Outcome, outcomes_before
from .jobs import find_program, start
from .progress import Progress

ATTEMPTS = 3  # starts of a cell that ends in a crash
_POLL_SECONDS = 0.25


class _Count:
    """The episodes of a record that is being written, at the price of reading what is new."""

    def __init__(self, folder: Path) -> None:
        self.episodes = 0
        self._file = folder / "episodes.csv"
        self._read = 0
        self._lines = 0

    def update(self) -> None:
        try:
            with self._file.open("rb") as opened:
                if opened.seek(0, 2) < self._read:  # cut back to a checkpoint
                    self._read = self._lines = 0
                opened.seek(self._read)
                text = opened.read()
        except FileNotFoundError:
            text = b""
        self._read += len(text)
        self._lines += text.count(b"\n")
        self.episodes = max(0, self._lines - 1)  # one is of names


class _LocalEngine:
    def __init__(self, cells: list[Cell], out: Path, progress: Progress) -> None:
        self._cells = cells
        self._out = out
        self._progress = progress
        self._stopped = threading.Event()
        self._counts: dict[int, _Count] = {}  # of the cells that are being made
        self.outcomes = outcomes_before(cells, out)

    def run(self, threads: int) -> None:
        waiting: list[int] = []
        for index, (cell, outcome) in enumerate(zip(self._cells, self.outcomes, strict=True)):
            if outcome.status == "unfinished":
                waiting.append(index)
                continue
            self._progress.ended(cell, 0)
            if outcome.status == "failed":
                self._progress.say(f"{self._out / cell.folder}: {outcome.error}")
        if any(not self._cells[index].run for index in waiting):
            find_program()  # its absence is told before the work
        pool = ThreadPoolExecutor(threads, thread_name_prefix="vapor sweep")
        try:
            futures = {pool.submit(self._make, index): index for index in waiting}
            pending = set(futures)
            while pending:
                done, pending = wait(pending, _POLL_SECONDS, FIRST_COMPLETED)
                self._settle({futures[future]: future for future in done})
                self._progress.show()
        finally:
            self._stopped.set()  # what is being made is saved
            pool.shutdown(cancel_futures=True)
        self._progress.show()

    def _settle(self, ended: dict[int, Future[Outcome]]) -> None:
        for index, count in list(self._counts.items()):
            before = count.episodes
            count.update()
            self._progress.played(self._cells[index], before, count.episodes)
        for index, future in ended.items():
            self.outcomes[index] = future.result()
            count = self._counts.pop(index)
            self._progress.ended(self._cells[index], count.episodes)

    def _make(self, index: int) -> Outcome:
        """On a thread of the pool. A crash is tried again, bad input is not."""
        cell, folder = self._cells[index], self._out / self._cells[index].folder
        self._counts[index] = _Count(folder)
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return Outcome("finished" if self._make_once(cell, folder) else "unfinished")
            except InputError as error:
                return self._failed(folder, error)
            except Exception as error:
                if attempt == ATTEMPTS:
                    return self._failed(folder, error)
                more = f"started again ({attempt + 1} of {ATTEMPTS})"
                self._progress.say(f"{folder}: {error}; {more}")
        raise AssertionError("unreachable")

    def _make_once(self, cell: Cell, folder: Path) -> bool:
        """Whether it is finished; not if the sweep is stopped."""
        job = start(cell, folder)
        try:
            while not job.wait(_POLL_SECONDS):
                if self._stopped.is_set():
                    return False
        finally:
            job.stop()
        return True

    def _failed(self, folder: Path, error: Exception) -> Outcome:
        self._progress.say(f"{folder}: {error}")
        return Outcome("failed", str(error))


def make_locally(cells: list[Cell], out: Path, processes: int, progress: Progress) -> list[Outcome]:
    """Makes the cells, ``processes`` at a time, and says how each ended."""
    if processes < 0:
        raise wrong("processes", f"must be at least 0, got {processes}")
    engine = _LocalEngine(cells, out, progress)
    engine.run(processes or os.cpu_count() or 1)
    return engine.outcomes
