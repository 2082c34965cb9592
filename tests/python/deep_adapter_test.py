"""Gymnasium's vector environments as the library plays them: each mode, each kind of space."""

from __future__ import annotations

from typing import Any, NamedTuple

import gymnasium
import numpy as np
import pytest
from counting_env import CountingEnv, counting
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import vapor
from vapor.deep.observation_layout import ObservationLayout, layout_of
from vapor.deep.vector_adapter import VectorAdapter

PLACES = 3
FRAMES = 25  # of each place


class Frame(NamedTuple):
    """What is learned from."""

    observation: tuple[float, ...]
    action: int
    reward: float
    next_observation: tuple[float, ...]
    ended: bool
    cut: bool


def action_at(place: int, frame: int) -> int:
    return (place + frame * frame) % 3 % 2


def reference(place: int) -> list[Frame]:
    """The frames of one place, from a single environment that its player resets."""
    env = CountingEnv(place)
    observation, _ = env.reset(seed=1)
    frames: list[Frame] = []
    while len(frames) < FRAMES:
        action = action_at(place, len(frames))
        following, reward, ended, cut, _ = env.step(action + 5)
        frames.append(
            Frame(tuple(observation), action, float(np.float32(reward)), tuple(following),
                  ended, cut)
        )  # fmt: skip
        observation = env.reset()[0] if ended or cut else following
    return frames


def played(adapter: VectorAdapter) -> list[list[Frame]]:
    """The frames of every place, as the actor of the library makes them of steps."""

    def seen(encoded: Any) -> list[tuple[float, ...]]:
        return [tuple(row) for row in encoded.view(np.float32).reshape(PLACES, 3)]

    frames: list[list[Frame]] = [[] for _ in range(PLACES)]
    observations = seen(adapter.reset(1))
    while min(map(len, frames)) < FRAMES:
        actions = [action_at(place, len(frames[place])) for place in range(PLACES)]
        step = adapter.step(np.array(actions))
        shown, last = seen(step.observations), seen(step.last_observations)
        for place in range(PLACES):
            ended, cut = bool(step.ended[place]), bool(step.cut[place])
            if step.idle[place]:
                assert not ended and not cut
            else:
                following = last[place] if ended or cut else shown[place]
                frames[place].append(
                    Frame(observations[place], actions[place], float(step.rewards[place]),
                          following, ended, cut)
                )  # fmt: skip
            observations[place] = shown[place]
    adapter.close()
    return [of_place[:FRAMES] for of_place in frames]


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("kind", ["sync", "shared", "async"])
def test_every_autoreset_mode_gives_the_frames_of_single_environments(
    mode: AutoresetMode, kind: str
) -> None:
    frames = played(VectorAdapter(counting(PLACES, mode, kind), PLACES))
    for place in range(PLACES):
        assert frames[place] == reference(place)


def test_only_next_step_has_idle_steps() -> None:
    for mode, idle in ((AutoresetMode.NEXT_STEP, 2), (AutoresetMode.SAME_STEP, 0)):
        adapter = VectorAdapter(counting(1, mode), 1)
        adapter.reset(1)
        steps = [adapter.step(np.array([0])) for _ in range(6)]
        assert sum(int(step.idle[0]) for step in steps) == idle
        # Episodes of 3 and 1 steps, each before one idle step: 1 2 3 . 1 .
        assert [int(s.ended[0] + s.cut[0]) for s in steps] == (
            [0, 0, 1, 0, 1, 0] if idle else [0, 0, 1, 1, 0, 0]
        )


def test_a_reset_in_the_middle_forgets_that_episodes_were_over() -> None:
    adapter = VectorAdapter(counting(1), 1)
    adapter.reset(1)
    for _ in range(3):
        over = adapter.step(np.array([0]))
    assert over.ended[0] == 1
    adapter.reset(1)
    assert adapter.step(np.array([0])).idle[0] == 0


def test_an_end_that_is_both_is_an_end() -> None:
    class Both(CountingEnv):
        def step(self, action: Any) -> Any:
            return *super().step(action)[:2], True, True, {}

    adapter = VectorAdapter(SyncVectorEnv([lambda: Both(0)]), 1)
    adapter.reset(1)
    step = adapter.step(np.array([0]))
    assert (step.ended[0], step.cut[0]) == (1, 0)


def layout(space: spaces.Space[Any], actions: spaces.Space[Any] | None = None) -> ObservationLayout:
    return layout_of(space, spaces.Discrete(3) if actions is None else actions)


def box(shape: tuple[int, ...], dtype: Any, low: float = 0, high: float = 255) -> spaces.Box:
    return spaces.Box(low, high, shape, dtype)


@pytest.mark.parametrize(
    ("space", "shape"),
    [
        (box((10, 7), np.uint8), (1, 10, 7, "byte")),
        (box((84, 80, 3), np.uint8), (3, 84, 80, "byte")),
        (box((4, 84, 80), np.uint8), (4, 84, 80, "byte")),
        (box((4, 84, 80, 3), np.uint8), (12, 84, 80, "byte")),
        (box((10, 10, 10), np.bool_, 0, 1), (10, 10, 10, "flag")),
        (box((5, 5), np.uint8, 0, 1), (1, 5, 5, "flag")),
        (box((5, 5), np.uint8, 0, 9), (1, 5, 5, "float")),
        (box((4,), np.float64, -1, 1), (1, 1, 4, "float")),
        (box((), np.float32, -1, 1), (1, 1, 1, "float")),
        (box((6,), np.int32, 0, 100), (1, 1, 6, "float")),
        (spaces.MultiBinary(8), (1, 1, 8, "flag")),
        (spaces.Discrete(6, start=-2), (1, 1, 6, "flag")),
        (spaces.MultiDiscrete([3, 4]), (1, 1, 7, "flag")),
    ],
)
def test_spaces_become_images_of_a_kind(
    space: spaces.Space[Any], shape: tuple[int, int, int, str]
) -> None:
    mine = layout(space)
    assert mine.shape == shape
    space.seed(3)
    rows = np.stack([np.asarray(space.sample()) for _ in range(5)])
    width = 4 if shape[3] == "float" else 1
    assert mine.encode(rows).size == 5 * np.prod(shape[:3]) * width


def test_pixels_keep_their_places() -> None:
    rows = np.random.default_rng(1).integers(0, 256, (2, 6, 5, 3), dtype=np.uint8)
    encoded = layout(box((6, 5, 3), np.uint8)).encode(rows).reshape(2, 3, 6, 5)
    assert np.array_equal(encoded, np.moveaxis(rows, 3, 1))
    stacked = np.random.default_rng(2).integers(0, 256, (1, 2, 6, 5, 3), dtype=np.uint8)
    encoded = layout(box((2, 6, 5, 3), np.uint8)).encode(stacked).reshape(2, 3, 6, 5)
    assert np.array_equal(encoded, np.moveaxis(stacked[0], 3, 1))
    numbers = np.array([[0.5, -2.0]])
    assert layout(box((2,), np.float64, -9, 9)).encode(numbers).view(np.float32).tolist() == [
        0.5,
        -2.0,
    ]


def test_discrete_observations_are_one_hot() -> None:
    assert layout(spaces.Discrete(4, start=2)).encode([2, 5]).tolist() == [1, 0, 0, 0, 0, 0, 0, 1]
    pair = layout(spaces.MultiDiscrete([2, 3]))
    assert pair.encode([[1, 0], [0, 2]]).tolist() == [0, 1, 1, 0, 0, 1, 0, 0, 0, 1]
    with pytest.raises(vapor.InputError, match="outside of their discrete space"):
        layout(spaces.Discrete(4)).encode([4])


@pytest.mark.parametrize(
    ("observations", "actions", "named"),
    [
        (spaces.Dict({"a": spaces.Discrete(2)}), spaces.Discrete(2), "observation_space: .*Dict"),
        (spaces.Tuple((spaces.Discrete(2),)), spaces.Discrete(2), "observation_space: .*Tuple"),
        (spaces.Text(4), spaces.Discrete(2), "observation_space: .*Text"),
        (box((2, 2, 2, 2, 2), np.uint8), spaces.Discrete(2), "observation_space: .*0 to 4 axes"),
        (box((2,), np.uint8), box((1,), np.float32), r"action_space: must be Discrete, got Box"),
        (box((2,), np.uint8), spaces.MultiDiscrete([2, 2]), "action_space: .*MultiDiscrete"),
    ],
)
def test_other_spaces_are_refused_by_name(
    observations: spaces.Space[Any], actions: spaces.Space[Any], named: str
) -> None:
    with pytest.raises(vapor.InputError, match=named):
        layout_of(observations, actions)


def test_what_an_environment_must_be() -> None:
    with pytest.raises(vapor.InputError, match="must make 2 places, made 3"):
        VectorAdapter(counting(3), 2)
    with pytest.raises(vapor.InputError, match=r"VectorEnv, made CountingEnv"):
        VectorAdapter(CountingEnv(0), 1)
    silent = counting(1)
    del silent.metadata["autoreset_mode"]
    with pytest.raises(vapor.InputError, match="autoreset_mode"):
        VectorAdapter(silent, 1)


def test_numbers_that_are_not_finite_are_refused() -> None:
    class Broken(CountingEnv):
        def step(self, action: Any) -> Any:
            observation, _, *rest = super().step(action)
            return observation, float("nan"), *rest

    adapter = VectorAdapter(SyncVectorEnv([lambda: Broken(0)]), 1)
    adapter.reset(1)
    with pytest.raises(vapor.InputError, match=r"rewards: must be finite, place 0 has nan"):
        adapter.step(np.array([0]))
    with pytest.raises(vapor.InputError, match="place 1 sees numbers that are not finite"):
        layout(box((1,), np.float32)).encode([[0.0], [np.inf]])


def test_same_step_needs_the_last_observations() -> None:
    class Forgetful(gymnasium.vector.VectorWrapper[Any, Any, Any, Any, Any]):
        def step(self, actions: Any) -> Any:
            return *super().step(actions)[:4], {}

    adapter = VectorAdapter(Forgetful(counting(1, AutoresetMode.SAME_STEP)), 1)
    adapter.reset(1)
    with pytest.raises(vapor.InputError, match="final_obs"):
        for _ in range(3):
            adapter.step(np.array([0]))


def shown(space: gymnasium.Space[Any], observations: Any) -> None:
    layout_of(space, spaces.Discrete(2)).encode(np.asarray(observations))


@pytest.mark.parametrize(
    ("space", "observations"),
    [
        (spaces.Box(0, 255, (3,), np.uint8), np.full((2, 3), np.nan)),
        (spaces.Box(0, 255, (3,), np.uint8), np.full((2, 3), 0.5)),
        (spaces.Box(0, 255, (3,), np.uint8), np.full((2, 3), 300)),
        (spaces.MultiBinary(3), np.full((2, 3), np.nan)),
        (spaces.Discrete(4), np.array([1.7, 1.0])),
        (spaces.Discrete(4), np.array([4, 0])),
        (spaces.Box(0, 1, (3,)), np.full((2, 3), 1 + 2j)),
        (spaces.Box(0, 1, (3,)), np.full((2, 3), "1")),
        (spaces.Box(0, 1, (3,)), np.full((2, 3), np.inf)),
    ],
)
def test_observations_outside_of_their_space_are_refused(space: Any, observations: Any) -> None:
    with pytest.raises(vapor.InputError, match="observations"):
        shown(space, observations)


class Odd(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """Two places whose steps give what they are told to."""

    def __init__(self, rewards: Any, terminations: Any) -> None:
        self.num_envs = 2
        self.single_observation_space = spaces.Box(0, 1, (3,))
        self.single_action_space = spaces.Discrete(2)
        self.metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}
        self.told = rewards, terminations

    def reset(self, *, seed: Any = None, options: Any = None) -> Any:
        return np.zeros((2, 3), np.float32), {}

    def step(self, actions: Any) -> Any:
        return np.zeros((2, 3), np.float32), *self.told, np.zeros(2, bool), {}


@pytest.mark.parametrize(
    ("rewards", "terminations", "what"),
    [
        (np.ones((2, 1)), np.zeros(2, bool), "rewards"),
        (np.full(2, 1 + 2j), np.zeros(2, bool), "rewards"),
        (np.array([1.0, np.nan]), np.zeros(2, bool), "rewards"),
        (np.ones(2), np.zeros((2, 2), bool), "terminations"),
        (np.ones(2), np.array(["no", "no"]), "terminations"),
    ],
)
def test_odd_steps_are_refused(rewards: Any, terminations: Any, what: str) -> None:
    adapter = VectorAdapter(Odd(rewards, terminations), 2)
    adapter.reset(1)
    with pytest.raises(vapor.InputError, match=what):
        adapter.step(np.zeros(2, np.int64))
