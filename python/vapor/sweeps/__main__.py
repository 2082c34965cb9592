"""``python -m vapor.sweeps FILE``: a sweep on a Ray cluster, which ``vapor sweep --engine ray``
becomes. Exit codes and output are those of ``vapor sweep``, whose table is printed at the end."""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
from pathlib import Path
from types import FrameType

from ..errors import InputError
from .cells import Outcome, read_sweep
from .jobs import find_program
from .progress import Progress, ProgressLine
from .result import default_folder, sweep_outcomes


class _Terminated(BaseException):
    pass


def _on_terminate(number: int, frame: FrameType | None) -> None:
    raise _Terminated


def _print_table(program: str, arguments: argparse.Namespace, outcomes: list[Outcome]) -> None:
    """By the program, from the records; the failures are known here alone."""
    words = [program, "sweep", arguments.file, "--out", str(arguments.out), "--summary"]
    sys.stdout.flush()
    if not arguments.json:
        subprocess.run(words, check=False)
        return
    said = subprocess.run([*words, "--json"], check=False, capture_output=True, text=True)
    answer = json.loads(said.stdout)
    for row, outcome in zip(answer["cells"], outcomes, strict=True):
        row["was_finished"] = outcome.status == "was_finished"
        if outcome.status == "failed":
            row["status"], row["error"] = "failed", outcome.error
    answer["was_finished"] = sum(row["was_finished"] for row in answer["cells"])
    answer["failed"] = sum(row["status"] == "failed" for row in answer["cells"])
    answer["unfinished"] = sum(row["status"] == "unfinished" for row in answer["cells"])
    print(json.dumps(answer, indent=2))


def _run(arguments: argparse.Namespace) -> int:
    file = Path(arguments.file)
    arguments.out = Path(arguments.out) if arguments.out else default_folder(file)
    cells = read_sweep(file)
    needs_table = arguments.json or not arguments.quiet
    program = find_program() if needs_table else ""  # its absence is told before the work
    line = ProgressLine()
    try:
        outcomes = sweep_outcomes(
            cells,
            arguments.out,
            engine="ray",
            address=arguments.address,
            processes=0,
            progress=Progress(cells, None if arguments.quiet else line),
        )
    finally:
        line.clear()
    if needs_table:
        _print_table(program, arguments, outcomes)
    return 1 if any(outcome.status == "failed" for outcome in outcomes) else 0


def main(words: list[str]) -> int:
    """The exit code: 0 all finished, 1 some failed, 2 bad input, 130 or 143 interrupted."""
    parser = argparse.ArgumentParser(prog="python -m vapor.sweeps", description=__doc__)
    parser.add_argument("file")
    parser.add_argument("--out")
    parser.add_argument("--address")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--quiet", action="store_true")
    signal.signal(signal.SIGTERM, _on_terminate)
    try:
        return _run(parser.parse_args(words))
    except (InputError, OSError) as error:
        print(f"vapor: {error}", file=sys.stderr)
        return 2
    except (KeyboardInterrupt, _Terminated) as error:
        print("vapor: interrupted; the same command goes on from here", file=sys.stderr)
        return 128 + (signal.SIGINT if isinstance(error, KeyboardInterrupt) else signal.SIGTERM)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
