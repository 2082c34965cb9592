"""Solves seeded problems of fifteen kinds with the program and checks its certificates: those of all
of them for what can be seen from outside, and a sample again in 80 digits.

    python3 tests/certificates/recheck.py --vapor build/release/bin/vapor --problems 100000 --sample 2000

Of every answer: no NaN, gap >= 0, upper_bound = value + gap, and `solved` if and only if the relative
gap is within the tolerance. Of the sample, with the policy and the values of the solution file:

    value        <= the value of the reported policy, and <= the optimum's upper bracket
    upper_bound  >= the value of the reported policy, of the policy of the reported values, and of
                    the optimum's lower bracket (optimum.py), where there is one
    solved          only if the bracket says so too

One wrong answer and the exit code is 1. Python 3.9 and its library are all this needs.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import json
import math
import pathlib
import subprocess
import sys
import tempfile
from collections import Counter
from decimal import Decimal, getcontext
from typing import Optional

from exact import ONE, ZERO, Exact, carry_digits_for
from optimum import bracket
from problems import KINDS, problem

# How a batch is solved. First-order methods are asked for what they are good for.
WAYS = [
    *[{"method": "newton", "regulariser": "vapor", "tol": 1e-9}] * 4,
    {"method": "newton", "regulariser": "vapor", "tol": 1e-6},
    {"method": "newton", "regulariser": "weighted_entropy", "tol": 1e-9},
    {"method": "newton", "regulariser": "linear", "tol": 1e-9},
    {"method": "newton_cg", "regulariser": "vapor", "tol": 1e-9},
    {"method": "saddle_point", "regulariser": "vapor", "tol": 1e-6},
    {"method": "frank_wolfe", "regulariser": "vapor", "tol": 1e-2, "max-iterations": 200},
]


def main() -> int:
    args = arguments()
    batches = plan(args.problems, args.sample)
    tally: Counter = Counter()
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        with concurrent.futures.ProcessPoolExecutor(args.jobs) as pool:
            work = [pool.submit(run_batch, args.vapor, folder, batch) for batch in batches]
            for done in concurrent.futures.as_completed(work):
                counts, faults = done.result()
                tally.update(counts)
                wrong += faults
    print(table(tally))
    for fault in wrong[:50]:
        print("WRONG", fault)
    print(f"{len(wrong)} wrong of {args.problems} answers, {tally['rechecked']} of them rechecked")
    if args.out:
        args.out.write_text(json.dumps({"counts": dict(sorted(tally.items())), "wrong": wrong}))
    return 1 if wrong else 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--vapor", required=True, help="the program")
    parser.add_argument("--problems", type=int, default=1500)
    parser.add_argument("--sample", type=int, default=300, help="how many are rechecked")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=pathlib.Path, help="write the counts to this file")
    return parser.parse_args()


def plan(problems: int, sample: int) -> list[dict]:
    """Batches of one kind and one way, each with the seeds to solve and how many to recheck."""
    cells = [(kind, way) for way in range(len(WAYS)) for kind in KINDS]
    batches = []
    for i, (kind, way) in enumerate(cells):
        share = lambda total: total * (i + 1) // len(cells) - total * i // len(cells)
        count, recheck = share(problems), share(sample)
        for first in range(0, count, 200):
            size = min(200, count - first)
            checked = recheck * (first + size) // count - recheck * first // count
            seeds = range(first + 1_000_000 * way, first + size + 1_000_000 * way)
            batches.append({"kind": kind, "way": WAYS[way], "seeds": seeds, "recheck": checked})
    return batches


def run_batch(vapor: str, folder: str, batch: dict) -> tuple[Counter, list[str]]:
    kind, way = batch["kind"], batch["way"]
    counts: Counter = Counter()
    wrong: list[str] = []
    files, given = [], []
    for seed in batch["seeds"]:
        given.append(problem(kind, seed))
        files.append(pathlib.Path(folder) / f"{kind}-{seed}.json")
        files[-1].write_text(json.dumps(given[-1]))
    answers = solve(vapor, files, way)
    for seed, answer in zip(batch["seeds"], answers):
        name = f"{kind} {seed} {way['method']} {way['regulariser']}"
        counts[f"{kind} {answer['status']}"] += 1
        wrong += [f"{name}: {fault}" for fault in faults_outside(answer, way["tol"])]
    for i in range(batch["recheck"]):
        at = i * len(files) // batch["recheck"]
        name = f"{kind} {batch['seeds'][at]} {way['method']} {way['regulariser']}"
        faults, known = recheck(vapor, given[at], files[at], way)
        wrong += [f"{name}: {fault}" for fault in faults]
        counts["rechecked"] += 1
        counts[f"{kind} rechecked"] += 1
        counts[f"{kind} optimum known"] += known
    for file in files:
        file.unlink()
    return counts, wrong


def solve(vapor: str, files: list[pathlib.Path], way: dict, out: Optional[pathlib.Path] = None):
    command = [vapor, "solve", *map(str, files), "--json", "--quiet"]
    for option, value in way.items():
        command += [f"--{option}", str(value)]
    if out is not None:
        command += ["--out", str(out)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{' '.join(command)}: {done.returncode} {done.stderr}")
    answer = json.loads(done.stdout)
    return answer.get("solutions", [answer])


def number(x: Optional[float]) -> float:
    return math.inf if x is None else float(x)  # files say null for an infinite bound


def faults_outside(answer: dict, tolerance: float) -> list[str]:
    value, upper, gap = (number(answer[key]) for key in ("value", "upper_bound", "gap"))
    faults = []
    if any(map(math.isnan, (value, upper, gap))):
        faults.append("NaN")
    if not gap >= 0.0 or (math.isfinite(gap) and upper != value + gap):
        faults.append(f"value {value!r}, gap {gap!r}, upper_bound {upper!r}")
    within = gap <= tolerance * max(1.0, abs(value))
    if within != (answer["status"] == "solved"):
        faults.append(f"{answer['status']} with gap {gap!r}")
    return faults


def recheck(vapor: str, given: dict, file: pathlib.Path, way: dict) -> tuple[list[str], bool]:
    """What is wrong with one answer, and whether its optimum is known to ten digits."""
    out = file.with_suffix(".solution")
    answer = solve(vapor, [file], way, out)[0]
    solution = json.loads(out.read_text())
    out.unlink()
    policy = [x for layer in solution["policy"] for state in layer for x in state]
    reported = [0.0 if v is None else v for layer in solution["values"] for v in layer]
    carry_digits_for(reported + [number(answer["value"])])
    exact = Exact(given, way["regulariser"])
    V = [Decimal(v) for v in reported]
    attained = exact.value(policy)
    optimum = bracket(exact, V)
    low, high = optimum if optimum else (ZERO, ZERO)
    faults = faults_inside(answer, way["tol"], attained, exact.value(exact.policy_of(V)), optimum)
    known = optimum is not None and high - low <= Decimal("1e-10") * max(ONE, abs(low))
    return faults, known


def faults_inside(answer, tolerance, attained, other, optimum) -> list[str]:
    value = Decimal(answer["value"])
    faults = []

    def demand(truth: bool, text: str) -> None:
        if not truth:
            faults.append(text)

    demand(value <= attained, f"value {value:.17} above {attained:.25} attained")
    best = max([attained, other] + ([optimum[0]] if optimum else []))
    if answer["upper_bound"] is not None:
        upper = Decimal(answer["upper_bound"])
        demand(upper >= best, f"upper_bound {upper:.17} below {best:.25} attained")
    if optimum:
        demand(value <= optimum[1], f"value {value:.17} above the optimum {optimum[1]:.25}")
    if answer["status"] == "solved":
        allowed = Decimal(tolerance) * max(ONE, abs(value))
        demand(best - value <= allowed, f"solved, but {best - value:.3} from {best:.25}")
    return faults


def table(tally: Counter) -> str:
    statuses = ("solved", "stalled", "max_iterations", "rechecked", "optimum known")
    lines = ["| kind | " + " | ".join(statuses) + " |", "| --- " * (len(statuses) + 1) + "|"]
    for kind in KINDS:
        cells = [str(tally[f"{kind} {status}"]) for status in statuses]
        lines.append(f"| {kind} | " + " | ".join(cells) + " |")
    totals = [str(sum(tally[f"{kind} {status}"] for kind in KINDS)) for status in statuses]
    lines.append("| all | " + " | ".join(totals) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
