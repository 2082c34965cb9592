"""What Python costs: `vapor.solve` beside `vapor::solve`, in turn, on the same problems.

    build/python/bin/python benchmarks/python/compare.py [--rounds 200] [--json]

with PYTHONPATH=build/release/python, after `./test` has built everything. The Python side reads all
four tables of the solution; the C++ side has them in its hands. Then a batch on one thread and on
two.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import vapor

ROOT = Path(__file__).parents[2]
SPEC = "tabular:repeat=10000,variance=0.03,transform=reward-only"


def posterior(depth: int, episodes: int) -> vapor.Problem:
    """The problem of a belief about DeepSea after so many episodes of VAPOR."""
    sea = vapor.Environment(f"deep_sea:depth={depth}")
    agent = vapor.Agent("vapor", vapor.Belief.about(sea, SPEC))
    random = vapor.RandomStream(1)
    for episode in range(episodes):
        agent.observe(sea.play(agent.policy(random.split(episode)), random))
    return agent.belief.problem


def compared(problem: vapor.Problem, rounds: int) -> tuple[float, float]:
    """Median seconds of a solve in C++ and in Python."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "problem.json"
        problem.write(path)
        problem = vapor.Problem.read(path)
        program = subprocess.Popen(
            [ROOT / "build/release/benchmarks/solve_file", path],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert program.stdin is not None
        assert program.stdout is not None
        native, python = [], []
        for _ in range(rounds):
            program.stdin.write("\n")
            program.stdin.flush()
            seconds, value = program.stdout.readline().split()
            native.append(float(seconds))
            begin = time.perf_counter()
            solution = vapor.solve(problem)
            _ = (solution.occupancy, solution.policy, solution.temperature, solution.values)
            python.append(time.perf_counter() - begin)
            assert solution.value == float(value)
        program.stdin.close()
        program.wait()
    warm = slice(rounds // 10, None)  # the first are cold in both
    return statistics.median(native[warm]), statistics.median(python[warm])


def batch(threads: int) -> float:
    """Seconds for a batch of posteriors on so many threads."""
    problems = [vapor.random_problem(layers=40, states=60, actions=3, seed=s) for s in range(32)]
    begin = time.perf_counter()
    vapor.solve_many(problems, threads=threads)
    return time.perf_counter() - begin


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = []
    for depth, episodes in [(50, 0), (50, 100), (50, 500), (20, 100)]:
        native, python = compared(posterior(depth, episodes), options.rounds)
        rows.append({"depth": depth, "episodes": episodes, "cpp_ms": 1e3 * native,
                     "python_ms": 1e3 * python, "ratio": python / native})  # fmt: skip
    one, two = (statistics.median(batch(threads) for _ in range(5)) for threads in (1, 2))
    if options.json:
        print(json.dumps({"solves": rows, "batch_speed_up": one / two}, indent=2))
        return
    print("depth  episodes   C++ ms  Python ms  ratio")
    for row in rows:
        print("{depth:5}  {episodes:8}  {cpp_ms:7.3f}  {python_ms:9.3f}  {ratio:5.3f}".format(**row))
    print(f"a batch of 32 on two threads: {one / two:.2f} times as fast as on one")


if __name__ == "__main__":
    main()
