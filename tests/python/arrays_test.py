"""What arrays may be: anything with real numbers of the right shape, and nothing else."""

import re
import threading
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import vapor

REWARD = np.array([[[0.5, 0.1], [0.2, 0.3]], [[1.0, 0.0], [0.4, 0.6]]])  # layers, states, actions
SIGMA = np.full((2, 2, 2), 0.5)
STEP = np.array([[[0.5, 0.5], [1.0, 0.0]], [[0.0, 1.0], [0.25, 0.75]]])
START = np.array([0.5, 0.5])


def problem(**changed: Any) -> vapor.Problem:
    tables: dict[str, Any] = {
        "reward_mean": REWARD,
        "sigma": SIGMA,
        "transitions": [STEP],
        "initial": START,
    }
    return vapor.Problem(**(tables | changed))


def expect_refused(place: str, message: str, **changed: Any) -> None:
    with pytest.raises(vapor.InputError, match=re.escape(message)) as error:
        problem(**changed)
    assert error.value.place == place


@pytest.mark.parametrize(
    "reward",
    [
        REWARD.astype(np.float32),
        np.asfortranarray(REWARD),
        REWARD[:, ::-1][:, ::-1],  # strides that are not those of C
        REWARD.astype(">f8"),  # the other byte order
        REWARD.tolist(),
        [np.matrix(layer) for layer in REWARD],  # a subclass
        REWARD.view(type("Mine", (np.ndarray,), {})),
    ],
)
def test_any_real_array_is_the_same_problem(reward: Any) -> None:
    plain = problem()
    other = problem(reward_mean=reward)
    assert other.reward_mean.flat == pytest.approx(plain.reward_mean.flat, rel=1e-6)
    assert vapor.solve(other).value == pytest.approx(vapor.solve(plain).value, rel=1e-6)


def test_whole_numbers_are_numbers() -> None:
    assert problem(reward_mean=np.ones((2, 2, 2), dtype=np.int8)).reward_mean.flat.sum() == 8.0


def test_sparse_transitions_equal_dense_ones() -> None:
    dense = problem()
    for make in (scipy.sparse.csr_matrix, scipy.sparse.coo_array, scipy.sparse.csc_matrix):
        sparse = problem(transitions=[make(STEP.reshape(4, 2))])
        assert np.array_equal(sparse.transitions(0), dense.transitions(0))


def test_layers_may_differ_and_so_may_the_actions_of_states() -> None:
    ragged = vapor.Problem(
        reward_mean=[[[1.0, 2.0]], [[3.0], [4.0, 5.0]]],
        sigma=[[[0.1, 0.1]], [[0.1], [0.1, 0.1]]],
        transitions=[[[[1.0, 0.0], [0.0, 1.0]]]],
    )
    assert ragged.reward_mean.flat.tolist() == [1.0, 2.0, 3.0, 4.0, 5.0]
    last = ragged.reward_mean[1]
    assert last.shape == (2, 2)
    assert np.isnan(last[0, 1])
    assert vapor.solve(ragged).policy[1][1].sum() == pytest.approx(1.0)


def test_the_arrays_of_a_caller_are_copied() -> None:
    reward = REWARD.copy()
    mine = problem(reward_mean=reward)
    reward[:] = np.nan
    assert np.array_equal(np.array(mine.reward_mean), REWARD)


def test_an_array_that_changes_during_calls_is_harmless() -> None:
    reward = REWARD.copy()
    stop = threading.Event()

    def change() -> None:
        while not stop.is_set():
            reward[:] = np.random.default_rng().normal(size=reward.shape)

    writer = threading.Thread(target=change)
    writer.start()
    try:
        for _ in range(200):
            assert vapor.solve(problem(reward_mean=reward)).status == "solved"
    finally:
        stop.set()
        writer.join()


def test_what_is_read_cannot_be_changed() -> None:
    solution = vapor.solve(problem())
    with pytest.raises(ValueError, match="read-only"):
        solution.policy[0][0, 0] = 1.0
    with pytest.raises(ValueError, match="read-only"):
        problem().sigma.flat[0] = 1.0
    with pytest.raises(ValueError, match="read-only"):
        problem().initial[0] = 1.0


def test_bad_dtypes_are_refused() -> None:
    expect_refused(
        "reward_mean[0]",
        "reward_mean[0]: must be real numbers, got dtype complex128",
        reward_mean=REWARD.astype(complex),
    )
    expect_refused("sigma[0]", "got dtype <U3", sigma=SIGMA.astype(str))
    expect_refused("sigma[0]", "got dtype object", sigma=[[[None, 1], [1, 1]]] * 2)
    expect_refused("reward_mean", "is a masked array", reward_mean=np.ma.masked_array(REWARD))
    expect_refused(
        "initial", "must be real numbers", initial=np.array(["2020-01-01"] * 2, dtype="M8[D]")
    )


def test_bad_shapes_are_refused() -> None:
    expect_refused("reward_mean", "has shape (2, 2)", reward_mean=REWARD[0])
    expect_refused("sigma", "has 1 layers, reward_mean has 2", sigma=SIGMA[:1])
    expect_refused("sigma[0]", "has shape (2, 1), reward_mean has shape (2, 2)",
                   sigma=SIGMA[:, :, :1])  # fmt: skip
    expect_refused("transitions", "must have 1 layers, one fewer than reward_mean, has 0",
                   transitions=None)  # fmt: skip
    expect_refused("transitions[0]", "must have shape (2, 2, ...), has (1, 2, 2)",
                   transitions=[STEP[:1]])  # fmt: skip
    expect_refused("transitions[0]", "leads to 3 states, layer 1 has 2",
                   transitions=[np.zeros((2, 2, 3))])  # fmt: skip
    expect_refused("initial", "is needed: the first layer has 2 states", initial=None)
    expect_refused("initial", "initial", initial=np.ones(3) / 3)
    expect_refused("reward_mean", "has no layers", reward_mean=[])
    expect_refused("reward_mean", "must be a list of layers, got float", reward_mean=1.0)
    expect_refused("reward_mean[1]", "has no states", reward_mean=[REWARD[0], np.zeros((0, 2))])


def test_bad_numbers_are_refused_with_their_place() -> None:
    bad = SIGMA.copy()
    bad[1, 0, 1] = np.nan
    expect_refused("sigma[1][0, 1]", "sigma[1][0, 1]: must be finite, got nan", sigma=bad)
    bad[1, 0, 1] = -1.0
    expect_refused("sigma[1][0, 1]", "sigma[1][0, 1]: must be >= 0, got -1", sigma=bad)
    expect_refused("transitions[0][0, 0]", "sum", transitions=[STEP * 2.0])
    expect_refused("initial", "sum", initial=[0.5, 0.4])
    with pytest.raises(vapor.InputError, match=r"transitions\[0\]"):
        problem(transitions=[-STEP])


def test_bad_calls_of_solve_are_refused() -> None:
    mine = problem()
    with pytest.raises(TypeError, match=r"problem must be a vapor\.Problem, got dict"):
        vapor.solve({})  # type: ignore[arg-type]
    with pytest.raises(vapor.InputError, match="must have 8 pairs, has 3"):
        vapor.solve(mine, warm_start=np.ones(3))
    with pytest.raises(vapor.InputError, match="warm_start"):
        vapor.solve(mine, warm_start=np.full(8, np.nan))
    with pytest.raises(vapor.InputError, match="tolerance"):
        vapor.solve(mine, tol=-1.0)
    with pytest.raises(vapor.InputError, match="newton"):
        vapor.solve(mine, method="nelder")  # type: ignore[arg-type]
    with pytest.raises(vapor.InputError, match="warm_starts: are 1 for 2 problems"):
        vapor.solve_many([mine, mine], warm_starts=[None])
    other = vapor.solve(vapor.random_problem())
    with pytest.raises(vapor.InputError, match="warm_start"):
        vapor.solve(mine, warm_start=other)


def test_a_policy_is_a_distribution_over_the_actions_of_each_state() -> None:
    mine = problem()
    with pytest.raises(vapor.InputError, match=r"policy\[1\]\[0\]: must be >= 0 and sum to 1"):
        mine.occupancy([[[0.5, 0.5], [1.0, 0.0]], [[2.0, -1.0], [0.5, 0.5]]])
    with pytest.raises(vapor.InputError, match=r"policy\[0\]\[0\]"):
        vapor.Environment.of_model(mine).play(np.zeros(8), vapor.RandomStream(1))


def test_a_table_of_another_layout_is_refused() -> None:
    wide = vapor.random_problem(layers=3, states=2, actions=4, successors=2)
    tall = vapor.solve(vapor.random_problem(layers=3, states=4, actions=2)).policy  # 24 pairs too
    with pytest.raises(vapor.InputError, match="is a table of Layout"):
        wide.occupancy(tall)
    with pytest.raises(vapor.InputError, match="warm_start"):
        vapor.solve(wide, warm_start=tall)


def test_scalars_of_a_wrong_kind_are_named() -> None:
    mine = problem()
    for settings, message in [
        ({"tol": "a"}, "tol: must be a number, got 'a'"),
        ({"max_iterations": 2**31}, "max_iterations: must be in 0..2147483647, got 2147483648"),
        ({"max_iterations": 1.5}, "max_iterations: must be a whole number, got 1.5"),
        ({"max_seconds": None}, "max_seconds: must be a number, got None"),
    ]:
        with pytest.raises(vapor.InputError, match=re.escape(message)):
            vapor.solve(mine, **settings)  # type: ignore[arg-type]
    for seed in (-1, 2**64, 0.5):
        with pytest.raises(vapor.InputError, match="seed: must be"):
            vapor.random_problem(seed=seed)  # type: ignore[arg-type]
        with pytest.raises(vapor.InputError, match="seed: must be"):
            vapor.Environment("deep_sea:depth=4", seed)  # type: ignore[arg-type]
    assert len(vapor.solve_many([mine] * 3, threads=100000)) == 3


def test_a_stationary_problem_repeats_its_layer_whatever_it_is_given_in() -> None:
    whole = vapor.Problem.stationary(REWARD[0], np.full((2, 2), 0.5), STEP, 3, [0.0, 1.0])
    assert whole.layout.states.tolist() == [2, 2, 2]
    short = vapor.Problem.stationary(REWARD[0], 0.5, STEP, 3, 1)
    for layer in range(3):
        assert short.sigma[layer].tolist() == whole.sigma[layer].tolist()
    assert short.initial.tolist() == whole.initial.tolist()
    numbers = vapor.Problem.stationary(1, 0.5, STEP, 3)
    assert numbers.reward_mean[2].tolist() == [[1.0, 1.0], [1.0, 1.0]]
    assert numbers.initial.tolist() == [1.0, 0.0]
    with pytest.raises(vapor.InputError, match=r"initial: must be in 0\.\.1, got 2"):
        vapor.Problem.stationary(REWARD[0], 0.5, STEP, 3, 2)
    with pytest.raises(vapor.InputError, match="reward_mean: one number for all pairs asks for"):
        vapor.Problem.stationary(1, 0.5, None, 1)
