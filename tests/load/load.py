"""A sweep of thousands of short runs, watched: does it stay as it began?

    load.py --vapor PROGRAM [--runs 10000] [--episodes 25000] [--processes 2] [--out DIR]
    load.py --vapor PROGRAM --ray [--kill-every 60] ...

Makes a grid of short runs and looks every second at the resident memory of the sweep's own process
and at the runs that stand finished. At the end it says, and fails unless

- every run of the grid stands finished once, with all its episodes, and nothing else is there;
- the resident memory of the sweep, of its second tenth and of its last, is the same within 10%;
- the throughput of the last window is within 10% of the first: by the clock, and by the processor
  time of the sweep and its children, which counts where the machine is shared (that one decides);
- the same command again finds everything finished and makes nothing.

``--ray`` makes the runs on a Ray cluster of this machine with two nodes beside the head, one of
which is killed and replaced every ``--kill-every`` seconds. Killed itself, the script goes on where
it was with the same ``--out``.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

SWEEP = """envs = ["deep_sea:depth={{depth}}"]
agents = ["vapor", "thompson"]
episodes = {episodes}
seeds = {seeds}
vary = {{ depth = [4, 5, 6, 7, 8] }}
"""
CLOCK_TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass
class Look:
    """How the sweep stands after so many seconds."""

    seconds: float
    processor: float  # seconds, of the sweep and of the children that it has waited for
    finished: int
    resident: int  # bytes


def processor_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return sum(int(fields[i]) for i in (11, 12, 13, 14)) / CLOCK_TICKS


def resident(process: int) -> int:
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * PAGE


class Finished:
    """Counts the runs that stand finished; what was seen so once is not read again."""

    def __init__(self, out: Path) -> None:
        self._out = out
        self._done: set[Path] = set()

    def count(self) -> int:
        for folder in self._out.glob("*/*/seed-*"):
            if folder not in self._done and is_finished(folder):
                self._done.add(folder)
        return len(self._done)


def is_finished(folder: Path) -> bool:
    try:
        return '"status": "finished"' in (folder / "run.json").read_text(encoding="utf-8")
    except FileNotFoundError:
        return False


def watch(sweep: subprocess.Popen[bytes], out: Path, every: float) -> list[Look]:
    finished, looks, begin = Finished(out), [], time.monotonic()
    while sweep.poll() is None:
        try:
            looks.append(
                Look(
                    time.monotonic() - begin,
                    processor_seconds(sweep.pid),
                    finished.count(),
                    resident(sweep.pid),
                )
            )
        except (FileNotFoundError, ProcessLookupError, IndexError):
            break  # it ended between two looks
        time.sleep(every)
    sweep.wait()
    return looks


def check_records(out: Path, runs: int, episodes: int) -> list[str]:
    """What is lost, doubled, or does not belong there."""
    wrong = []
    folders = sorted(out.glob("*/*/seed-*"))
    if len(folders) != runs:
        wrong.append(f"{len(folders)} runs, not {runs}")
    for folder in folders:
        names = {file.name for file in folder.iterdir()}
        if not is_finished(folder) or names != {"run.json", "episodes.csv", "timing.csv", "lock"}:
            wrong.append(f"{folder}: {sorted(names)}")
            continue
        rows = (folder / "episodes.csv").read_text(encoding="utf-8").splitlines()[1:]
        if [row.split(",")[0] for row in rows] != [str(k) for k in range(1, episodes + 1)]:
            wrong.append(f"{folder}: {len(rows)} episodes")
    cells = json.loads((out / "sweep.json").read_text(encoding="utf-8"))["cells"]
    if len({cell["folder"] for cell in cells}) != runs:
        wrong.append(f"sweep.json: {len(cells)} cells")
    if strays := [file for file in out.rglob("*.tmp")] + [
        file for file in out.iterdir() if file.is_file() and file.name != "sweep.json"
    ]:
        wrong.append(f"strays: {strays}")
    return wrong


def rate(looks: list[Look], processor: bool) -> float:
    """Runs finished a second over a window."""
    first, last = looks[0], looks[-1]
    time_of = (lambda look: look.processor) if processor else (lambda look: look.seconds)
    return (last.finished - first.finished) / max(1e-9, time_of(last) - time_of(first))


def windows(looks: list[Look]) -> tuple[list[Look], list[Look]]:
    """The first and the last minute, or tenth if that is shorter; without the start and the end,
    where not all processes are at work."""
    busy = [look for look in looks if 0 < look.finished < looks[-1].finished]
    length = min(60.0, (busy[-1].seconds - busy[0].seconds) / 10.0) if len(busy) > 20 else 0.0
    if length <= 0.0:
        return looks, looks
    return (
        [look for look in busy if look.seconds <= busy[0].seconds + length],
        [look for look in busy if look.seconds >= busy[-1].seconds - length],
    )


def change(before: float, after: float) -> float:
    return after / before - 1.0 if before > 0.0 else 0.0


class Nodes:
    """A Ray cluster of this machine; one of its two nodes is killed and replaced now and then."""

    def __init__(self, every: float) -> None:
        from ray.cluster_utils import Cluster  # type: ignore[import-not-found]

        self._cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
        self._nodes = [self._cluster.add_node(num_cpus=1) for _ in range(2)]
        self._every = every
        self._over = threading.Event()
        self.killed = 0
        self._thread = threading.Thread(target=self._kill, daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        return str(self._cluster.address)

    def _kill(self) -> None:
        while not self._over.wait(self._every):
            self._cluster.remove_node(self._nodes.pop(0), allow_graceful=False)
            self._nodes.append(self._cluster.add_node(num_cpus=1))
            self.killed += 1

    def close(self) -> None:
        self._over.set()
        self._thread.join()
        self._cluster.shutdown()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--vapor", required=True)
    parser.add_argument("--runs", type=int, default=10_000, help="a multiple of ten")
    parser.add_argument("--episodes", type=int, default=25_000, help="of each run")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--every", type=float, default=1.0, help="seconds between two looks")
    parser.add_argument("--out", help="kept; default: a folder that is removed")
    parser.add_argument("--ray", action="store_true")
    parser.add_argument("--kill-every", type=float, default=60.0, help="seconds, with --ray")
    parser.add_argument("--interrupt", action="store_true", help="end it once in the middle")
    options = parser.parse_args()
    if options.runs < 10 or options.runs % 10 != 0:
        parser.error("--runs must be a multiple of ten")

    folder = Path(options.out or tempfile.mkdtemp(prefix="vapor-load-"))
    folder.mkdir(parents=True, exist_ok=True)
    file, out = folder / "load.toml", folder / "runs"
    file.write_text(
        SWEEP.format(episodes=options.episodes, seeds=options.runs // 10), encoding="utf-8"
    )
    words = [os.path.abspath(options.vapor), "sweep", str(file), "--out", str(out), "--quiet"]
    nodes = Nodes(options.kill_every) if options.ray else None
    if nodes is not None:
        words += ["--engine", "ray", "--address", nodes.address]
    else:
        words += ["--processes", str(options.processes)]
    env = {**os.environ, "VAPOR_PYTHON": sys.executable}

    sweep = subprocess.Popen(words, env=env)
    if options.interrupt:
        while sweep.poll() is None and Finished(out).count() < options.runs // 2:
            time.sleep(0.5)
        sweep.send_signal(signal.SIGTERM)
        sweep.wait()
        print(f"interrupted with code {sweep.returncode}, {Finished(out).count()} runs finished")
        sweep = subprocess.Popen(words, env=env)
    looks = watch(sweep, out, options.every)
    wrong = [] if sweep.returncode == 0 else [f"exit code {sweep.returncode}"]
    if nodes is not None:
        print(f"{nodes.killed} nodes killed")
        nodes.close()
    wrong += check_records(out, options.runs, options.episodes)

    first, last = windows(looks)
    for name, processor in (("a second", False), ("a processor second", True)):
        before, after = rate(first, processor), rate(last, processor)
        print(
            f"runs {name}: {before:.2f} in the first {first[-1].seconds - first[0].seconds:.0f} s, "
            f"{after:.2f} in the last ({change(before, after):+.1%})"
        )
        if processor and not options.ray and change(before, after) < -0.10:
            wrong.append("the throughput fell by more than 10%")
    tenth = max(1, len(looks) // 10)
    early = max(look.resident for look in looks[tenth : 2 * tenth] or looks)
    late = max(look.resident for look in looks[-tenth:])
    print(f"resident memory: {early / 1e6:.1f} MB early, {late / 1e6:.1f} MB late")
    if change(early, late) > 0.10:
        wrong.append("the resident memory grew by more than 10%")

    if nodes is None:
        again = subprocess.run([*words, "--json"], env=env, capture_output=True, check=False)
        cells = json.loads(again.stdout)["cells"] if again.returncode == 0 else []
        if len(cells) != options.runs or not all(cell["was_finished"] for cell in cells):
            wrong.append("the same command again did not find all finished")
    seconds = looks[-1].seconds if looks else 0.0
    print(f"{options.runs} runs in {seconds:.0f} s; " + ("all is well" if not wrong else "WRONG"))
    for line in wrong[:20]:
        print("  " + line)
    if not options.out:
        shutil.rmtree(folder, ignore_errors=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
