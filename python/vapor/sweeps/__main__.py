"""``python -m vapor.sweeps FILE --out DIR``: makes the cells of a sweep on a Ray cluster.

It is what ``vapor sweep --engine ray`` starts; on standard output it says how each cell ended.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import time
from dataclasses import asdict
from pathlib import Path
from types import FrameType

from ..errors import InputError
from .cells import read_sweep
from .result import make_by_ray


class _Terminated(BaseException):
    pass


def _on_terminate(number: int, frame: FrameType | None) -> None:
    raise _Terminated


class _ProgressLine:
    """One line, rewritten in place on a terminal and printed every ten seconds elsewhere."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._period = 0.1 if self._terminal else 10.0
        self._next = time.monotonic() + (1.0 if self._terminal else self._period)

    def __call__(self, ended: int, cells: int, done: int, steps: int) -> None:
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + self._period
        share = done / steps if steps else 1.0
        text = f"{share:4.0%}  {ended} of {cells} runs  {done:,} of {steps:,} episodes"
        over = ended == cells
        sys.stderr.write(f"\r\033[K{'' if over else text}" if self._terminal else text + "\n")
        sys.stderr.flush()


def main(words: list[str]) -> int:
    """The exit code: 0 all were tried, 2 bad input, 130 or 143 interrupted."""
    parser = argparse.ArgumentParser(prog="python -m vapor.sweeps", description=__doc__)
    parser.add_argument("file")
    parser.add_argument("--out", required=True)
    parser.add_argument("--address")
    parser.add_argument("--quiet", action="store_true")
    signal.signal(signal.SIGTERM, _on_terminate)
    arguments = parser.parse_args(words)
    try:
        outcomes = make_by_ray(
            read_sweep(arguments.file),
            Path(arguments.out),
            arguments.address,
            None if arguments.quiet else _ProgressLine(),
        )
    except (InputError, OSError) as error:
        print(f"vapor: {error}", file=sys.stderr)
        return 2
    except (KeyboardInterrupt, _Terminated) as error:  # the program says so
        return 128 + (signal.SIGINT if isinstance(error, KeyboardInterrupt) else signal.SIGTERM)
    print(json.dumps([asdict(outcome) for outcome in outcomes]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
