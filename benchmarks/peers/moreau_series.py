#!/usr/bin/env python3
"""Times Moreau on several problems of one structure; called by `vapor bench solver`.

    moreau_series.py next FILES...     one after the other, each warm from the answer before
    moreau_series.py batch FILES...    all at once

The programs are those of the best-effort way (formulations.py), compiled by CVXPY once each and
before the clock starts. Their matrices get one pattern, the union of all, so that Moreau's own
`CompiledSolver` analyses it once: what a user would write who knows that the data change and the
structure does not. Standard output is one JSON object: `seconds` (setting the data and solving; a
mean over the problems after the first, or of the whole batch), `solver_seconds` (Moreau's own
clock), `iterations` (mean), `status` (the worst), `value` (of the last problem, made feasible).
"""

from __future__ import annotations

import json
import os
import sys
import time

sys.dont_write_bytecode = True
for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "RAYON_NUM_THREADS"):
    os.environ[variable] = "1"

import cvxpy as cp  # noqa: E402
import moreau  # noqa: E402
import numpy as np  # noqa: E402
import scipy.sparse as sp  # noqa: E402
from cvxpy.reductions.solvers.conic_solvers.moreau_conif import dims_to_solver_cones  # noqa: E402
from formulations import BestEffort  # noqa: E402
from problem import load, repaired, true_value  # noqa: E402

TOLERANCE = 1e-8


class Programs:
    """The data of several programs, their constraint matrices on one pattern."""

    def __init__(self, paths):
        self.problems = [load(path) for path in paths]
        self.forms = [BestEffort(problem) for problem in self.problems]
        # What CVXPY would hand to the solver. Direct cones are Moreau's: taken if they are the same.
        self.chains = [form.program.get_problem_data(cp.MOREAU) for form in self.forms]
        data = [chain[0] for chain in self.chains]
        self.q = np.array([d["c"] for d in data])
        self.b = np.array([d["b"] for d in data])
        self.direct = data[0].get("dir_cones", [])
        matrices = [sp.csr_array(d["A"]) for d in data]
        pattern = sum((abs(sp.csr_array((np.ones(a.nnz), a.indices, a.indptr), a.shape)) for a in matrices))
        pattern = sp.csr_array(pattern)
        pattern.sort_indices()
        self.pattern = pattern
        where = sp.csr_array(
            (np.arange(1, pattern.nnz + 1), pattern.indices, pattern.indptr), pattern.shape
        )
        self.values = np.zeros((len(matrices), pattern.nnz))
        for row, matrix in zip(self.values, matrices, strict=True):
            coordinates = matrix.tocoo().coords
            row[np.asarray(where[coordinates]).ravel() - 1] = matrix.tocoo().data
        self.cones = dims_to_solver_cones(data[0]["dims"])
        self.cones.dir_cones = [
            moreau.DirectConeSpec(kind=c.kind, indices=c.indices, **c.extras) for c in self.direct
        ]

    def solver(self, batch):
        settings = moreau.Settings(device="cpu", batch_size=batch)
        settings.ipm_settings = moreau.IPMSettings(
            tol_gap_abs=TOLERANCE, tol_gap_rel=TOLERANCE, tol_feas=TOLERANCE
        )
        n, m = self.q.shape[1], self.b.shape[1]
        return moreau.CompiledSolver(
            n=n,
            m=m,
            P_row_offsets=np.zeros(n + 1, dtype=np.int64),
            P_col_indices=np.zeros(0, dtype=np.int64),
            A_row_offsets=self.pattern.indptr,
            A_col_indices=self.pattern.indices,
            cones=self.cones,
            settings=settings,
        )

    def value(self, index, x):
        """Of the point that the solver gives, made feasible."""
        first = self.offset(index)
        occupancy = x[first : first + self.forms[index].x.size]
        return true_value(self.problems[index], repaired(self.problems[index], occupancy))

    def offset(self, index):
        """Where the occupancy stands among the variables of the compiled program."""
        for inverse in self.chains[index][2]:
            offsets = getattr(inverse, "var_offsets", None)
            if offsets and self.forms[index].x.id in offsets:
                return offsets[self.forms[index].x.id]
        return 0


def worst(statuses):
    bad = [s for s in statuses if s != "Solved"]
    return bad[0] if bad else "Solved"


def one_after_another(programs):
    solver = programs.solver(1)
    warm = None
    seconds, own, iterations, statuses = [], [], [], []
    for i in range(len(programs.problems)):
        begin = time.perf_counter()
        solver.setup(np.zeros((1, 0)), programs.values[i : i + 1])
        solution = solver.solve(programs.q[i : i + 1], programs.b[i : i + 1], warm_start=warm)
        taken = time.perf_counter() - begin
        info = solver.info
        statuses.append(str(getattr(info.status[0], "name", info.status[0])))
        warm = solution.to_warm_start()
        if i == 0:
            continue  # nothing to be warm from
        seconds.append(taken)
        own.append(float(info.solve_time) + float(info.setup_time))
        iterations.append(float(np.mean(info.iterations)))
    last = len(programs.problems) - 1
    return {
        "seconds": float(np.mean(seconds)),
        "solver_seconds": float(np.mean(own)),
        "iterations": float(np.mean(iterations)),
        "status": worst(statuses),
        "value": programs.value(last, np.asarray(solution.x)[0]),
    }


def all_at_once(programs):
    count = len(programs.problems)
    solver = programs.solver(count)
    best = None
    for _ in range(2):  # the first may look for the fastest configuration
        begin = time.perf_counter()
        solver.setup(np.zeros((count, 0)), programs.values)
        solution = solver.solve(programs.q, programs.b)
        taken = time.perf_counter() - begin
        info = solver.info
        row = {
            "seconds": taken,
            "solver_seconds": float(info.solve_time) + float(info.setup_time),
            "iterations": float(np.mean(info.iterations)),
            "status": worst([str(getattr(s, "name", s)) for s in info.status]),
            "value": programs.value(count - 1, np.asarray(solution.x)[-1]),
        }
        best = row if best is None or row["seconds"] < best["seconds"] else best
    return best


def main() -> int:
    if len(sys.argv) < 4 or sys.argv[1] not in ("next", "batch"):
        print(__doc__, file=sys.stderr)
        return 2
    programs = Programs(sys.argv[2:])
    row = one_after_another(programs) if sys.argv[1] == "next" else all_at_once(programs)
    print(json.dumps({"rows": [row]}, allow_nan=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
