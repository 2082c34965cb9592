"""Faults injected for real into the program, and what must hold after each.

    faults.py --vapor PROGRAM --shim LIBRARY [--share X] [--kills N] [--seed S] [--only NAME]

The shim (fault.c) makes the n-th call that writes fail, tear or end the process, for every n of a
short run, training, sweep, report, problem and solution; ``--share 0.1`` takes a tenth of them,
drawn by the seed. Beside it: kill -9 at seeded moments, two processes on one folder, a folder that
may not be written, files that may not grow, little memory, and single flipped bits in every file of
a record. After each fault:

- the program ended with a documented code, never by a signal that nobody sent it, and said in one
  line what happened; it never says that all is well when it is not;
- the same command again gives the bytes of an unbroken one, and no other files are there.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

EIO, ENOSPC = 5, 28
ASIDE = {"lock", "timing.csv"}  # no promise about their bytes
NOBODY = 65534


@dataclass
class Command:
    """A command whose output is below ``out``, and where faults happen in it."""

    name: str
    words: list[str]
    process: str  # a word that the process to be hit has
    before: list[list[str]] = field(default_factory=list)  # what must stand first


SWEEP = """envs = ["deep_sea:depth=4"]
agents = ["vapor", "thompson"]
episodes = 12
seeds = 1
checkpoint_every = 5
"""
RUN = ["run", "--env", "deep_sea:depth=4", "--agent", "vapor", "--episodes", "12",
       "--snapshot-every", "6", "--checkpoint-every", "5", "--out", "out", "--quiet"]  # fmt: skip
TRAIN = ["train", "--env", "deep_sea:depth=4", "--agent", "vapor-lite:hidden=8,heads=2",
         "--episodes", "12", "--checkpoint-every", "5", "--out", "out", "--quiet"]  # fmt: skip
LONG = ["run", "--env", "deep_sea:depth=8", "--agent", "vapor", "--episodes", "1500", "--quiet",
        "--snapshot-every", "500", "--checkpoint-every", "100", "--out", "out"]  # fmt: skip
GENERATE = ["generate", "random", "--layers", "4", "--out", "out/problem.json", "--quiet"]
COMMANDS = [
    Command("run", RUN, "run"),
    Command("train", TRAIN, "train"),
    Command(
        "sweep", ["sweep", "sweep.toml", "--out", "out", "--processes", "2", "--quiet"], "sweep"
    ),
    Command("cells", ["sweep", "sweep.toml", "--out", "out", "--processes", "2", "--quiet"], "run"),
    Command(
        "report",
        ["report", "runs", "--out", "out", "--quiet"],
        "report",
        [[*RUN[:-2], "runs", "--quiet"]],
    ),
    Command("generate", GENERATE, "generate", [["mkdir", "out"]]),
    Command(
        "solve",
        ["solve", "problem.json", "--out", "out/solution.json", "--trace", "out/t", "--quiet"],
        "solve",
        [["mkdir", "out"], ["generate", "random", "--out", "problem.json", "--quiet"]],
    ),
]


class Wrong(Exception):
    """Something that is promised does not hold."""


class Bench:
    """Runs the program in folders of its own, and keeps count."""

    def __init__(self, vapor: str, shim: str, seed: int) -> None:
        self.vapor = os.path.abspath(vapor)
        self.shim = os.path.abspath(shim)
        self.random = random.Random(seed)
        self.counts: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.root = Path(tempfile.mkdtemp(prefix="vapor-faults-"))
        self.root.chmod(0o777)

    def folder(self, command: Command) -> Path:
        """An empty one, with what must stand before the command."""
        folder = self.root / "case"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        (folder / "sweep.toml").write_text(SWEEP, encoding="utf-8")
        for words in command.before:
            if words[0] == "mkdir":
                (folder / words[1]).mkdir()
            else:
                done = self.call(words, folder)
                if done.returncode != 0:
                    raise Wrong(f"{words}: {done.stderr}")
        return folder

    def call(
        self,
        words: list[str],
        folder: Path,
        env: dict[str, str] | None = None,
        prepare: Callable[[], None] | None = None,
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.vapor, *words],
            cwd=folder,
            env={**os.environ, **(env or {})},
            capture_output=True,
            text=True,
            errors="replace",
            timeout=120,
            preexec_fn=prepare,
            check=False,
        )

    def fault(self, command: Command, folder: Path, **settings: object) -> dict[str, str]:
        env = {"LD_PRELOAD": self.shim, "FAULT_FOLDER": f"{folder}/out"}
        env["FAULT_PROCESS"] = command.process
        return env | {f"FAULT_{key.upper()}": str(value) for key, value in settings.items()}

    def check(self, name: str, case: Callable[[], None]) -> None:
        """Counts the case, and what is wrong with it."""
        self.counts[name] += 1
        try:
            case()
        except (Wrong, subprocess.TimeoutExpired) as error:
            self.wrong.append(f"{name}: {error}")
            print(f"WRONG {name}: {error}", flush=True)


def bytes_of(folder: Path) -> dict[str, bytes]:
    """The files that a command made, by name; logs are outside the promise."""
    return {
        str(file.relative_to(folder)): b"" if file.name in ASIDE else file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file() and "tensorboard" not in file.parts
    }


def without_seconds(files: dict[str, bytes], command: Command) -> dict[str, bytes]:
    """Solutions and traces hold wall times: their names count."""
    return dict.fromkeys(files, b"") if command.name == "solve" else files


def expect_end(done: subprocess.CompletedProcess[str], codes: set[int], what: str) -> None:
    """A documented code, and a word if it is not 0."""
    if done.returncode not in codes:
        raise Wrong(f"{what}: exit code {done.returncode}: {done.stderr.strip()}")
    lines = done.stderr.splitlines()
    if done.returncode in (1, 2, 3) and not any(line.startswith("vapor: ") for line in lines):
        raise Wrong(f"{what}: exit code {done.returncode} without a word: {done.stderr!r}")


def expect_same(
    bench: Bench, command: Command, folder: Path, whole: dict[str, bytes], what: str
) -> None:
    """The same command again gives what an unbroken one does."""
    done = bench.call(command.words, folder)
    if done.returncode != 0:
        raise Wrong(f"{what}: again: exit code {done.returncode}: {done.stderr.strip()}")
    expect_whole(command, folder, whole, what)


def expect_whole(command: Command, folder: Path, whole: dict[str, bytes], what: str) -> None:
    now = without_seconds(bytes_of(folder / "out"), command)
    if now.keys() != whole.keys():
        raise Wrong(f"{what}: other files: {sorted(now.keys() ^ whole.keys())}")
    if other := [name for name in whole if now[name] != whole[name]]:
        raise Wrong(f"{what}: other bytes: {other}")


def unbroken(bench: Bench, command: Command) -> dict[str, bytes]:
    folder = bench.folder(command)
    done = bench.call(command.words, folder)
    if done.returncode != 0:
        raise Wrong(f"{command.name}: {done.stderr}")
    return without_seconds(bytes_of(folder / "out"), command)


def calls_of(bench: Bench, command: Command) -> list[str]:
    """The calls that write, in order."""
    folder = bench.folder(command)
    file = bench.root / "count"
    file.unlink(missing_ok=True)
    bench.call(command.words, folder, bench.fault(command, folder, count=file))
    return [line.split()[1] for line in file.read_text(encoding="utf-8").splitlines()[1:]]


def faults_of_calls(bench: Bench, command: Command, share: float) -> None:
    whole = unbroken(bench, command)
    calls = calls_of(bench, command)
    if len(calls) < 5:
        raise Wrong(f"{command.name}: the shim saw {calls}")
    kinds = [("fail", EIO), ("fail", ENOSPC), ("full", ENOSPC), ("tear", ENOSPC), ("kill", 0)]
    for number, call in enumerate(calls, 1):
        for kind, code in kinds:
            if (kind == "tear") != (kind == "tear" and call == "write"):
                continue
            if bench.random.random() < share:
                bench.check(
                    f"{command.name}: {kind}",
                    lambda: one_fault(bench, command, whole, (number, call, kind, code)),  # noqa: B023
                )


def one_fault(
    bench: Bench, command: Command, whole: dict[str, bytes], fault: tuple[int, str, str, int]
) -> None:
    number, call, kind, code = fault
    what = f"{command.name}: call {number} ({call}): {kind} {code}"
    folder = bench.folder(command)
    env = bench.fault(command, folder, at=number, kind=kind, errno=code)
    done = bench.call(command.words, folder, env)
    cells = command.name == "cells"
    if kind == "kill" and not cells:
        expect_end(done, {0, 137}, what)
    else:
        # Of a sweep's cell: it is started again, or has failed.
        expect_end(done, {0, 1} if cells else {0, 2}, what)
    if done.returncode == 0:
        expect_whole(command, folder, whole, what + ": said that all is well")
    expect_same(bench, command, folder, whole, what)


def kills(bench: Bench, number: int) -> None:
    """kill -9 at seeded moments, up to three times a run."""
    command = Command("kill", LONG, "run")
    begin = time.monotonic()
    whole = unbroken(bench, command)
    length = time.monotonic() - begin

    def one() -> None:
        folder = bench.folder(command)
        for _ in range(bench.random.randint(1, 3)):
            child = subprocess.Popen([bench.vapor, *LONG], cwd=folder, stderr=subprocess.PIPE)
            time.sleep(bench.random.uniform(0.0, length))
            child.kill()
            _, said = child.communicate()
            if child.returncode not in (0, -signal.SIGKILL):
                raise Wrong(f"kill: exit code {child.returncode}: {said!r}")
        expect_same(bench, command, folder, whole, "kill")

    for _ in range(number):
        bench.check("kill -9", one)


def interruptions(bench: Bench, number: int) -> None:
    """SIGINT and SIGTERM leave nothing half written."""
    generate = Command("generate", [*GENERATE[:2], "--layers", "30", "--states", "60", "--out",
                                    "out/problem.json", "--quiet"],
                       "", [["mkdir", "out"]])  # fmt: skip
    long = Command("run", LONG, "")
    for command in (generate, long):
        begin = time.monotonic()
        whole = unbroken(bench, command)
        length = time.monotonic() - begin

        def one(
            command: Command = command, whole: dict[str, bytes] = whole, length: float = length
        ) -> None:
            folder = bench.folder(command)
            sent = bench.random.choice([signal.SIGINT, signal.SIGTERM])
            child = subprocess.Popen(
                [bench.vapor, *command.words], cwd=folder, stderr=subprocess.PIPE
            )
            time.sleep(bench.random.uniform(0.0, length))
            child.send_signal(sent)
            child.communicate(timeout=60)
            if child.returncode not in (0, -sent, 128 + sent):
                raise Wrong(f"{command.name}: exit code {child.returncode}")
            if left := [name for name in bytes_of(folder / "out") if name.endswith(".tmp")]:
                raise Wrong(f"{command.name}: left {left}")
            expect_same(bench, command, folder, whole, "interrupted")

        for _ in range(number):
            bench.check(f"interrupt: {command.name}", one)


def pairs_of_processes(bench: Bench, number: int) -> None:
    """Two of the same command in one folder: each does its work or says that the other is at it."""
    for name, command, codes in (
        ("run", Command("run", LONG, ""), {0, 2}),
        ("sweep", COMMANDS[2], {0}),
    ):
        whole = unbroken(bench, command)

        def one(
            command: Command = command, codes: set[int] = codes, whole: dict[str, bytes] = whole
        ) -> None:
            folder = bench.folder(command)
            both = []
            for _ in range(2):
                both.append(
                    subprocess.Popen(
                        [bench.vapor, *command.words], cwd=folder, stderr=subprocess.PIPE, text=True
                    )
                )
                time.sleep(bench.random.uniform(0.0, 0.05))
            for child in both:
                _, said = child.communicate(timeout=120)
                if child.returncode not in codes:
                    raise Wrong(f"two of {command.name}: exit code {child.returncode}: {said}")
                if child.returncode == 2 and "is in use by another process" not in said:
                    raise Wrong(f"two of {command.name}: {said}")
            expect_whole(command, folder, whole, f"two of {command.name}")

        for _ in range(number):
            bench.check(f"two processes: {name}", one)


def limits(bench: Bench) -> None:
    """A folder that may not be written, files that may not grow, little memory."""

    def read_only() -> None:
        os.setgid(NOBODY)
        os.setuid(NOBODY)

    for command in COMMANDS:
        whole = unbroken(bench, command)
        if os.geteuid() == 0:

            def no_writing(command: Command = command, whole: dict[str, bytes] = whole) -> None:
                folder = bench.folder(command)
                before = bytes_of(folder)
                folder.chmod(0o555)
                (folder / "out").is_dir() and (folder / "out").chmod(0o555)
                done = bench.call(command.words, folder, None, read_only)
                expect_end(done, {2}, f"{command.name}: read-only")
                if bytes_of(folder) != before:
                    raise Wrong(f"{command.name}: read-only: wrote something")
                expect_same(bench, command, folder, whole, "read-only")

            bench.check("read-only folder", no_writing)
        for size in (0, 100, 400, 2000):

            def small(
                command: Command = command, whole: dict[str, bytes] = whole, size: int = size
            ) -> None:
                folder = bench.folder(command)
                done = bench.call(
                    command.words, folder, None,
                    lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)),
                )  # fmt: skip
                # The signal of the limit is ignored; what is refused says so.
                cells = command.name in ("sweep", "cells")
                expect_end(
                    done, {0, 1, 2} if cells else {0, 2}, f"{command.name}: files of {size} bytes"
                )
                if done.returncode == 0:
                    expect_whole(command, folder, whole, f"{command.name}: files of {size} bytes")
                expect_same(bench, command, folder, whole, f"files of {size} bytes")

            bench.check("files may not grow", small)
        for megabytes in (2000, 500, 200, 100, 60, 40, 30, 25):

            def little(
                command: Command = command,
                whole: dict[str, bytes] = whole,
                most: int = megabytes << 20,
            ) -> None:
                folder = bench.folder(command)
                done = bench.call(
                    command.words, folder, None,
                    lambda: resource.setrlimit(resource.RLIMIT_AS, (most, most)),
                )  # fmt: skip
                if done.returncode == 127:  # the loader had not enough for the program itself
                    return
                cells = command.name in ("sweep", "cells")
                expect_end(
                    done, {0, 1, 2, 3} if cells else {0, 2, 3}, f"{command.name}: {most >> 20} MB"
                )
                expect_same(bench, command, folder, whole, f"{most >> 20} MB")

            bench.check("little memory", little)


def flips(bench: Bench, number: int) -> None:
    """One flipped bit in a file of a record, finished or not: noticed at resume and in reports."""
    for command in (Command("run", RUN, "run"), Command("train", TRAIN, "train")):
        whole = unbroken(bench, command)
        for finished in (True, False):
            folder = bench.folder(command)
            if finished:
                bench.call(command.words, folder)
            else:  # stopped before run.json says that it is finished
                calls = calls_of(bench, command)
                last = max(i for i, call in enumerate(calls, 1) if call == "rename")
                folder = bench.folder(command)
                bench.call(
                    command.words, folder, bench.fault(command, folder, at=last, kind="kill")
                )
            kept = bench.root / "kept"
            shutil.rmtree(kept, ignore_errors=True)
            shutil.copytree(folder, kept)
            for name in bytes_of(folder / "out"):
                if Path(name).name in ("lock", "timing.csv") or name.endswith(".tmp"):
                    continue
                if not finished and name.endswith("policy"):
                    continue  # of the end of the run, and written again by it
                size = (kept / "out" / name).stat().st_size
                for _ in range(min(number, 8 * size)):
                    bit = bench.random.randrange(8 * size)
                    bench.check(
                        f"flipped bit: {'' if finished else 'un'}finished {Path(name).name}",
                        lambda: one_flip(bench, command, (kept, name, bit, finished), whole),  # noqa: B023
                    )


def one_flip(
    bench: Bench, command: Command, flip: tuple[Path, str, int, bool], whole: dict[str, bytes]
) -> None:
    kept, name, bit, finished = flip
    folder = bench.root / "case"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(kept, folder)
    file = folder / "out" / name
    text = bytearray(file.read_bytes())
    text[bit // 8] ^= 1 << (bit % 8)
    file.write_bytes(bytes(text))
    what = f"{name}: byte {bit // 8}"
    done = bench.call(command.words, folder)
    # What lies behind the checkpoint is cut off and made again: that is as good as noticed.
    if done.returncode == 0 and not finished:
        expect_whole(command, folder, whole, what)
        return
    if done.returncode != 2 or Path(name).name not in done.stderr:
        raise Wrong(f"{what}: exit code {done.returncode}: {done.stderr!r}")
    if not finished:
        return
    done = bench.call(["report", "out", "--out", "report", "--quiet"], folder)
    if done.returncode not in (0, 2) or Path(name).name not in done.stderr:
        raise Wrong(f"{what}: report: exit code {done.returncode}: {done.stderr!r}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--vapor", required=True)
    parser.add_argument("--shim", required=True)
    parser.add_argument("--share", type=float, default=1.0, help="of the faults of calls")
    parser.add_argument("--kills", type=int, default=200, help="kill -9, and a tenth of signals")
    parser.add_argument("--flips", type=int, default=200, help="of each file")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--only", default="", help="run, train, ..., kill, interrupt, two, limits or flips"
    )
    options = parser.parse_args()
    bench = Bench(options.vapor, options.shim, options.seed)
    begin = time.monotonic()
    parts: dict[str, Callable[[], None]] = {
        command.name: (lambda c=command: faults_of_calls(bench, c, options.share))
        for command in COMMANDS
    }
    parts["kill"] = lambda: kills(bench, options.kills)
    parts["interrupt"] = lambda: interruptions(bench, max(1, options.kills // 10))
    parts["two"] = lambda: pairs_of_processes(bench, max(1, options.kills // 10))
    parts["limits"] = lambda: limits(bench)
    parts["flips"] = lambda: flips(bench, options.flips)
    try:
        for name, part in parts.items():
            if options.only in ("", name):
                part()
    finally:
        shutil.rmtree(bench.root, ignore_errors=True)
    for name, count in sorted(bench.counts.items()):
        print(f"{count:6}  {name}")
    print(
        f"{sum(bench.counts.values())} faults, {len(bench.wrong)} wrong, "
        f"{time.monotonic() - begin:.0f} s"
    )
    return 1 if bench.wrong or not bench.counts else 0


if __name__ == "__main__":
    sys.exit(main())
