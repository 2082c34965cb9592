"""The solver against HiGHS (SciPy) and Clarabel (CVXPY) on random problems."""

import cvxpy
import numpy as np
import pytest
import scipy.sparse
from scipy.optimize import linprog

import vapor

SHAPES = [(1, 4, 3), (2, 1, 2), (3, 4, 2), (6, 5, 3), (8, 8, 4)]


def flow(problem: vapor.Problem) -> tuple[scipy.sparse.csr_matrix, np.ndarray]:
    """The occupancy polytope, A lambda = b: what leaves a state has arrived there.

    A is (states, pairs).
    """
    layout = problem.layout
    matrix = np.zeros((len(layout.actions), layout.pairs))
    matrix[np.repeat(np.arange(len(layout.actions)), layout.actions), np.arange(layout.pairs)] = 1.0
    for layer in range(layout.layers - 1):
        pairs = slice(*layout.first_pair[layout.first_state[layer : layer + 2]])
        states = slice(*layout.first_state[layer + 1 : layer + 3])
        matrix[states, pairs] -= problem.transitions(layer).T
    arrives = np.zeros(len(layout.actions))
    arrives[: len(problem.initial)] = problem.initial
    return scipy.sparse.csr_matrix(matrix), arrives


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", range(4))
def test_without_sigma_highs_finds_the_same_value(
    shape: tuple[int, int, int], seed: int
) -> None:
    problem = vapor.random_problem(
        *shape, zero_sigma_share=1.0, base_weight=0.3 * (seed % 2), seed=seed
    )
    assert not problem.sigma.flat.any()
    matrix, arrives = flow(problem)
    program = linprog(
        -problem.reward_mean.flat, A_eq=matrix, b_eq=arrives, bounds=(0.0, None), method="highs"
    )
    assert program.status == 0
    solution = vapor.solve(problem, tol=1e-10)
    assert solution.status == "solved"
    assert solution.value == pytest.approx(-program.fun, rel=1e-9, abs=1e-9)
    assert solution.upper_bound >= -program.fun - 1e-9
    # Our occupancy measure lies in HiGHS's polytope.
    assert np.abs(matrix @ solution.occupancy.flat - arrives).max() < 1e-9


def clarabel_value(problem: vapor.Problem) -> float:
    """The concave program as cones: x sqrt(-log x) >= y with -x log x >= t and t x >= y^2.

    The solver's claim is off where lambda is forced to 1 (tests/reference/README.md), so the value
    is that of the policy of its point.
    """
    matrix, arrives = flow(problem)
    sigma = problem.sigma.flat
    noisy = np.flatnonzero(sigma > 0)
    x = cvxpy.Variable(problem.layout.pairs, nonneg=True)
    y, t = cvxpy.Variable(len(noisy)), cvxpy.Variable(len(noisy))
    product = cvxpy.SOC(x[noisy] + t, cvxpy.vstack([2 * y, x[noisy] - t]), axis=0)
    objective = problem.reward_mean.flat @ x + np.sqrt(2.0) * sigma[noisy] @ y
    program = cvxpy.Problem(
        cvxpy.Maximize(objective), [matrix @ x == arrives, cvxpy.entr(x[noisy]) >= t, product]
    )
    program.solve(solver=cvxpy.CLARABEL, tol_gap_abs=1e-9, tol_gap_rel=1e-9, tol_feas=1e-9)
    assert program.status in ("optimal", "optimal_inaccurate")
    point = np.maximum(x.value, 1e-300)
    layout = problem.layout
    by_state = np.add.reduceat(point, layout.first_pair[:-1])
    policy = point / np.repeat(by_state, layout.actions)
    occupancy = problem.occupancy(policy).flat
    entropy = -2.0 * np.log(np.where(occupancy > 0, occupancy, 1.0))
    return float(occupancy @ (problem.reward_mean.flat + sigma * np.sqrt(entropy)))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", range(4))
def test_clarabel_finds_the_same_value(shape: tuple[int, int, int], seed: int) -> None:
    problem = vapor.random_problem(
        *shape,
        base_weight=0.3 * (seed % 2),
        zero_sigma_share=0.25 * (seed // 2),
        sigma_range=(0.1, 2.0),
        seed=seed,
    )
    solution = vapor.solve(problem, tol=1e-9)
    theirs = clarabel_value(problem)
    # Theirs is the value of a feasible point: never above our bound, and as good as ours to 1e-6.
    assert theirs <= solution.upper_bound + 1e-9
    assert solution.value == pytest.approx(theirs, rel=1e-6)
