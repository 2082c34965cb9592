"""How a cell is made on a node, in a folder of its own: beside whoever watches its checkpoints."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from typing import Protocol

from .. import _core
from ..errors import InputError, wrong
from .cells import Cell

# Becomes the words after the parent's number. The parent may be killed; the program is then told to
# end. Whether it then saves is not promised: sometimes it was seen not to. This is not done between
# fork and exec of the parent, which has threads.
_DIE_WITH_PARENT = """
import ctypes, os, signal, sys
PR_SET_PDEATHSIG = 1
ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGTERM))
if os.getppid() == int(sys.argv[1]):
    os.execv(sys.argv[2], sys.argv[2:])
"""


class Job(Protocol):
    """Something that makes a record and can be waited for."""

    def wait(self, seconds: float) -> bool:
        """Whether it has ended; raises what went wrong."""

    def stop(self) -> None:
        """Ends it, and waits for that."""


class RunJob:
    """A run, made by a thread of this process."""

    def __init__(self, cell: Cell, folder: Path) -> None:
        self._settings = cell.run_settings()
        self._checkpoint_every = cell.checkpoint_every
        self._folder = folder
        self._stopped = False
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._make, name=f"vapor {cell.folder}")
        self._thread.start()

    def _make(self) -> None:
        try:
            _core.run_episodes(
                self._settings,
                str(self._folder),
                lambda _: not self._stopped,
                self._checkpoint_every,
            )
        except BaseException as error:  # raised again by the thread that waits
            self._error = error

    def wait(self, seconds: float) -> bool:
        self._thread.join(seconds)
        if self._thread.is_alive():
            return False
        if self._error is not None:
            raise self._error
        return True

    def stop(self) -> None:
        self._stopped = True
        self._thread.join()


class TrainJob:
    """A training, made by the program ``vapor`` of this machine."""

    def __init__(self, cell: Cell, folder: Path) -> None:
        words = [find_program(), *cell.words, "--out", str(folder.parent), "--threads", "1"]
        launcher = [sys.executable, "-I", "-S", "-c", _DIE_WITH_PARENT, str(os.getpid())]
        self._process = subprocess.Popen(
            [*launcher, *words, "--quiet"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            text=True, errors="replace",
        )  # fmt: skip

    def wait(self, seconds: float) -> bool:
        try:
            _, errors = self._process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            return False
        code = self._process.returncode
        if code == 0:
            return True
        said = (errors.strip().splitlines() or [f"vapor train ended with code {code}"])[-1]
        said = said.removeprefix("vapor: ")
        raise InputError(said) if code == 2 else RuntimeError(said)

    def stop(self) -> None:
        if self._process.poll() is None:
            self._process.terminate()  # it saves
            self._process.communicate()


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
            "trainings and the table of a sweep need the program: there is none in $VAPOR_COMMAND, "
            f"beside {sys.executable} or on the PATH; pip installs it with the package, and ./run "
            "in a clone builds build/release/bin/vapor",
        )
    return found


def start(cell: Cell, folder: Path) -> Job:
    """Begins with a cell, or goes on with what stands in the folder."""
    return RunJob(cell, folder) if cell.run else TrainJob(cell, folder)
