"""Derivatives of the optimum on arrays."""

import numpy as np
import pytest

import vapor


def two_arms(first: float) -> vapor.Problem:
    return vapor.Problem([[[first, 0.0]]], [[[1.0, 0.5]]])


def test_forward_agrees_with_a_difference_of_optima() -> None:
    found = vapor.differentiate(two_arms(0.3), vapor.solve(two_arms(0.3)))
    assert found.status == "smooth"
    change = found.forward(reward_mean=[[[1.0, 0.0]]])
    step = 1e-5
    ends = [
        vapor.differentiate(two_arms(r), vapor.solve(two_arms(r))) for r in (0.3 + step, 0.3 - step)
    ]
    slope = (ends[0].occupancy.flat - ends[1].occupancy.flat) / (2 * step)
    assert change.occupancy is not None
    assert change.occupancy.flat == pytest.approx(slope, rel=1e-7)
    assert change.value == pytest.approx(found.occupancy.flat[0], rel=1e-12)


def test_adjoint_is_the_transpose_of_forward() -> None:
    problem = vapor.random_problem(4, 3, 2, base_weight=0.1, seed=5)
    found = vapor.differentiate(problem, vapor.solve(problem))
    random = np.random.default_rng(1)
    pairs = problem.layout.pairs
    direction = {
        "reward_mean": random.normal(size=pairs),
        "sigma": random.normal(size=pairs),
        "probability": random.normal(size=len(problem.tables[7])),
        "initial": random.normal(size=3),
    }
    change = found.forward(**direction)
    cotangent = random.normal(size=pairs)
    gradient = found.adjoint(value=2.0, policy=cotangent)
    assert change.policy is not None
    forward = 2.0 * change.value + cotangent @ change.policy.flat
    adjoint = (
        gradient.reward_mean.flat @ direction["reward_mean"]
        + gradient.sigma.flat @ direction["sigma"]
        + gradient.probability @ direction["probability"]
        + gradient.initial @ direction["initial"]
    )
    assert forward == pytest.approx(adjoint, rel=1e-9)


def test_a_tie_has_a_status_and_a_derivative_of_the_value_alone() -> None:
    problem = vapor.Problem([[[1.0, 1.0]]], [[[0.0, 0.0]]])
    found = vapor.differentiate(problem, vapor.solve(problem))
    assert found.status == "ties"
    assert found.forward(reward_mean=[[[1.0, 0.0]]]).occupancy is None
    assert found.adjoint(value=1.0).reward_mean.flat.tolist() == [1.0, 0.0]
    with pytest.raises(vapor.InputError, match="ties"):
        found.adjoint(policy=[[[1.0, 0.0]]])


def test_many_problems_on_threads_are_the_same_as_one_by_one() -> None:
    problems = [vapor.random_problem(3, 3, 2, seed=seed) for seed in range(1, 9)]
    solutions = vapor.solve_many(problems)
    for problem, solution, found in zip(
        problems, solutions, vapor.differentiate_many(problems, solutions), strict=True
    ):
        alone = vapor.differentiate(problem, solution).adjoint(value=1.0)
        assert found.adjoint(value=1.0).sigma.flat.tolist() == alone.sigma.flat.tolist()


def test_bad_tables_are_named() -> None:
    problem = two_arms(0.3)
    found = vapor.differentiate(problem, vapor.solve(problem))
    with pytest.raises(vapor.InputError, match="reward_mean"):
        found.forward(reward_mean=np.ones(3))
    with pytest.raises(vapor.InputError, match="initial"):
        found.forward(initial=np.ones(2))
    other = vapor.random_problem(2, 2, 2)
    with pytest.raises(vapor.InputError, match="solution"):
        vapor.differentiate(other, vapor.solve(problem))
