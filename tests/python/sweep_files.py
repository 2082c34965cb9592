"""Files of sweeps, and what their engines promise to make of them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

from vapor import _core
from vapor.sweeps import Cell
from vapor.sweeps.parts import Part, PartGatherer

VAPOR = os.environ["VAPOR_COMMAND"]

SMALL = """
envs = ["deep_sea:depth={depth}", "river_swim"]
agents = ["vapor", "thompson"]
seeds = 2
episodes = 25
stop = "solved"
snapshot_every = 10
vary.depth = [4, 6]
"""

# Long enough for something to happen to it.
LONG = """
envs = "deep_sea:depth=12"
agents = "vapor"
seeds = {seeds}
episodes = 10000
checkpoint_every = 500
"""


def write(folder: Path, text: str) -> Path:
    file = folder / "sweep.toml"
    file.write_text(text)
    return file


def promised_files(folder: Path) -> dict[str, bytes]:
    """All that a run promises, by path; wall times are outside the promise."""
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file() and file.name not in ("timing.csv", "lock", "sweep.json")
    }


def make_with_program(file: Path, out: Path) -> dict[str, bytes]:
    subprocess.run([VAPOR, "sweep", file, "--out", out, "--quiet"], check=True)
    return promised_files(out)


def parts_of(
    cell: Cell, folder: Path, stop_after: Callable[[int], bool], episodes: int = 0
) -> Iterator[Part]:
    """A record in parts, one after every tenth episode; ``episodes`` stand already."""
    gatherer = PartGatherer(folder)
    while True:
        episodes += 10
        limit = episodes
        end = _core.make_run(
            cell.settings, str(folder), 0, lambda: True, lambda now, *rest: bool(now < limit)
        )
        if end == "finished":
            yield gatherer.last_part()
            return
        assert gatherer.has_new_checkpoint()
        yield gatherer.part()
        if stop_after(episodes):
            return
