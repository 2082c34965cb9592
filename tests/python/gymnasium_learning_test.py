"""Tabular agents in Gymnasium environments: those of Gymnasium, of this library and one's own."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces

import vapor
from vapor.gymnasium import TimeLayers, learn
from vapor.gymnasium.time_layers import Played


# Where one reward is many times the others the default doubts it for longer (docs/gymnasium.md).
KNOWN_NOISE = {"noise_variance": 0.1, "transform": "reward-only", "scale": 0.03}


def test_vapor_learns_frozen_lake_in_an_instant() -> None:
    env = gymnasium.make("FrozenLake-v1", is_slippery=False)
    learned = learn(env, horizon=20, episodes=100, seed=1)
    assert learned.returns.shape == (100,)
    assert learned.returns[50:].mean() == 1.0
    # The shortest way has six steps.
    assert learned.lengths[50:].min() >= 6


def test_vapor_reaches_the_optimum_of_the_slippery_lake() -> None:
    """Within 20 steps the best policy succeeds with probability 0.199 (converters_test.py)."""
    env = gymnasium.make("FrozenLake-v1")
    learned = learn(env, horizon=20, episodes=800, seed=2)
    late = learned.returns[500:]
    error = np.sqrt(0.199 * 0.801 / len(late))
    assert late.mean() > 0.199 - 3 * error


def test_cliff_walking_is_learned_to_the_shortest_way() -> None:
    env = gymnasium.make("CliffWalking-v1")
    learned = learn(env, "vapor-lite", horizon=30, episodes=120, seed=1, belief=KNOWN_NOISE)
    assert learned.returns[-20:].mean() == -13.0


@pytest.mark.full
def test_taxi_is_learned() -> None:
    """The optimum is 7.93; vapor-lite, because vapor solves for most of a second here."""
    name = max(name for name in gymnasium.registry if name.startswith("Taxi-v"))
    env = gymnasium.make(name)
    learned = learn(env, "vapor-lite", horizon=20, episodes=1300, seed=1, belief=KNOWN_NOISE)
    assert learned.returns[-100:].mean() > 6.0


@pytest.mark.parametrize("agent", ["vapor", "thompson", "vapor-lite", "k-learning", "ucbvi"])
def test_agents_learn_blackjack_which_has_a_tuple_of_observations(agent: str) -> None:
    learned = learn(gymnasium.make("Blackjack-v1"), agent, horizon=4, episodes=5)
    assert learned.layers.number((31, 10, 1)) == 32 * 11 * 2 - 1
    assert set(learned.returns) <= {-1.0, 0.0, 1.0}


# The others ask for a belief over finitely many models, or for a cost beside the reward.
OTHERS = {"bayes-optimal", "opt-cmdp", "optpess-lp", "dope", "safe-psrl"}
KINDS = [kind.name for kind in vapor.agent_kinds() if kind.name not in OTHERS]


@pytest.mark.parametrize("agent", KINDS)
def test_every_agent_learns_in_layers_of_time(agent: str) -> None:
    """bayes-optimal needs a belief over finitely many models, which layers do not have."""
    for stationary in (True, False):
        learned = learn(Corridor(), agent, horizon=5, episodes=12, stationary=stationary)
        assert len(learned.returns) == 12
    # Environments of this library have layers of their own.
    learn(gymnasium.make("vapor/DeepSea-v0", size=3), agent, episodes=2)


# What the last 50 of so many episodes reach on the lake without ice, whose optimum is 1. The
# counting agents have a tuned bonus: not knowing the end they learned to die, return 0.
DRY_LAKE = [
    ("vapor", 150, 0.95),
    ("vapor-lite", 150, 0.95),
    ("thompson", 200, 0.85),
    ("k-learning", 150, 0.95),
    ("ucbvi:scale=0.01", 300, 0.95),
    ("optimistic-q:c=0.001", 600, 0.95),
]


@pytest.mark.parametrize(("agent", "episodes", "least"), DRY_LAKE)
def test_every_agent_knows_the_end_of_an_episode(agent: str, episodes: int, least: float) -> None:
    env = gymnasium.make("FrozenLake-v1", is_slippery=False)
    learned = learn(env, agent, horizon=20, episodes=episodes, seed=1)
    assert learned.returns[-50:].mean() >= least


@pytest.mark.parametrize("agent", ["vapor", "vapor-lite", "thompson", "k-learning"])
@pytest.mark.parametrize(("name", "horizon"), [("FrozenLake-v1", 12), ("CliffWalking-v1", 20)])
def test_rewards_in_other_units_give_the_same_episodes(
    agent: str, name: str, horizon: int
) -> None:
    def episodes(factor: float) -> tuple[list[int], list[float]]:
        env = gymnasium.make(name)
        scaled = gymnasium.wrappers.TransformReward(env, lambda reward: factor * float(reward))
        learned = learn(scaled, agent, horizon=horizon, episodes=40, seed=3)
        return learned.lengths.tolist(), (learned.returns / factor).tolist()

    assert episodes(1.0) == episodes(1024.0) == episodes(1.0 / 1024.0)


def test_a_belief_about_something_else_is_refused() -> None:
    env = gymnasium.make("FrozenLake-v1")
    for other in (TimeLayers(env, 6), TimeLayers(Corridor(), 5)):
        with pytest.raises(vapor.InputError, match="belief: is about other states and actions"):
            learn(env, horizon=5, episodes=1, belief=other.belief())
    own = TimeLayers(env, 5).belief()
    assert learn(env, horizon=5, episodes=1, belief=own).agent.belief is own
    sea = gymnasium.make("vapor/DeepSea-v0", size=3)
    with pytest.raises(vapor.InputError, match="belief: is about other states and actions"):
        learn(sea, episodes=1, belief=own)


def test_our_environments_have_layers_of_their_own() -> None:
    env = gymnasium.make("vapor/DeepSea-v0", size=8, mapping_seed=3)
    learned = learn(env, episodes=60, seed=4)
    assert learned.layers.horizon == 8
    assert learned.agent.belief.problem.layout == env.unwrapped.environment.model.layout
    assert learned.returns[-20:].mean() == pytest.approx(0.99)
    with pytest.raises(vapor.InputError, match="horizon: is 8 in this environment, got 9"):
        learn(env, horizon=9)


def test_the_same_seed_gives_the_same_episodes() -> None:
    def returns(seed: int) -> list[float]:
        env = gymnasium.make("FrozenLake-v1")
        return learn(env, "thompson", horizon=15, episodes=60, seed=seed).returns.tolist()

    assert returns(7) == returns(7)
    assert returns(7) != returns(8)


class Corridor(gymnasium.Env[int, int]):
    """Two actions from the number 5 on; action 1 ends with a reward of 1 after `length` steps."""

    observation_space = spaces.Discrete(4, start=5)
    action_space = spaces.Discrete(2)

    def __init__(self) -> None:
        self.at = 0

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[int, dict[str, Any]]:
        super().reset(seed=seed)
        self.at = 0
        return 5, {}

    def step(self, action: int) -> tuple[int, float, bool, bool, dict[str, Any]]:
        if action == 0:
            return 5 + self.at, 0.0, False, False, {}
        self.at += 1
        done = self.at == 4
        return 5 + min(self.at, 3), float(done), done, False, {}


def test_the_belief_of_a_stationary_environment_is_that_of_all_steps_together() -> None:
    env = Corridor()
    layers = TimeLayers(env, horizon=6)
    assert (layers.states, layers.actions, layers.end) == (4, 2, 4)
    played = Played(
        np.array([0, 1, 1]), np.array([1, 0, 1]), np.array([0.0, 0.5, 0.0]), np.array([1, 1, 4])
    )
    belief = layers.belief(noise_variance=1.0)
    belief.update(layers.episode(played))
    problem = belief.problem
    assert problem.layout.states.tolist() == [1, 5, 5, 5, 5, 5, 5]
    # One visit with reward 0.5: prior N(0, 1) and unit noise give 0.25, in every layer.
    for layer in range(1, 7):
        assert problem.reward_mean[layer][1, 0] == pytest.approx(0.25)
    for layer in range(1, 6):
        P = problem.transitions(layer).reshape(-1, 5)
        # State 1, action 0: once to itself, Dirichlet with mass 1 over five states.
        assert P[1 * 2 + 0] == pytest.approx([0.1, 0.6, 0.1, 0.1, 0.1])
        # State 1, action 1: once to the end.
        assert P[1 * 2 + 1] == pytest.approx([0.1, 0.1, 0.1, 0.1, 0.6])
        # The end leads to itself for certain and pays nothing.
        assert P[-1].tolist() == [0.0, 0.0, 0.0, 0.0, 1.0]
        assert problem.reward_mean[layer][-1, 0] == 0.0
        assert problem.sigma[layer][-1, 0] < 1e-8
    # The start was seen once.
    assert problem.transitions(0)[0] == pytest.approx([0.6, 0.1, 0.1, 0.1, 0.1])
    # Thompson's samples respect what is certain.
    value, _ = belief.sample_optimal_policy(vapor.RandomStream(1))
    assert np.isfinite(value)


def test_without_stationarity_a_step_counts_in_its_own_layer() -> None:
    layers = TimeLayers(Corridor(), horizon=4, stationary=False)
    played = Played(
        np.array([0, 1]), np.array([1, 0]), np.array([0.0, 0.5]), np.array([1, 1])
    )
    belief = layers.belief()
    belief.update(layers.episode(played))
    means = [belief.problem.reward_mean[layer][1, 0] for layer in range(1, 5)]
    # One reward of 0.5 under kappa_0 = 1.
    assert means == [0.0, pytest.approx(0.25), 0.0, 0.0]


def test_ones_own_environment_is_learned() -> None:
    learned = learn(Corridor(), horizon=5, episodes=60, belief={"repeat": 100.0})
    assert learned.returns[-20:].mean() == 1.0
    assert learned.lengths[-20:].max() <= 5


def test_learning_can_be_ended_and_continued_in_ones_own_loop() -> None:
    seen: list[int] = []

    def stop_at_three(number: int, _: float) -> bool:
        seen.append(number)
        return number < 3

    learned = learn(Corridor(), horizon=5, episodes=60, progress=stop_at_three)
    assert seen == [1, 2, 3]
    assert len(learned.returns) == len(learned.lengths) == 3


@pytest.mark.parametrize(
    ("name", "settings", "message"),
    [
        ("CartPole-v1", {"networks": False}, "observation space: must be Discrete.*deep agent"),
        ("Pendulum-v1", {"networks": False}, "observation space: must be Discrete"),
        ("CliffWalking-v1", {}, "horizon: is needed"),
        ("FrozenLake-v1", {"horizon": 0}, "horizon: must be a whole number >= 1, got 0"),
        ("FrozenLake-v1", {"episodes": 0}, r"episodes: must be in 1\.\."),
        ("FrozenLake-v1", {"horizon": 5, "agent": "vapr"}, "vapr"),
        ("FrozenLake-v1", {"horizon": 5, "belief": {"transform": "papr"}}, "papr"),
    ],
)
def test_what_is_not_supported_is_said(name: str, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(vapor.InputError, match=message):
        learn(gymnasium.make(name), **settings)


def test_certain_successors_are_checked() -> None:
    layout = vapor.random_problem(layers=2, states=2, actions=1, successors=2)
    with pytest.raises(vapor.InputError, match="certain_next: must have an entry for each of 4"):
        vapor.Belief.gaussian(layout, certain_next=[2])
    with pytest.raises(vapor.InputError, match=r"certain_next\[0\]: must be -1 or a state"):
        vapor.Belief.gaussian(layout, certain_next=[1, -1, -1, -1])
    belief = vapor.Belief.gaussian(layout, certain_next=[3, -1, -1, -1])
    one, other = (
        vapor.Episode(np.array([0], np.int32), np.zeros(1), np.array([state], np.int32))
        for state in (2, 3)
    )
    with pytest.raises(vapor.InputError, match="next_state: must be 3, which surely follows"):
        belief.update(one)
    belief.update(other)
    assert belief.problem.transitions(0).tolist() == [[0.0, 1.0], [0.5, 0.5]]
