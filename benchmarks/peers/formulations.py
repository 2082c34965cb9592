"""VAPOR's program for cone solvers, through CVXPY, in two ways.

    maximise  sum_p lambda_p (r_p + sigma_p sqrt(-2 log lambda_p))
    subject to lambda >= 0 and the flow constraints of the layered MDP.

The paper (App. on tabular DeepSea) replaces x sqrt(-log x) by y with -x log x >= y^2 / x. That is
one exponential cone and one second-order cone a pair. `quad_over_lin` is a scalar atom, so a
literal transcription is a Python loop over pairs; here an auxiliary t splits the constraint in two
vector ones, `entr(x) >= t` and `t x >= y^2`, and CVXPY compiles them at once. y >= 0 is implied,
because y enters the objective with a positive weight. Pairs with sigma = 0 have no cones.

`PaperWay`    dense expected transitions, the atoms of the paper, the problem rebuilt at every solve.
`BestEffort`  sparse transitions and one auxiliary variable a layer, z_l = sum_p base_weight_p
              lambda_p, for the rank-one part; the cones stated directly, without the epigraph
              variable that `entr` adds; one Problem, compiled by its first solve.
"""

from __future__ import annotations

import math
import time
import warnings
from dataclasses import dataclass

import cvxpy as cp
import numpy as np
import scipy.sparse as sp

from problem import Problem, repaired, true_value

WAYS = ("paper", "best")
SOLVERS = ("ecos", "clarabel", "scs", "moreau")
DEFAULT_TOLERANCE = {"ecos": 1e-8, "clarabel": 1e-8, "scs": 1e-6, "moreau": 1e-8}


@dataclass
class Outcome:
    """One solve. `value` is that of a feasible point; `objective` is what the solver claims."""

    status: str
    objective: float | None = None
    value: float | None = None
    seconds: float | None = None  # end to end: building (paper's way), compiling, solving
    solver_seconds: float | None = None  # inside the solver, its set-up included
    iterations: int | None = None
    occupancy: np.ndarray | None = None  # feasible: the solver's, repaired


def solver_options(solver: str, tolerance: float | None = None, cap_seconds: float = 600.0) -> dict:
    """Keyword arguments of `Problem.solve`.

    Iteration limits of ECOS (100) and Clarabel (200) stay at their defaults: when they stall short of
    the tolerance, more iterations only add to their time. ECOS knows no time limit.
    """
    tol = DEFAULT_TOLERANCE[solver] if tolerance is None else tolerance
    if solver == "ecos":
        return dict(solver=cp.ECOS, abstol=tol, reltol=tol, feastol=tol)
    if solver == "clarabel":
        return dict(
            solver=cp.CLARABEL,
            tol_gap_abs=tol,
            tol_gap_rel=tol,
            tol_feas=tol,
            time_limit=float(cap_seconds),
        )
    if solver == "moreau":
        return dict(
            solver=cp.MOREAU,
            device="cpu",
            time_limit=float(cap_seconds),
            ipm_settings=dict(tol_gap_abs=tol, tol_gap_rel=tol, tol_feas=tol),
        )
    if solver == "scs":
        return dict(
            solver=cp.SCS,
            eps_abs=tol,
            eps_rel=tol,
            max_iters=1_000_000,
            time_limit_secs=float(cap_seconds),
        )
    raise ValueError(f"solver: must be one of {', '.join(SOLVERS)}, got {solver}")


class PaperWay:
    """The paper's use of CVXPY: everything dense, everything rebuilt for every solve."""

    def __init__(self, problem: Problem):
        self.problem = problem
        # In the paper's setting the dense posterior mean is at hand, so making it is not timed.
        self.transitions = [problem.dense_transition(l) for l in range(problem.layers - 1)]
        self.outflow = []
        for layer in range(problem.layers):
            local = problem.pair_state[problem.pairs(layer)] - problem.state_start[layer]
            columns = np.arange(len(local))
            shape = (problem.states(layer).stop - problem.states(layer).start, len(local))
            self.outflow.append(sp.csr_array((np.ones(len(local)), (local, columns)), shape=shape))

    def _build(self) -> tuple[cp.Problem, cp.Variable]:
        problem = self.problem
        x = cp.Variable(problem.num_pairs, nonneg=True)
        layer_x = [x[problem.pairs(layer)] for layer in range(problem.layers)]
        constraints = [self.outflow[0] @ layer_x[0] == problem.initial]
        for layer, transition in enumerate(self.transitions):
            inflow = transition.T @ layer_x[layer]
            constraints.append(self.outflow[layer + 1] @ layer_x[layer + 1] == inflow)
        objective = problem.reward @ x
        noisy = np.flatnonzero(problem.sigma > 0)
        if len(noisy) > 0:
            y, t = cp.Variable(len(noisy)), cp.Variable(len(noisy))
            x_noisy = x if len(noisy) == problem.num_pairs else x[noisy]
            constraints.append(cp.entr(x_noisy) >= t)
            constraints.append(_product_at_least_square(x_noisy, t, y))
            objective = objective + math.sqrt(2.0) * problem.sigma[noisy] @ y
        return cp.Problem(cp.Maximize(objective), constraints), x

    def solve(self, solver: str, tolerance: float | None = None, cap_seconds: float = 600.0) -> Outcome:
        start = time.perf_counter()
        program, x = self._build()
        return _solve(self.problem, program, x, solver, tolerance, cap_seconds, start)


class BestEffort:
    """Sparse plus rank-one flow, built once; the first `solve` compiles, later ones reuse that."""

    def __init__(self, problem: Problem):
        self.problem = problem
        noisy = np.flatnonzero(problem.sigma > 0)
        certain = np.flatnonzero(problem.sigma == 0)
        x = cp.Variable(problem.num_pairs)
        z_layers = [l for l in range(problem.layers - 1) if problem.base[l] is not None]
        flow, mass, definition = _augmented_flow(problem, z_layers)
        right = np.zeros(problem.num_states)
        right[: len(problem.initial)] = problem.initial
        constraints = []
        if z_layers:
            z = cp.Variable(len(z_layers))
            constraints += [flow @ x - mass @ z == right, definition @ x == z]
        else:
            constraints.append(flow @ x == right)
        objective = problem.reward @ x
        if len(certain) > 0:  # the exponential cone already keeps the others nonnegative
            constraints.append((x if len(noisy) == 0 else x[certain]) >= 0)
        if len(noisy) > 0:
            y, t = cp.Variable(len(noisy)), cp.Variable(len(noisy))
            x_noisy = x if len(certain) == 0 else x[noisy]
            constraints.append(cp.ExpCone(t, x_noisy, cp.Constant(np.ones(len(noisy)))))
            constraints.append(_product_at_least_square(x_noisy, t, y))
            objective = objective + math.sqrt(2.0) * problem.sigma[noisy] @ y
        self.program, self.x = cp.Problem(cp.Maximize(objective), constraints), x

    def solve(self, solver: str, tolerance: float | None = None, cap_seconds: float = 600.0) -> Outcome:
        start = time.perf_counter()
        return _solve(self.problem, self.program, self.x, solver, tolerance, cap_seconds, start)


def formulation(way: str, problem: Problem) -> PaperWay | BestEffort:
    if way not in WAYS:
        raise ValueError(f"way: must be one of {', '.join(WAYS)}, got {way}")
    return PaperWay(problem) if way == "paper" else BestEffort(problem)


def _product_at_least_square(x, t, y) -> cp.SOC:
    """x t >= y^2 with x, t >= 0, elementwise, as |(2 y, x - t)| <= x + t."""
    return cp.SOC(x + t, cp.vstack([2 * y, x - t]), axis=0)


def _augmented_flow(problem: Problem, z_layers: list[int]):
    """Matrices of `flow x - mass z = initial`, `definition x = z` (states x pairs, states x z, z x pairs)."""
    pairs = np.arange(problem.num_pairs)
    shape = (problem.num_states, problem.num_pairs)
    flow = sp.coo_array((np.ones(len(pairs)), (problem.pair_state, pairs)), shape=shape)
    rows, columns, values = [flow.coords[0]], [flow.coords[1]], [flow.data]
    for layer in range(problem.layers - 1):
        block = problem.next[layer].tocoo()
        rows.append(block.coords[1] + problem.state_start[layer + 1])
        columns.append(block.coords[0] + problem.pair_start[layer])
        values.append(-block.data)
    flow = sp.csr_array(
        (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))), shape=shape
    )
    mass = sp.lil_array((problem.num_states, max(1, len(z_layers))))
    definition = sp.lil_array((max(1, len(z_layers)), problem.num_pairs))
    for index, layer in enumerate(z_layers):
        mass[problem.states(layer + 1), [index]] = problem.base[layer][:, None]
        definition[[index], problem.pairs(layer)] = problem.base_weight[layer][None, :]
    return flow, mass.tocsr(), definition.tocsr()


def _solve(problem, program, x, solver, tolerance, cap_seconds, start) -> Outcome:
    """Solve, stop the clock, then judge the answer outside the timing.

    Warm start stays off except for Clarabel, where it means reuse of the symbolic factorisation;
    in SCS and Moreau it would mean starting from the answer of the same problem.
    """
    options = solver_options(solver, tolerance, cap_seconds)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            program.solve(warm_start=solver == "clarabel", **options)
        except cp.error.SolverError as error:
            return Outcome(
                status=f"failed: {str(error).split('.')[0]}", seconds=time.perf_counter() - start
            )
        seconds = time.perf_counter() - start
    stats = program.solver_stats
    # Clarabel's clock keeps the set-up of a reused solver, hence the minimum.
    outcome = Outcome(
        status=program.status,
        seconds=seconds,
        solver_seconds=min((stats.solve_time or 0.0) + (stats.setup_time or 0.0), seconds),
        iterations=None if stats.num_iters is None else int(stats.num_iters),
    )
    if x.value is not None and np.all(np.isfinite(x.value)):
        outcome.objective = float(program.value)
        outcome.occupancy = repaired(problem, x.value)
        outcome.value = true_value(problem, outcome.occupancy)
    return outcome
