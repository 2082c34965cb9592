"""The Ray engine: each cell is a task, and this process alone writes the records.

A task streams what stands at each checkpoint. When its worker or its node dies, the cell is started
again, on any node, from the last checkpoint that arrived here: the part after it is what a death
costs, and since every part says where in the files it belongs, nothing is there twice.
"""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from .._core import version
from ..errors import InputError
from .cells import Cell, Outcome
from .parts import CollectedRecord, Part
from .ray_task import make_cell
from .result import ProgressFunction, say

ATTEMPTS = 3  # starts in a row that bring nothing new, after which a cell has failed
WAIT_SECONDS = 0.5
CANCEL_SECONDS = 10.0  # for the tasks to end by themselves
AHEAD = 8  # tasks beyond one a core that wait in the cluster
COUNT_SECONDS = 5.0  # between two looks at how many cores there are


class _Progress:
    """Counts cells and episodes; what stops early counts in full."""

    def __init__(self, cells: list[Cell], report: ProgressFunction | None) -> None:
        self._report = report
        self._cells = len(cells)
        self._ended = 0
        self._steps = sum(cell.steps for cell in cells)
        self._done = 0

    def played(self, cell: Cell, before: int, after: int) -> None:
        """A cell has come from ``before`` to ``after`` episodes."""
        self._done += self._counted(cell, after) - self._counted(cell, before)

    def ended(self, cell: Cell, episodes: int) -> None:
        """A cell is over, ``episodes`` of it having been counted."""
        self._ended += 1
        self._done += cell.steps - self._counted(cell, episodes)

    def show(self) -> None:
        """Calls the function, if there is one."""
        if self._report is not None:
            self._report(self._ended, self._cells, self._done, self._steps)

    @staticmethod
    def _counted(cell: Cell, episodes: int) -> int:
        return 0 if "frames" in cell.definition else min(episodes, cell.steps)


@dataclass
class _Work:
    """A cell that is not finished yet."""

    index: int
    cell: Cell
    record: CollectedRecord
    fruitless: int = 0  # starts in a row that brought nothing
    episodes: int = 0
    stream: Any = field(default=None, repr=False)


class RayEngine:
    """Makes the cells of a sweep below ``out`` that are not finished, as ``outcomes`` say.

    ``ray`` is the package, joined to a cluster.
    """

    def __init__(
        self,
        ray: ModuleType,
        cells: list[Cell],
        out: Path,
        outcomes: list[Outcome],
        progress: ProgressFunction | None,
    ) -> None:
        self._ray = ray
        self._out = out
        self._progress = _Progress(cells, progress)
        self._cells = cells
        self.outcomes = outcomes
        self._task = ray.remote(num_cpus=1, max_retries=0, num_returns="streaming")(make_cell)
        self._waiting: deque[int | _Work] = deque()
        self._running: dict[Any, _Work] = {}
        self._cores = 0
        self._next_count = 0.0
        for index, (cell, outcome) in enumerate(zip(cells, self.outcomes, strict=True)):
            if outcome.status == "unfinished":
                self._waiting.append(index)
            else:
                self._progress.ended(cell, 0)

    def run(self) -> None:
        """Until every cell is finished or has failed. An exception cancels what is running."""
        try:
            while self._waiting or self._running:
                self._start_some()
                if not self._running:
                    continue  # what was started has failed at once
                ready, _ = self._ray.wait(
                    list(self._running), timeout=WAIT_SECONDS, fetch_local=False
                )
                for stream in ready:
                    self._advance(self._running[stream])
                self._progress.show()
        finally:
            self._cancel_all()

    def _cancel_all(self) -> None:
        """Lets the tasks end what they have started and take their folders away."""
        ends = {work.stream.completed(): work for work in self._running.values()}
        for work in self._running.values():
            self._ray.cancel(work.stream)
        try:
            if ends:
                _, late = self._ray.wait(
                    list(ends), num_returns=len(ends), timeout=CANCEL_SECONDS, fetch_local=False
                )
                for end in late:
                    self._ray.cancel(ends[end].stream, force=True)
        finally:
            for work in self._running.values():
                work.record.close()
            self._running.clear()

    def _start_some(self) -> None:
        if time.monotonic() >= self._next_count:
            self._cores = int(self._ray.cluster_resources().get("CPU", 0))
            self._next_count = time.monotonic() + COUNT_SECONDS
        while self._waiting and len(self._running) < self._cores + AHEAD:
            self._start(self._waiting.popleft())

    def _start(self, what: int | _Work) -> None:
        if isinstance(what, int):
            cell = self._cells[what]
            try:
                record = CollectedRecord(self._out / cell.folder)
            except InputError as error:
                return self._fail(what, str(error), 0)
            what = _Work(what, cell, record)
        what.stream = self._task.remote(what.cell, what.record.state(), version())
        self._running[what.stream] = what
        return None

    def _advance(self, work: _Work) -> None:
        """Takes one part of a stream that has one, or learns how it ended."""
        try:
            part = self._ray.get(next(work.stream))
        except StopIteration:
            self._ended_early(work, "the task ended before the cell did")
        except InputError as error:  # Ray's error is of the class of its cause too
            self._drop(work)
            self._fail(work.index, _message_of(error), work.episodes)
        except self._ray.exceptions.RayError as error:
            self._ended_early(work, _message_of(error))
        else:
            self._take(work, part)

    def _take(self, work: _Work, part: Part) -> None:
        work.record.take(part)
        work.fruitless = 0
        before, work.episodes = work.episodes, part.episodes_after(work.episodes)
        self._progress.played(work.cell, before, work.episodes)
        if part.finished:
            self._drop(work)
            self.outcomes[work.index].status = "finished"
            self._progress.ended(work.cell, work.episodes)

    def _ended_early(self, work: _Work, error: str) -> None:
        del self._running[work.stream]
        work.fruitless += 1
        again = work.fruitless < ATTEMPTS
        more = f"; started again ({work.fruitless + 1} of {ATTEMPTS})" if again else ""
        say(f"{self._out / work.cell.folder}: {error}{more}")
        if again:
            self._waiting.appendleft(work)
        else:
            work.record.close()
            self._mark_failed(work.index, error, work.episodes)

    def _drop(self, work: _Work) -> None:
        del self._running[work.stream]
        work.record.close()

    def _fail(self, index: int, error: str, episodes: int) -> None:
        say(f"{self._out / self._cells[index].folder}: {error}")
        self._mark_failed(index, error, episodes)

    def _mark_failed(self, index: int, error: str, episodes: int) -> None:
        self.outcomes[index] = Outcome("failed", error)
        self._progress.ended(self._cells[index], episodes)


def _message_of(error: Exception) -> str:
    """One line: what the task raised, without Ray's trace of it."""
    lines = str(getattr(error, "cause", None) or error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
