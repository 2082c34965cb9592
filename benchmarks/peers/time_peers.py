#!/usr/bin/env python3
"""Times cone solvers on problem files; called by `vapor bench solver`.

    time_peers.py FILES... --json [--ways paper,best] [--solvers ecos,clarabel,scs,moreau]
                  [--repeat N] [--cap-seconds S]

Standard output is one JSON object, progress goes to standard error. A row a (file, way, solver):
`status`, `value` (of the solver's point made feasible), `objective` (what the solver claims),
`seconds` (median over the repeats, end to end), `solver_seconds` (median, inside the solver),
`first_seconds` (with compilation), `iterations`, `solves`. In the paper's way every solve is built
and compiled anew; in the best-effort way the first solve compiles and is left out of the median.

Each row runs in a process of its own, so that a crash, an endless solve (ECOS has no time limit) or
memory run wild ends that row only. Its status is then "failed: ...".
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import os
import statistics
import sys
import time

sys.dont_write_bytecode = True  # leave no __pycache__ in the source tree
for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "RAYON_NUM_THREADS"):
    os.environ[variable] = "1"  # one core each, ours and theirs

from formulations import DEFAULT_TOLERANCE, SOLVERS, WAYS, formulation  # noqa: E402
from problem import from_dict, load  # noqa: E402

VERSION_MODULES = ("cvxpy", "ecos", "clarabel", "scs", "moreau", "numpy", "scipy")


def measure(connection, path, way, solver, repeat, cap_seconds) -> None:
    """In the child: sends one dictionary a solve, then None."""
    try:
        program = formulation(way, load(path))
        for _ in range(repeat + (way == "best")):
            outcome = program.solve(solver, cap_seconds=cap_seconds)
            row = vars(outcome).copy()
            del row["occupancy"]
            connection.send(row)
            if outcome.status.startswith("failed"):
                break
        connection.send(None)
    except Exception as error:  # any error of a peer is a row, never a crash
        text = " ".join(str(error).split())[:200]
        connection.send({"status": f"failed: {type(error).__name__}: {text}"})
        connection.send(None)


def solves_of(path, way, solver, repeat, cap_seconds) -> tuple[list[dict], str | None]:
    """All solves that came back, and why the process ended early if it did."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=measure, args=(sender, path, way, solver, repeat, cap_seconds))
    child.start()
    sender.close()
    # The cap is the solver's; building and compiling come on top, so the kill waits longer.
    patience = 2 * cap_seconds + 10
    solves, failure = [], None
    try:
        while True:
            if not receiver.poll(patience):
                failure = f"failed: over the cap of {cap_seconds:g} seconds"
                break
            message = receiver.recv()
            if message is None:
                break
            solves.append(message)
    except EOFError:
        child.join()
        failure = f"failed: the solver's process ended with code {child.exitcode}"
    if child.is_alive():
        child.kill() if failure else child.join()
    child.join()
    return solves, failure


def row_of(path, way, solver, repeat, cap_seconds) -> dict:
    solves, failure = solves_of(path, way, solver, repeat, cap_seconds)
    failed = [s["status"] for s in solves if s["status"].startswith("failed")]
    good = [s for s in solves if not s["status"].startswith("failed")]
    row = {"file": path, "way": way, "solver": solver, "tolerance": DEFAULT_TOLERANCE[solver]}
    timed = good[1:] if way == "best" else good
    if failure or failed or not timed:
        row["status"] = failure or (failed[0] if failed else "failed: no solve ended")
    else:
        row["status"] = timed[-1]["status"]

    def median(key):
        known = [s[key] for s in timed if s[key] is not None]
        return statistics.median(known) if known else None

    def finite(number):
        return number if number is not None and math.isfinite(number) else None

    last = timed[-1] if timed else {}
    return row | {
        "value": finite(last.get("value")),
        "objective": finite(last.get("objective")),
        "seconds": median("seconds"),
        "solver_seconds": median("solver_seconds"),
        "first_seconds": good[0]["seconds"] if good else None,
        "iterations": last.get("iterations"),
        "solves": len(timed),
    }


def warm_up() -> None:
    """Solve a small problem every way, so no row pays for imports. Children are forks of this."""
    tiny = from_dict(
        {
            "format": "vapor-problem",
            "version": 1,
            "initial": [1.0],
            "layers": [{"reward_mean": [[0.0, 0.1]], "sigma": [[1.0, 0.5]]}],
        }
    )
    for way in WAYS:
        for solver in SOLVERS:
            formulation(way, tiny).solve(solver, cap_seconds=5.0)


def choice_list(allowed):
    def parse(text):
        names = text.split(",")
        for name in names:
            if name not in allowed:
                raise argparse.ArgumentTypeError(f"must be among {','.join(allowed)}, got {name}")
        return names

    return parse


def positive(kind):
    def parse(text):
        number = kind(text)
        if not number > 0:
            raise argparse.ArgumentTypeError(f"must be positive, got {text}")
        return number

    return parse


def versions() -> dict:
    from importlib.metadata import version

    return {name: version(name) for name in VERSION_MODULES}


def print_table(rows) -> None:
    print(f"{'seconds':>9} {'in solver':>9} {'iter':>5} {'value':>18}  way   solver    status, file")
    for r in rows:
        numbers = [
            "-" if r[k] is None else format(r[k], f)
            for k, f in (("seconds", ".4f"), ("solver_seconds", ".4f"), ("iterations", "d"), ("value", ".10g"))
        ]
        print(
            f"{numbers[0]:>9} {numbers[1]:>9} {numbers[2]:>5} {numbers[3]:>18}  "
            f"{r['way']:<5} {r['solver']:<9} {r['status']}, {r['file']}"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    parser.add_argument("--ways", type=choice_list(WAYS), default=list(WAYS))
    parser.add_argument("--solvers", type=choice_list(SOLVERS), default=list(SOLVERS))
    parser.add_argument("--repeat", type=positive(int), default=3)
    parser.add_argument("--cap-seconds", type=positive(float), default=60.0)
    arguments = parser.parse_args()
    warm_up()
    rows = []
    for path in arguments.files:
        for way in arguments.ways:
            for solver in arguments.solvers:
                start = time.perf_counter()
                rows.append(row_of(path, way, solver, arguments.repeat, arguments.cap_seconds))
                elapsed = time.perf_counter() - start
                status = rows[-1]["status"]
                print(f"{path} {way} {solver}: {status} ({elapsed:.1f} s)", file=sys.stderr, flush=True)
    if arguments.json:
        print(json.dumps({"versions": versions(), "rows": rows}, allow_nan=False))
    else:
        print_table(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
