"""The local engine, which is the program's: ``vapor sweep`` makes each cell in a process."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from ..errors import InputError
from .cells import Cell, Outcome
from .jobs import find_program
from .progress import Progress

_POLL_SECONDS = 0.5


class _Count:
    """The episodes of a record that is being written, at the price of reading what is new."""

    def __init__(self, cell: Cell, folder: Path) -> None:
        self.cell = cell
        self.episodes = 0
        self._file = folder / "episodes.csv"
        self._read = 0
        self._lines = 0

    def update(self) -> int:
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
        return max(0, self._lines - 1)


def make_locally(
    file: Path, cells: list[Cell], out: Path, processes: int, progress: Progress
) -> list[Outcome]:
    """Makes the cells by the program, and says how each ended."""
    words = [find_program(), "sweep", str(file), "--out", str(out), "--json", "--quiet"]
    program = subprocess.Popen(
        [*words, "--processes", str(processes)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,  # Ctrl-C reaches it through us alone
    )
    counts = {cell.folder: _Count(cell, out / cell.folder) for cell in cells}
    try:
        while True:
            try:
                answer, errors = program.communicate(timeout=_POLL_SECONDS)
                break
            except subprocess.TimeoutExpired:
                _count(counts, out, progress)
    finally:
        if program.poll() is None:
            program.terminate()  # its children save
            program.communicate()
    if program.returncode not in (0, 1):
        said = errors.strip().removeprefix("vapor: ")
        raise InputError(said) if program.returncode == 2 else RuntimeError(said)
    _count(counts, out, progress)
    return [_outcome_of(row) for row in json.loads(answer)["cells"]]


def _count(counts: dict[str, _Count], out: Path, progress: Progress) -> None:
    for folder, count in list(counts.items()):
        before, count.episodes = count.episodes, count.update()
        progress.played(count.cell, before, count.episodes)
        if (out / folder / "run.json").exists() and _says_finished(out / folder / "run.json"):
            progress.ended(count.cell, count.episodes)
            del counts[folder]
    progress.show()


def _says_finished(run: Path) -> bool:
    return bool(json.loads(run.read_text(encoding="utf-8"))["status"] == "finished")


def _outcome_of(row: dict[str, object]) -> Outcome:
    status = "was_finished" if row["was_finished"] else str(row["status"])
    return Outcome(status, str(row.get("error", "")))
