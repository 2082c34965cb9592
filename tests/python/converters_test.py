"""Problems from the arrays of toolboxes, against value iteration by hand."""

from typing import Any

import gymnasium
import numpy as np
import pytest
import scipy.sparse

import vapor
from vapor import converters


def random_mdp(states: int, actions: int, seed: int) -> tuple[Any, Any]:
    """P and R as pymdptoolbox has them, (actions, states, states) both."""
    random = np.random.default_rng(seed)
    P = random.random((actions, states, states)) * (random.random((actions, states, states)) < 0.6)
    P[:, :, 0] += 0.1
    return P / P.sum(axis=2, keepdims=True), random.normal(size=(actions, states, states))


def value_iteration(P: Any, reward: Any, horizon: int, initial: Any) -> float:
    """``reward`` is (states, actions)."""
    V = np.zeros(P.shape[1])
    for _ in range(horizon):
        V = np.max([reward[:, a] + P[a] @ V for a in range(len(P))], axis=0)
    return float(initial @ V)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("form", ["states", "pairs", "transitions", "list"])
def test_arrays_of_pymdptoolbox_give_the_values_of_value_iteration(
    seed: int, sparse: bool, form: str
) -> None:
    states, actions, horizon = 5, 3, 6
    P, R = random_mdp(states, actions, seed)
    mean = (P * R).sum(axis=2).T
    rewards: Any = {
        "states": mean[:, 0],
        "pairs": mean,
        "transitions": R,
        "list": [scipy.sparse.csr_matrix(matrix) for matrix in R],
    }[form]
    if form == "states":
        mean = np.repeat(mean[:, :1], actions, axis=1)
    transitions = [scipy.sparse.csr_matrix(matrix) for matrix in P] if sparse else P
    initial = np.full(states, 1 / states)
    problem = converters.from_toolbox(transitions, rewards, horizon=horizon, initial=initial)
    assert problem.layout.layers == horizon
    wanted = value_iteration(P, mean, horizon, initial)
    assert problem.optimal_value() == pytest.approx(wanted, rel=1e-12)
    assert vapor.solve(problem).value == pytest.approx(wanted, rel=1e-8)


def test_an_object_array_of_matrices_is_a_list_of_them() -> None:
    P, R = random_mdp(4, 2, 1)
    matrices = np.empty(2, dtype=object)
    matrices[:] = [scipy.sparse.csr_matrix(matrix) for matrix in P]
    one = converters.from_toolbox(matrices, R, horizon=3, initial=1)
    two = converters.from_toolbox(P, R, horizon=3, initial=[0.0, 1.0, 0.0, 0.0])
    assert one.optimal_value() == pytest.approx(two.optimal_value(), rel=1e-14)


# The forest of pymdptoolbox's documentation: wait or cut, three ages, fire with probability 0.1.
FOREST_P = np.array(
    [
        [[0.1, 0.9, 0.0], [0.1, 0.0, 0.9], [0.1, 0.0, 0.9]],
        [[1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]],
    ]
)
FOREST_R = np.array([[0.0, 0.0], [0.0, 1.0], [4.0, 2.0]])


def test_the_forest_by_hand() -> None:
    # From age 2, two steps: wait pays 4, then with 0.9 waits again for 4, else age 0 pays 0.
    problem = converters.from_toolbox(FOREST_P, FOREST_R, horizon=2, initial=2)
    assert problem.optimal_value() == pytest.approx(4.0 + 0.9 * 4.0)
    # From age 0 in three steps: wait to age 1, there wait for 0.9 * 4 rather than cut for 1. If the
    # first wait ends in fire, wait once more and cut at age 1.
    problem = converters.from_toolbox(FOREST_P, FOREST_R, horizon=3, initial=0)
    assert problem.optimal_value() == pytest.approx(0.9 * (0.9 * 4.0) + 0.1 * (0.9 * 1.0))


def test_sigma_is_a_number_or_a_table() -> None:
    problem = converters.from_toolbox(FOREST_P, FOREST_R, horizon=2, initial=0, sigma=0.5)
    assert set(problem.sigma.flat) == {0.5}
    table = np.arange(6.0).reshape(3, 2)
    problem = converters.from_toolbox(FOREST_P, FOREST_R, horizon=2, initial=0, sigma=table)
    assert np.array_equal(problem.sigma[1], table)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (dict(transitions=[]), "transitions: has no actions"),
        (dict(transitions=FOREST_P[:, :, :2]), r"transitions\[0\]: must have shape \(3, 3\)"),
        (dict(transitions=FOREST_P * 2), "transitions"),
        (dict(rewards=np.zeros((2, 3))), r"rewards: must have shape \(3,\), \(3, 2\) or"),
        (dict(rewards=np.zeros((1, 3, 3))), "rewards: has 1 actions, transitions has 2"),
        (dict(rewards=np.full((3, 2), np.nan)), r"rewards\[0, 0\]: must be finite"),
        (dict(sigma=np.zeros((2, 3))), r"sigma: must be a number or have shape \(3, 2\)"),
        (dict(sigma=-1.0), "sigma"),
        (dict(initial=3), "initial: there is no state 3"),
        (dict(initial=None), "initial: is needed"),
        (dict(horizon=0), "horizon: must be in 1.."),
    ],
)
def test_what_is_wrong_is_named(arguments: dict[str, Any], message: str) -> None:
    good: dict[str, Any] = dict(transitions=FOREST_P, rewards=FOREST_R, horizon=3, initial=0)
    with pytest.raises(vapor.InputError, match=message):
        converters.from_toolbox(**{**good, **arguments})


def value_of_table(env: Any, horizon: int) -> float:
    """Backward induction over Gymnasium's own table; after the end nothing is paid."""
    table = env.unwrapped.P
    V = np.zeros(len(table))
    for _ in range(horizon):
        V = np.array(
            [
                max(
                    sum(p * (r + (0.0 if end else V[s])) for p, s, r, end in table[state][action])
                    for action in table[state]
                )
                for state in range(len(table))
            ]
        )
    return float(env.unwrapped.initial_state_distrib @ V)


@pytest.mark.parametrize(
    ("name", "settings", "horizon"),
    [
        ("FrozenLake-v1", {"is_slippery": True}, 20),
        ("FrozenLake-v1", {"is_slippery": False, "map_name": "8x8"}, 15),
        ("CliffWalking-v1", {}, 15),
    ],
)
def test_toy_text_gives_the_values_of_its_table(
    name: str, settings: dict[str, Any], horizon: int
) -> None:
    env = gymnasium.make(name, **settings)
    problem = converters.from_toy_text(env, horizon=horizon, sigma=0.3)
    assert problem.optimal_value() == pytest.approx(value_of_table(env, horizon), rel=1e-12)
    # The end pays nothing for certain.
    assert not problem.sigma[0][-1].any()
    assert set(problem.sigma[0][:-1].ravel()) == {0.3}
    table = dict(getattr(env.unwrapped, "P"))
    again = converters.from_toy_text(table, horizon=horizon, initial=0, sigma=0.3)
    if name == "FrozenLake-v1":
        assert again.optimal_value() == problem.optimal_value()


def test_environments_without_a_table_are_refused() -> None:
    with pytest.raises(vapor.InputError, match="environment: has no table P"):
        converters.from_toy_text(gymnasium.make("CartPole-v1"), horizon=3)
    with pytest.raises(vapor.InputError, match=r"P\[0\]\[0\]: must be a list of"):
        converters.from_toy_text({0: {0: [(1.0, 0)]}}, horizon=3, initial=0)
    with pytest.raises(vapor.InputError, match=r"P\[0\]\[0\]: leads to state 1; there are 1"):
        converters.from_toy_text({0: {0: [(1.0, 1, 0.0, False)]}}, horizon=3, initial=0)


def test_every_state_of_a_toy_text_has_the_same_actions() -> None:
    step = [(1.0, 0, 1.0, False)]
    with pytest.raises(vapor.InputError, match=r"P\[1\]: must have 1 actions"):
        vapor.converters.from_toy_text({0: {0: step}, 1: {0: step, 1: step}}, horizon=2)
    with pytest.raises(vapor.InputError, match="P: must have the states"):
        vapor.converters.from_toy_text({}, horizon=2)
