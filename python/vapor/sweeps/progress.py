"""How far a sweep is: for a caller's function, or as a line on standard error."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from .cells import Cell

ProgressFunction = Callable[[int, int, int, int], None]

_TRAIN_EPISODES = 1000  # the default of `vapor train`


def steps_of(cell: Cell) -> int:
    """The episodes of a cell; one step for trainings by frames, whose episodes nobody knows."""
    if cell.frames is not None:
        return 1
    return _TRAIN_EPISODES if cell.episodes is None else cell.episodes


class Progress:
    """Counts cells and episodes; what stops early counts in full."""

    def __init__(self, cells: list[Cell], report: ProgressFunction | None) -> None:
        self._report = report
        self._cells = len(cells)
        self._ended = 0
        self._steps = sum(steps_of(cell) for cell in cells)
        self._done = 0

    def played(self, cell: Cell, before: int, after: int) -> None:
        """A cell has come from ``before`` to ``after`` episodes."""
        self._done += self._counted(cell, after) - self._counted(cell, before)

    def ended(self, cell: Cell, episodes: int) -> None:
        """A cell is over, ``episodes`` of it having been counted."""
        self._ended += 1
        self._done += steps_of(cell) - self._counted(cell, episodes)

    def show(self) -> None:
        """Calls the function, if there is one."""
        if self._report is not None:
            self._report(self._ended, self._cells, self._done, self._steps)

    def say(self, message: str) -> None:
        """A line about a cell, on standard error."""
        over = "\r\033[K" if sys.stderr.isatty() else ""  # the line of progress
        print(f"{over}vapor: {message}", file=sys.stderr, flush=True)

    @staticmethod
    def _counted(cell: Cell, episodes: int) -> int:
        return 0 if cell.frames is not None else min(episodes, steps_of(cell))


class ProgressLine:
    """One line, rewritten in place on a terminal and printed every ten seconds elsewhere."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._period = 0.1 if self._terminal else 10.0
        self._next = time.monotonic() + (1.0 if self._terminal else self._period)
        self._visible = False

    def __call__(self, ended: int, cells: int, done: int, steps: int) -> None:
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + self._period
        share = done / steps if steps else 1.0
        text = f"{share:4.0%}  {ended} of {cells} runs  {done:,} of {steps:,} episodes"
        sys.stderr.write(f"\r\033[K{text}" if self._terminal else text + "\n")
        sys.stderr.flush()
        self._visible = self._terminal

    def clear(self) -> None:
        """Takes the line away."""
        if self._visible:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()
            self._visible = False
