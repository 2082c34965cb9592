"""Discounted problems and models of other tools, from Python."""

import pickle
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from vapor.umb import UmbModel

import vapor
from vapor import converters

GAMMA = 0.9


def arrays(seed: int, states: int = 6, actions: int = 3) -> tuple[Any, Any, Any]:
    random = np.random.default_rng(seed)
    P = random.dirichlet(np.ones(states), size=(states, actions))
    return random.normal(size=(states, actions)), random.random((states, actions)), P


def value_iteration(P: Any, reward: Any, initial: Any) -> float:
    """The mean over time of the best policy: (1 - gamma) times its discounted return."""
    V = np.zeros(len(P))
    for _ in range(1000):
        V = np.max(reward + GAMMA * P @ V, axis=1)
    return float((1 - GAMMA) * initial @ V)


@pytest.mark.parametrize("seed", range(3))
def test_without_sigma_it_is_value_iteration(seed: int) -> None:
    reward, _, P = arrays(seed)
    start = np.full(len(P), 1 / len(P))
    problem = vapor.Problem.discounted(reward, 0.0, P, GAMMA, start)
    wanted = value_iteration(P, reward, start)
    solution = vapor.solve(problem)
    assert solution.status == "solved"
    assert solution.value == pytest.approx(wanted, abs=1e-12)
    assert problem.optimal_value() == pytest.approx(wanted, abs=1e-12)
    assert solution.discounted_return == pytest.approx(wanted / (1 - GAMMA), abs=1e-11)


def test_dense_and_sparse_transitions_are_one_problem() -> None:
    reward, sigma, P = arrays(4)
    dense = vapor.Problem.discounted(reward, sigma, P, GAMMA)
    rows = scipy.sparse.csr_matrix(P.reshape(-1, len(P)))
    sparse = vapor.Problem.discounted(reward, sigma, rows, GAMMA)
    assert vapor.solve(dense).value == vapor.solve(sparse).value
    assert dense.transitions(0) == pytest.approx(P.reshape(-1, len(P)), abs=1e-15)


def test_the_occupancy_is_a_normalised_flow() -> None:
    reward, sigma, P = arrays(5)
    problem = vapor.Problem.discounted(reward, sigma, P, GAMMA, 2)
    solution = vapor.solve(problem)
    measure = solution.occupancy[0]
    assert measure.sum() == pytest.approx(1.0, abs=1e-13)
    inflow = GAMMA * np.einsum("sa,sat->t", measure, P)
    inflow[2] += 1 - GAMMA
    assert measure.sum(axis=1) == pytest.approx(inflow, abs=1e-14)
    assert problem.occupancy(solution.policy)[0] == pytest.approx(measure, abs=1e-12)


def test_it_survives_files_pickling_and_constraints(tmp_path: Path) -> None:
    reward, sigma, P = arrays(6)
    budget = vapor.Constraint("budget", lambda state, action: float(action == 0), "<=", 0.1)
    problem = vapor.Problem.discounted(reward, sigma, P, GAMMA, constraints=[budget])
    solution = vapor.solve(problem)
    assert solution.constraints[0].used <= 0.1
    assert "discount 0.9" in repr(problem)
    for name in ("problem.json", "problem.npz"):
        problem.write(tmp_path / name)
        again = vapor.Problem.read(tmp_path / name)
        assert again.discount == GAMMA
        assert vapor.solve(again).value == solution.value
    assert vapor.solve(pickle.loads(pickle.dumps(problem))).value == solution.value
    assert pickle.loads(pickle.dumps(solution)).discount == GAMMA


@pytest.mark.parametrize("discount", [0.0, 1.0, 1.5, float("nan")])
def test_a_discount_is_between_0_and_1(discount: float) -> None:
    reward, sigma, P = arrays(7)
    with pytest.raises(vapor.InputError, match=r"^discount: "):
        vapor.Problem.discounted(reward, sigma, P, discount)


def test_converters_take_a_horizon_or_a_discount() -> None:
    reward, _, P = arrays(8)
    by_action = P.transpose(1, 0, 2)
    problem = converters.from_toolbox(by_action, reward, discount=GAMMA, initial=0)
    start = np.eye(len(P))[0]
    assert problem.optimal_value() == pytest.approx(value_iteration(P, reward, start), abs=1e-12)
    with pytest.raises(vapor.InputError, match="horizon: is needed, or a discount, and not both"):
        converters.from_toolbox(by_action, reward, initial=0)


DRN = """@type: MDP
@reward_models
gold
@nr_states
2
@model
state 0 init
\taction dig [1]
\t\t0 : 0.5
\t\t1 : 0.5
state 1
\taction rest [0]
\t\t1 : 1
"""


def test_a_model_of_storm_is_read(tmp_path: Path) -> None:
    path = tmp_path / "mine.drn"
    path.write_text(DRN)
    layered = converters.read_drn(path, horizon=3)
    assert layered.optimal_value() == pytest.approx(1.75)
    discounted = converters.read_drn(path, reward="gold", discount=0.5, sigma=0.25)
    # A return of 1 / (1 - 0.25), and nothing is uncertain where nothing is paid.
    assert discounted.optimal_value() == pytest.approx(0.5 / 0.75)
    assert discounted.sigma[0].ravel().tolist() == [0.25, 0.0]
    path.write_text(DRN.replace("1 : 0.5", "1 : 0.4"))
    with pytest.raises(vapor.InputError, match=r"mine\.drn: line 8: probabilities of an action"):
        converters.read_drn(path, horizon=3)


def annotation(**values: Any) -> SimpleNamespace:
    fields = {f"has_{kind}_values": False for kind in ("state", "choice", "branch")}
    for kind, table in values.items():
        fields[f"has_{kind}_values"] = True
        fields[f"{kind}_values"] = table
    return SimpleNamespace(**fields)


def transition_system(branches: list[list[list[tuple[int, Any]]]], **rewards: Any) -> Any:
    """As umbi reads one: by state and choice a list of targets and probabilities."""
    states: list[list[Any]] = []
    index = 0
    for of_state in branches:
        states.append([])
        for targets in of_state:
            of_choice = [SimpleNamespace(target=t, prob=p) for t, p in targets]
            states[-1].append(SimpleNamespace(index=index, branches=of_choice))
            index += 1
    return SimpleNamespace(
        states=range(len(states)),
        get_state_choices=lambda state: states[state],
        initial_states=[0],
        reward_annotation_names=list(rewards),
        get_reward_annotation=lambda name: rewards[name],
    )


def test_rewards_of_umb_add_up_over_states_choices_and_branches() -> None:
    system = transition_system(
        [[[(0, Fraction(1, 2)), (1, Fraction(1, 2))], [(1, None)]], [[(1, None)]]],
        gold=annotation(state=[1, 0], choice=[2, 3, 0], branch=[4, 8, 1, 0]),
    )
    model = UmbModel("mine.umb", system)
    assert model.reward("").tolist() == [9.0, 5.0, 0.0]
    assert model.transitions.toarray().tolist() == [[0.5, 0.5], [0.0, 1.0], [0.0, 1.0]]
    assert model.pairs_of_ends(model.reward("gold")).tolist() == [False, False, True]
    with pytest.raises(vapor.InputError, match="reward: there is no 'iron'; the model has gold"):
        model.reward("iron")


def test_a_broken_row_of_umb_is_named() -> None:
    with pytest.raises(vapor.InputError, match=r"mine\.umb: state 1, choice 0: probabilities must"):
        UmbModel("mine.umb", transition_system([[[(1, 1.0)]], [[(0, 0.5), (1, 0.25)]]]))
