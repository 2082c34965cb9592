"""One solve from several Pythons in turn: what the stable ABI costs, or another version.

    python3 benchmarks/python/interpreters.py FIRST/bin/python SECOND/bin/python [--rounds 200]

Each Python has a vapor of its own. They take turns on the same problem, all four tables of the
solution read; the first is what the others are compared with. `tiny` is a state with two actions,
`depth 50` a DeepSea posterior after 100 episodes of VAPOR.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import tempfile
from pathlib import Path

WORKER = """
import sys, time, vapor
problem = vapor.Problem.read(sys.argv[1])
calls = int(sys.argv[2])
for _ in sys.stdin:
    begin = time.process_time()
    for _ in range(calls):
        solution = vapor.solve(problem)
        _ = (solution.occupancy, solution.policy, solution.temperature, solution.values)
    print((time.process_time() - begin) / calls, flush=True)
"""
MAKE = """
import sys, vapor
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from compare import posterior
posterior(50, 100).write(Path(sys.argv[2]) / "depth 50.json")
tiny = vapor.Problem(reward_mean=[[[1.0, 0.5]]], sigma=[[[0.1, 1.0]]])
tiny.write(Path(sys.argv[2]) / "tiny.json")
"""


def in_turn(pythons: list[str], problem: Path, calls: int, rounds: int) -> list[list[float]]:
    """Seconds of processor time a solve, by Python and round."""
    workers = [
        subprocess.Popen([python, "-c", WORKER, problem, str(calls)], stdin=subprocess.PIPE,
                         stdout=subprocess.PIPE, text=True)
        for python in pythons
    ]  # fmt: skip
    seconds: list[list[float]] = [[] for _ in pythons]
    for _ in range(rounds):
        for worker, mine in zip(workers, seconds, strict=True):
            assert worker.stdin is not None
            assert worker.stdout is not None
            worker.stdin.write("\n")
            worker.stdin.flush()
            mine.append(float(worker.stdout.readline()))
    for worker in workers:
        worker.communicate()
    return [mine[rounds // 10 :] for mine in seconds]  # the first are cold


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("pythons", nargs="+")
    parser.add_argument("--rounds", type=int, default=200)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        here = Path(__file__).parent
        subprocess.run([options.pythons[0], "-c", MAKE, here, folder], check=True)
        for name, calls in (("tiny", 200), ("depth 50", 1)):
            measured = in_turn(options.pythons, Path(folder) / f"{name}.json", calls, options.rounds)
            first = statistics.median(measured[0])
            for python, mine in zip(options.pythons, measured, strict=True):
                median = statistics.median(mine)
                print(f"{name:9}{1e6 * median:10.1f} us, at best {1e6 * min(mine):10.1f} us, "
                      f"{median / first:.3f} of the first  {python}")  # fmt: skip


if __name__ == "__main__":
    main()
