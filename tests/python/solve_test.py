"""Solving from Python: the answer, its certificate, and what a call does not do."""

import pickle

import numpy as np
import pytest

import vapor


def test_a_bandit_is_solved_to_the_tolerance() -> None:
    problem = vapor.Problem(reward_mean=[[[1.0, 0.5]]], sigma=[[[0.1, 1.0]]])
    solution = vapor.solve(problem)
    assert solution.status == "solved"
    assert solution.relative_gap <= 1e-9
    occupancy = solution.occupancy[0]
    assert occupancy.shape == (1, 2)
    assert occupancy.sum() == pytest.approx(1.0)
    # The value recomputed from the definition of the program.
    bonus = np.array([0.1, 1.0]) * np.sqrt(-2 * np.log(occupancy[0]))
    assert solution.value == pytest.approx(float(occupancy[0] @ (np.array([1.0, 0.5]) + bonus)))


def test_a_warm_start_needs_fewer_iterations() -> None:
    problem = vapor.random_problem(layers=20, seed=3)
    cold = vapor.solve(problem)
    warm = vapor.solve(problem, warm_start=cold)
    assert warm.iterations < cold.iterations
    assert warm.value == pytest.approx(cold.value, rel=2e-9)
    by_policy = vapor.solve(problem, warm_start=np.asarray(cold.policy))
    assert by_policy.iterations <= cold.iterations
    again = vapor.solve(problem, warm_start=pickle.loads(pickle.dumps(cold)))
    assert again.iterations == warm.iterations


def test_many_problems_equal_one_by_one() -> None:
    problems = [vapor.random_problem(seed=seed) for seed in range(8)]
    together = vapor.solve_many(problems, threads=2)
    for problem, solution in zip(problems, together, strict=True):
        assert np.array_equal(solution.policy.flat, vapor.solve(problem).policy.flat)


def test_progress_sees_the_bounds_and_can_stop() -> None:
    problem = vapor.random_problem(layers=20, seed=3)
    seen: list[vapor.Progress] = []

    def stop_at_two(progress: vapor.Progress) -> bool:
        seen.append(progress)
        return progress.iteration < 2

    solution = vapor.solve(problem, progress=stop_at_two)
    assert solution.status == "interrupted"
    assert seen[-1].iteration == 2
    assert solution.value <= vapor.solve(problem).value <= solution.upper_bound


def test_an_exception_of_progress_arrives() -> None:
    def fail(_: vapor.Progress) -> None:
        raise LookupError("from the user's function")

    with pytest.raises(LookupError, match="from the user's function"):
        vapor.solve(vapor.random_problem(), progress=fail)


def test_problems_and_solutions_are_pickled_to_the_same_bits() -> None:
    problem = vapor.random_problem(base_weight=0.3, seed=5)
    again = pickle.loads(pickle.dumps(problem))
    for mine, theirs in zip(problem.tables, again.tables, strict=True):
        assert np.array_equal(mine, theirs)
    solution = vapor.solve(problem)
    copy = pickle.loads(pickle.dumps(solution))
    assert copy.value == solution.value
    assert np.array_equal(copy.temperature.flat, solution.temperature.flat)
    assert np.array_equal(vapor.solve(again).policy.flat, solution.policy.flat)


def test_limits_of_time_and_memory() -> None:
    problem = vapor.random_problem(layers=10, states=10, seed=3)
    whole = vapor.solve(problem)
    cut = vapor.solve(problem, tol=1e-12, max_seconds=1e-9)
    assert cut.status == "time_limit"
    assert cut.value <= whole.upper_bound
    assert cut.upper_bound >= whole.value
    _, inner = vapor.solve_equal_temperature(problem, max_seconds=1e-9)
    assert inner.status == "time_limit"
    with pytest.raises(vapor.InputError, match=r"max_memory: .* takes about .*B, and 1 kB are"):
        vapor.solve(problem, max_memory=1000)
    with pytest.raises(vapor.InputError, match="max_memory: must be > 0"):
        vapor.solve(problem, max_memory=0)
    assert vapor.solve(problem, max_memory=1e9).value == whole.value
