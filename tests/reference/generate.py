#!/usr/bin/env python3
"""Makes the stored reference data of the agreement tests: `agreement/*.json`.

    generate.py                  write all problems and solve them (minutes)
    generate.py --only 'deep*'   solve these only, keep the other stored values
    generate.py --check          compare the stored problems with what the seeds give; solves nothing
    generate.py --deep-sea DEPTH STAGE M VARIANCE --out FILE    one DeepSea posterior, for timing

Each problem is solved by Clarabel and ECOS through CVXPY, by the dual of `dual.py`, and by HiGHS
where every sigma is 0. Run it with the interpreter that `scripts/setup-peers` makes.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from fnmatch import fnmatch
from pathlib import Path

sys.dont_write_bytecode = True  # leave no __pycache__ in the source tree
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # same sums, same bytes
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "benchmarks" / "peers"))

import numpy as np  # noqa: E402

from dual import Bracket, cut_at_forced_pairs, dual_bracket, linear_program_value  # noqa: E402
from formulations import BestEffort, Outcome  # noqa: E402
from instances import STAGES, deep_sea_problem, random_problem  # noqa: E402
from problem import Problem, from_dict  # noqa: E402

AGREEMENT = 1e-6  # relative; what the tests ask for
BRACKET = 1e-8  # relative; a wider bracket of the dual is an error here
PEERS = ("clarabel", "ecos")
TOLERANCES = (1e-10, 1e-9, 1e-8)
NUM_RANDOM = 200


def all_problems():
    """(name, problem-file dictionary, kind), in a fixed order."""
    for index in range(NUM_RANDOM):
        data, kind = random_problem(index)
        yield f"random-{index:03d}", data, kind
    for depth in (5, 10, 20):
        for stage in STAGES:
            for m in (100, 10000):
                for variance in ("literal", "reward"):
                    data = deep_sea_problem(depth, stage, m, variance)
                    name = f"deep-sea-{depth}-{stage}-m{m}-{variance}"
                    yield name, data, f"DeepSea depth {depth}, {stage}, m = {m}, {variance} variance"


def problem_text(data: dict) -> str:
    """One layer a line."""
    layers = ",\n".join(json.dumps(layer, separators=(",", ":")) for layer in data["layers"])
    initial = json.dumps(data["initial"], separators=(",", ":"))
    return f'{{"format":"vapor-problem","version":1,"initial":{initial},"layers":[\n{layers}\n]}}\n'


def solve_with_peer(problem: Problem, solver: str) -> dict:
    """The tightest tolerance that ends `optimal`; if none does, the attempt whose claimed objective
    lies nearest to the value of its own feasible point."""
    program = BestEffort(problem)
    attempts = []
    for tolerance in TOLERANCES:
        outcome = program.solve(solver, tolerance)
        attempts.append((outcome, tolerance))
        if outcome.status == "optimal":
            return peer_entry(outcome, tolerance)
    answered = [a for a in attempts if a[0].value is not None]
    return peer_entry(*min(answered or attempts[-1:], key=lambda a: claim_error(a[0])))


def claim_error(outcome: Outcome) -> float:
    return 0.0 if outcome.value is None else abs(outcome.objective - outcome.value)


def peer_entry(outcome: Outcome, tolerance: float) -> dict:
    return {
        "status": outcome.status,
        "tolerance": tolerance,
        "objective": outcome.objective,
        "value": outcome.value,
    }


def solve_pieces_with_peer(problem: Problem, solver: str) -> dict:
    """The same after `cut_at_forced_pairs`: sums over the pieces, the worst status and tolerance."""
    total = {"status": "optimal", "tolerance": 0.0, "objective": 0.0, "value": 0.0}
    for kind, piece in cut_at_forced_pairs(problem):
        if kind == "forced":
            piece = {"objective": piece, "value": piece}
        else:
            piece = solve_with_peer(piece, solver)
            total["tolerance"] = max(total["tolerance"], piece["tolerance"])
            if piece["status"] != "optimal":
                total["status"] = piece["status"]
        for key in ("objective", "value"):
            known = total[key] is not None and piece[key] is not None
            total[key] = total[key] + piece[key] if known else None
    return total


def judged(entry: dict, bracket: Bracket) -> dict:
    """Adds, for the claimed objective and for the feasible value, whether the bracket confirms it."""
    for key in ("objective", "value"):
        near = entry[key] is not None and distance(entry[key], bracket) <= AGREEMENT
        entry[f"{key}_agrees"] = bool(near)
    return entry


def distance(x: float, bracket: Bracket) -> float:
    """How far x lies outside [lower, upper], relative to max(1, |lower|)."""
    outside = max(bracket.lower - x, x - bracket.upper, 0.0)
    return outside / max(1.0, abs(bracket.lower))


def reference_entry(data: dict, kind: str) -> dict:
    problem = from_dict(data)
    bracket = dual_bracket(problem)
    if not bracket.relative_gap <= BRACKET:  # also refuses NaN and infinity
        raise RuntimeError(f"the dual's bracket is too wide to judge by: {bracket}")
    entry = {
        "kind": kind,
        "layers": problem.layers,
        "states": problem.num_states,
        "pairs": problem.num_pairs,
        "dual": {"upper": bracket.upper, "lower": bracket.lower},
    }
    for solver in PEERS:
        entry[solver] = judged(solve_with_peer(problem, solver), bracket)
        entry[f"{solver}_presolved"] = judged(solve_pieces_with_peer(problem, solver), bracket)
    if np.all(problem.sigma == 0):
        entry["linear_program"] = linear_program_value(problem)
    return entry


def write_values(path: Path, values: dict) -> None:
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(values[name])}" for name in values)
    path.write_text("{\n" + lines + "\n}\n", encoding="utf-8")


def summary(values: dict) -> str:
    """What the README says was seen."""
    lines = []
    for group in ("random", "deep-sea"):
        entries = [v for name, v in values.items() if name.startswith(group)]
        gaps = [(e["dual"]["upper"] - e["dual"]["lower"]) / max(1, abs(e["dual"]["lower"])) for e in entries]
        lines.append(f"{group}: {len(entries)} problems, widest bracket {max(gaps, default=0):.2g}")
        for suffix in ("", "_presolved"):
            for key in ("objective", "value"):
                right = [[e[s + suffix][f"{key}_agrees"] for s in PEERS] for e in entries]
                counts = ", ".join(f"{s} {sum(r[i] for r in right)}" for i, s in enumerate(PEERS))
                lines.append(
                    f"  {suffix[1:] or 'as it is'}, {key} within {AGREEMENT:g} of it: {counts}, "
                    f"both {sum(map(all, right))}, neither {sum(not any(r) for r in right)}"
                )
        for solver in PEERS:
            fine = sum(e[solver]["status"] == "optimal" for e in entries)
            lines.append(f"  {solver}: {fine} ended optimal")
    linear = [e for e in values.values() if "linear_program" in e]
    worst = max(
        (abs(e["linear_program"] - e["dual"]["lower"]) / max(1, abs(e["linear_program"])) for e in linear),
        default=0,
    )
    lines.append(f"linear programs: {len(linear)}; dual against HiGHS, worst {worst:.2g}")
    return "\n".join(lines)


def check(folder: Path) -> int:
    stale = [
        name
        for name, data, _ in all_problems()
        if not (folder / f"{name}.json").exists()
        or (folder / f"{name}.json").read_text(encoding="utf-8") != problem_text(data)
    ]
    print(f"{len(stale)} stored problems differ from the generator", *stale, sep="\n  ")
    return 1 if stale else 0


def generate(folder: Path, only: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    values_path = folder / "values.json"
    stored = json.loads(values_path.read_text(encoding="utf-8")) if values_path.exists() else {}
    values = {}
    for name, data, kind in all_problems():
        if fnmatch(name, only):
            (folder / f"{name}.json").write_text(problem_text(data), encoding="utf-8")
            print(name, kind, file=sys.stderr, flush=True)
            values[name] = reference_entry(data, kind)
        elif name in stored:
            values[name] = stored[name]
    write_values(values_path, values)
    print(summary(values))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="*", metavar="GLOB")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--deep-sea", nargs=4, metavar=("DEPTH", "STAGE", "M", "VARIANCE"))
    parser.add_argument("--out", type=Path, help="file of --deep-sea, or folder (default: agreement)")
    arguments = parser.parse_args()
    if arguments.deep_sea:
        depth, stage, m, variance = arguments.deep_sea
        if stage not in STAGES or variance not in ("literal", "reward") or arguments.out is None:
            parser.error("--deep-sea DEPTH early|middle|late M literal|reward --out FILE")
        text = problem_text(deep_sea_problem(int(depth), stage, int(m), variance))
        arguments.out.write_text(text, encoding="utf-8")
        return 0
    folder = arguments.out or HERE / "agreement"
    if arguments.check:
        return check(folder)
    generate(folder, arguments.only)
    return 0


if __name__ == "__main__":
    sys.exit(main())
