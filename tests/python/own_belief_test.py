"""Beliefs of one's own: they drive every agent, and what is wrong with one is said."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vapor
from learn_record_test import Dice

LAYOUT = vapor.random_problem(layers=3, states=2, actions=2, successors=2, seed=4)


class Mirror:
    """One of the library's beliefs, told through a user's methods."""

    def __init__(self, layout: vapor.Problem = LAYOUT) -> None:
        self.inner = vapor.Belief.gaussian(layout, transform="reward-only")
        self.updates = 0

    def problem(self) -> vapor.Problem:
        return self.inner.problem

    def update(self, episode: vapor.Episode) -> None:
        self.updates += 1
        self.inner.update(episode)

    def sample(self, random: vapor.RandomStream) -> vapor.Problem:
        problem = self.inner.problem
        noise = np.array([random.normal() for _ in range(problem.layout.pairs)])
        tables = list(problem.tables)
        tables[3] = tables[3] + tables[4] * noise
        return vapor.Problem.of_native(vapor._core.problem(*tables))

    def save(self) -> bytes:
        return self.inner.native.save()

    def restore(self, state: bytes) -> None:
        self.inner.native.restore(state)


def played(agent: vapor.Agent, episodes: int) -> list[list[float]]:
    environment = vapor.Environment.of_model(LAYOUT, noise=0.5)
    random = vapor.RandomStream(6)
    policies = []
    for episode in range(episodes):
        policy = agent.policy(random.split(episode))
        policies.append(policy.flat.tolist())
        agent.observe(environment.play(policy, random))
    return policies


# The others ask for a belief over finitely many models, or for a cost beside the reward.
OTHERS = {"bayes-optimal", "opt-cmdp", "optpess-lp", "dope", "safe-psrl"}
KINDS = [kind.name for kind in vapor.agent_kinds() if kind.name not in OTHERS]


@pytest.mark.parametrize("kind", KINDS)
def test_a_belief_of_ones_own_drives_every_agent(kind: str) -> None:
    own = Mirror()
    mine = played(vapor.Agent(kind, own), 6)
    assert own.updates in (0, 6)  # 0: of agents that keep counts of their own
    if kind not in ("thompson", "rlsvi") and "optimality" not in kind:  # these draw otherwise
        theirs = vapor.Agent(kind, vapor.Belief.gaussian(LAYOUT, transform="reward-only"))
        assert mine == played(theirs, 6)


def test_thompson_sampling_plays_the_optimum_of_what_is_drawn() -> None:
    class Certain(Mirror):
        def sample(self, random: vapor.RandomStream) -> vapor.Problem:
            return LAYOUT

    policy = vapor.Agent("thompson", Certain()).policy(vapor.RandomStream(1))
    value = LAYOUT.occupancy(policy).flat @ LAYOUT.reward_mean.flat
    assert value == pytest.approx(LAYOUT.optimal_value())


class Raising(Mirror):
    def problem(self) -> vapor.Problem:
        if self.updates > 0:
            raise LookupError("nothing is known")
        return super().problem()


class Growing(Mirror):
    def problem(self) -> vapor.Problem:
        return super().problem() if self.updates == 0 else vapor.random_problem(layers=4)


class Wordy(Mirror):
    def problem(self) -> Any:
        return super().problem() if self.updates == 0 else "sigma is 1"


class Refusing(Mirror):
    def update(self, episode: vapor.Episode) -> None:
        raise ArithmeticError("too much")


class Bare:
    problem = Mirror.problem
    update = Mirror.update
    __init__ = Mirror.__init__  # type: ignore[assignment]


@pytest.mark.parametrize("kind", ["vapor", "vapor-lite", "k-learning", "rlsvi"])
@pytest.mark.parametrize(
    ("belief", "error", "message"),
    [
        (Raising, LookupError, "nothing is known"),
        (Growing, vapor.InputError, r"belief: problem\(\) gives other layers, states or actions"),
        (Wordy, vapor.InputError, r"belief: problem\(\) must give a vapor.Problem, gave str"),
        (Refusing, ArithmeticError, "too much"),
    ],
)
def test_a_broken_belief_is_an_exception(
    kind: str, belief: Any, error: type[Exception], message: str
) -> None:
    agent = vapor.Agent(kind, belief())
    for _ in range(2):  # and again, without harm
        with pytest.raises(error, match=message):
            played(agent, 3)


def test_what_a_belief_lacks_is_said(tmp_path: Path) -> None:
    with pytest.raises(vapor.InputError, match=r"Bare has no sample\(\), which Thompson"):
        vapor.Agent("thompson", Bare()).policy(vapor.RandomStream(1))  # type: ignore[arg-type]
    with pytest.raises(vapor.InputError, match=r"Bare has no save\(\), which a record"):
        pickle.dumps(vapor.Agent("vapor", Bare()))  # type: ignore[arg-type]
    with pytest.raises(vapor.InputError, match="belief: must be a vapor.Belief or have the"):
        vapor.Agent("vapor", 3)  # type: ignore[arg-type]

    class Short(Mirror):
        def sample(self, random: vapor.RandomStream) -> vapor.Problem:
            return vapor.random_problem(layers=2)

    with pytest.raises(vapor.InputError, match=r"belief: sample\(\) gives other layers"):
        vapor.Agent("thompson", Short()).policy(vapor.RandomStream(1))


def test_one_is_learned_with_recorded_and_resumed(tmp_path: Path) -> None:
    def learn(out: Path | None, **more: Any) -> vapor.Learned:
        def belief(layers: Any) -> Mirror:
            return Mirror(layers.problem)

        return vapor.learn(Dice, horizon=6, episodes=20, out=out, belief=belief, **more)

    whole = learn(tmp_path / "whole")
    learn(tmp_path / "parts", progress=lambda episode, _: episode < 7)
    parts = learn(tmp_path / "parts")
    assert np.array_equal(whole.returns, parts.returns)
    assert np.array_equal(whole.policy.flat, parts.policy.flat)
    # Agents that count know the end of an episode from the layers.
    vapor.learn(
        "FrozenLake-v1", "ucbvi", horizon=6, episodes=3, belief=lambda layers: Mirror(layers.problem)
    )
    with pytest.raises(vapor.InputError, match=r"Bare has no save\(\) and restore\(\)"):
        vapor.learn(Dice, horizon=6, episodes=2, out=tmp_path / "none",
                    belief=lambda layers: Bare(layers.problem))  # type: ignore[call-arg]  # fmt: skip
    assert not (tmp_path / "none").exists()
    assert vapor.learn(Dice, horizon=6, episodes=2,
                       belief=lambda layers: Bare(layers.problem)).lengths.sum() == 12  # type: ignore[call-arg]  # fmt: skip
    with pytest.raises(vapor.InputError, match="belief: is about other states and actions"):
        vapor.learn(Dice, horizon=6, belief=Mirror())


def test_beta_priors_are_given_by_pair() -> None:
    a = [np.array([[1.0, 2.0]]), np.array([[3.0], [4.0]])]
    layout = vapor.Problem(a, a, [np.full((1, 2, 2), 0.5)])
    belief = vapor.Belief.beta(layout, a=a, b=1.0, transform="reward-only")
    assert belief.problem.reward_mean.flat == pytest.approx([1 / 2, 2 / 3, 3 / 4, 4 / 5])
    belief.update(vapor.Episode(np.array([1, 2], np.int32), np.array([0.0, 1.0]),
                                np.array([1, -1], np.int32)))  # fmt: skip
    assert belief.problem.reward_mean.flat == pytest.approx([1 / 2, 2 / 4, 4 / 5, 4 / 5])
    with pytest.raises(vapor.InputError, match=r"reward\.a\[2\]: must be > 0"):
        vapor.Belief.beta(layout, a=[[[1.0, 1.0]], [[0.0], [1.0]]])


def test_learn_takes_beta_priors() -> None:
    prior = np.ones((16, 4))
    prior[14] = 9.0  # a hint: next to the goal it pays
    settings = {"a": prior, "b": 1.0, "transform": "reward-only", "scale": 0.5}
    learned = vapor.learn("FrozenLake-v1:is_slippery=False", horizon=12, episodes=1, belief=settings)
    assert learned.agent is not None
    means = learned.agent.belief.problem.reward_mean
    for layer in (1, 12):
        assert means[layer][14].tolist() == [0.9] * 4
    with pytest.raises(vapor.InputError, match=r"belief a: must be a number or have shape \(16, 4\)"):
        vapor.learn("FrozenLake-v1", horizon=3, belief={"a": np.ones((4, 4))})
    with pytest.raises(vapor.InputError, match="must be 0 or 1 under a Beta prior"):
        vapor.learn("CliffWalking-v1", horizon=3, episodes=1, belief={"a": 1.0})
