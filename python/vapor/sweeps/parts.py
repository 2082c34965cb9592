"""Records in parts: what a node has made since it last said, and the folder that takes it in.

A part is gathered at a checkpoint and taken in whole or not at all, so that the folder of the one
who collects is, at any moment, a record that ``vapor run`` could resume. That holds for the same
reason as on one machine (vapor/record/run_folder.h): whatever the checkpoint counts is on the disk
before the checkpoint is, and opening the record cuts the rest off.
"""

from __future__ import annotations

import fcntl
import os
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

from .. import _core
from ..errors import wrong

_RUN = "run.json"
_CHECKPOINT = "checkpoint"
_LOCK = "lock"


@dataclass
class Part:
    """Files of a record, by their path below its folder.

    ``run`` is run.json. ``tails`` have the offset from which the bytes hold; ``files`` are whole.
    ``checkpoint`` is None in the last part, which is of a finished record.
    """

    run: bytes
    tails: dict[str, tuple[int, bytes]] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    checkpoint: bytes | None = None
    finished: bool = False

    def episodes_after(self, before: int) -> int:
        """The episodes of the record once it has taken the part, of ``before`` until then."""
        offset, text = self.tails.get("episodes.csv", (1, b""))
        lines = text.count(b"\n")
        return before + lines if offset > 0 else max(0, lines - 1)  # the first line is of names


def _is_appended(name: str) -> bool:
    return name.endswith(".csv") or name.startswith("tensorboard/")


class PartGatherer:
    """Gathers what is new in a folder that is being written by someone else."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._sent: dict[str, int] = {}  # bytes of what is appended to
        self._stamps: dict[str, tuple[int, int]] = {}  # of what is replaced
        self._checkpoint = self._stamp(_CHECKPOINT)

    def _stamp(self, name: str) -> tuple[int, int] | None:
        try:
            status = (self._folder / name).stat()
        except FileNotFoundError:
            return None
        return status.st_mtime_ns, status.st_ino

    def has_new_checkpoint(self) -> bool:
        """Whether one was saved since the last part."""
        now = self._stamp(_CHECKPOINT)
        return now is not None and now != self._checkpoint

    def part(self) -> Part:
        """What is new; the checkpoint is read before the files that it counts."""
        self._checkpoint = self._stamp(_CHECKPOINT)
        try:
            checkpoint = (self._folder / _CHECKPOINT).read_bytes()
        except FileNotFoundError:  # the run ended just now
            checkpoint = None
        return self._gathered(Part(self._run(), checkpoint=checkpoint))

    def last_part(self) -> Part:
        """What is new in a record that is finished."""
        return self._gathered(Part(self._run(), finished=True))

    def _run(self) -> bytes:
        return (self._folder / _RUN).read_bytes()

    def _gathered(self, part: Part) -> Part:
        for file in sorted(self._folder.rglob("*")):
            name = str(file.relative_to(self._folder))
            if not file.is_file() or name in (_RUN, _CHECKPOINT, _LOCK) or name.endswith(".tmp"):
                continue
            if _is_appended(name):
                self._add_tail(part, name, file)
            elif self._stamps.get(name) != (stamp := self._stamp(name)) and stamp is not None:
                self._stamps[name] = stamp
                part.files[name] = file.read_bytes()
        return part

    def _add_tail(self, part: Part, name: str, file: Path) -> None:
        offset = self._sent.get(name, 0)
        with file.open("rb") as opened:
            opened.seek(offset)
            text = opened.read()
        if text or offset == 0:
            part.tails[name] = (offset, text)
            self._sent[name] = offset + len(text)


def _write_aside(file: Path, text: bytes) -> None:
    """Killed at any moment, the file is the old or the new one."""
    file.parent.mkdir(parents=True, exist_ok=True)
    aside = file.with_name(file.name + ".tmp")
    with aside.open("wb") as opened:
        opened.write(text)
        opened.flush()
        os.fsync(opened.fileno())
    aside.replace(file)


class CollectedRecord:
    """The folder of a record that someone else makes, locked while it is open."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._lock = (folder / _LOCK).open("ab")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._lock.close()
            raise wrong(str(folder), "another process is writing this run") from None

    def __enter__(self) -> CollectedRecord:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Lets go of the lock."""
        self._lock.close()

    def state(self) -> dict[str, bytes]:
        """The files that a run needs to go on where this record stands; none if it must begin."""
        if not (self._folder / _CHECKPOINT).exists():
            return {}
        return {
            file.name: file.read_bytes()
            for file in self._folder.iterdir()
            if file.is_file() and file.name != _LOCK and file.suffix != ".tmp"
        }

    def take(self, part: Part) -> None:
        """Takes in a part, in the order in which a run on this machine writes."""
        if not (self._folder / _RUN).exists():
            _write_aside(self._folder / _RUN, _core.as_running(part.run))
        for name, (offset, text) in part.tails.items():
            self._write_tail(self._folder / name, offset, text)
        for name, text in part.files.items():
            _write_aside(self._folder / name, text)
        if part.checkpoint is not None:
            _write_aside(self._folder / _CHECKPOINT, part.checkpoint)
        if part.finished:
            _write_aside(self._folder / _RUN, part.run)
            (self._folder / _CHECKPOINT).unlink(missing_ok=True)

    @staticmethod
    def _write_tail(file: Path, offset: int, text: bytes) -> None:
        """Never shorter in between: the checkpoint that stands counts what is there."""
        file.parent.mkdir(parents=True, exist_ok=True)
        with open(os.open(file, os.O_RDWR | os.O_CREAT, 0o666), "r+b") as opened:
            opened.seek(offset)
            opened.write(text)
            opened.truncate(offset + len(text))
            opened.flush()
            os.fsync(opened.fileno())
