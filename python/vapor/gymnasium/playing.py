"""Episodes of a tabular agent in a Gymnasium environment, one at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from .._core import RandomStream
from ..agents import Agent
from ..converters import outcomes
from ..errors import wrong
from ..layered import Doubles, Layered
from ..problem import Problem
from .time_layers import Layers, OwnLayers, Played, Readable, TimeLayers

# What gymnasium.make puts around an environment. None of it changes what is paid or what follows.
_PLAIN_WRAPPERS = ("TimeLimit", "OrderEnforcing", "PassiveEnvChecker")

_COUNT_BYTES = 8


class TablePlayer:
    """Plays and learns; what the library's loop of records drives (python_player.h).

    Episode t draws from streams that depend on the seed and on t alone, and so does the seed that
    the environment is reset with. So a run that is resumed goes on as if it had not been stopped,
    if all that the environment does in an episode follows from that seed.
    """

    def __init__(
        self,
        env: Any,
        layers: Layers,
        agent: Agent,
        seed: int,
        most: int,
        write_policy: Callable[[TablePlayer, str], None] | None = None,
    ) -> None:
        self.env = env
        self.layers = layers
        self.agent = agent
        self.episodes = 0
        self._most = most
        self._random = RandomStream(seed)
        self._write_policy = write_policy
        self._truth = Truth.of(env, layers)

    @property
    def is_over(self) -> bool:
        """Whether all episodes are played."""
        return self.episodes >= self._most

    @property
    def knows_values(self) -> bool:
        """Whether it is known what a policy is worth."""
        return self._truth is not None

    def policy(self) -> Layered:
        """That of the next episode."""
        return self.agent.policy(self._random.split("agent").split(self.episodes + 1))

    def play(self) -> tuple[float, int, float, float]:
        """Plays an episode: its return and length, and the value and regret of its policy, both 0
        where they are not known."""
        policy = self.policy()
        number = self.episodes + 1
        played = play(
            self.env,
            self.layers,
            policy.flat,
            self._random.split("play").split(number),
            reset_seed(self._random, number),
        )
        value = regret = 0.0
        if self._truth is not None:
            self._truth.expect(played)
            value = self._truth.value(policy)
            regret = max(0.0, self._truth.optimum - value)  # less is rounding
        self.agent.observe(self.layers.episode(played))
        self.episodes = number
        return float(played.rewards.sum()), len(played.rewards), value, regret

    def save(self) -> bytes:
        """All that playing changes."""
        return self.episodes.to_bytes(_COUNT_BYTES, "little") + self.agent.native.save()

    def restore(self, state: bytes) -> None:
        """Goes on from there."""
        self.agent.native.restore(state[_COUNT_BYTES:])
        self.episodes = int.from_bytes(state[:_COUNT_BYTES], "little")

    def end(self, folder: str) -> None:
        """The run is over or interrupted: what was learned is written beside its record."""
        if self._write_policy is not None:
            self._write_policy(self, folder)


class Truth:
    """The model of an environment that has one: what policies are worth in it."""

    def __init__(self, model: Problem, possible: list[list[set[tuple[int, float]]]] | None) -> None:
        self._model = model
        self._possible = possible  # by state and action: what may follow, and what it pays
        self.optimum = model.optimal_value()

    @classmethod
    def of(cls, env: Any, layers: Layers) -> Truth | None:
        """None if there is none, or if a wrapper may have changed what is paid or what follows."""
        if isinstance(layers, OwnLayers):
            return cls(layers.environment.model, None) if _is_plain(env) else None
        table = getattr(env.unwrapped, "P", None)
        initial = getattr(env.unwrapped, "initial_state_distrib", None)
        limit = None if env.spec is None else env.spec.max_episode_steps
        if (
            not isinstance(layers, TimeLayers)
            or not isinstance(table, Mapping)
            or initial is None
            or len(table) != layers.states
            or not _is_plain(env)
            or (limit is not None and limit < layers.horizon)
        ):
            return None
        possible = [
            [
                {(layers.end if end else after, reward) for _, after, reward, end in
                 outcomes(table, state, action)}
                for action in range(layers.actions)
            ]
            for state in range(layers.states)
        ]  # fmt: skip
        return cls(layers.model(table, initial), possible)

    def value(self, policy: Layered) -> float:
        """The expected return of a policy."""
        return float(self._model.occupancy(policy).flat @ self._model.reward_mean.flat)

    def expect(self, played: Played) -> None:
        """An environment may do what its table does not say, and then no regret is true."""
        if self._possible is None:
            return
        for state, action, reward, after in zip(
            played.states, played.actions, played.rewards, played.following, strict=True
        ):
            if (after, reward) not in self._possible[state][action]:
                raise wrong(
                    "env",
                    f"paid {reward} in state {state} and went to {after}, which its table P does "
                    "not have: no regret can be told. Wrapped, as gymnasium.Wrapper(env), it is "
                    "learned by returns alone",
                )


def _is_plain(env: Any) -> bool:
    while env is not env.unwrapped:
        if type(env).__name__ not in _PLAIN_WRAPPERS:
            return False
        env = env.env
    return True


def reset_seed(random: RandomStream, number: int) -> int:
    """The seed that an episode's reset has."""
    return int(random.split("reset").split(number).uniform() * 2**31)


def play(
    env: Any, layers: Readable, policy: Doubles, random: RandomStream, seed: int | None = None
) -> Played:
    """Plays an episode under a policy by pair, one array ``(pairs,)``.

    It ends when the environment says so, and after ``layers.horizon`` steps.
    """
    states: list[int] = []
    actions: list[int] = []
    rewards: list[float] = []
    following: list[int] = []
    observation, _ = env.reset(seed=seed)
    state = layers.number(observation)
    over = False
    while not over and len(states) < layers.horizon:
        first, count = layers.choice(len(states), state)
        action = drawn(policy[first : first + count], random)
        observation, reward, terminated, truncated, _ = env.step(action)
        states.append(state)
        actions.append(action)
        rewards.append(float(reward))
        state = layers.end if terminated else layers.number(observation)
        following.append(state)
        over = bool(terminated or truncated)
    return Played(
        np.array(states, dtype=np.int64),
        np.array(actions, dtype=np.int64),
        np.array(rewards),
        np.array(following, dtype=np.int64),
    )


def drawn(probabilities: Doubles, random: RandomStream) -> int:
    """An action, by its probability."""
    cumulative = probabilities.cumsum()
    number = np.searchsorted(cumulative, random.uniform() * cumulative[-1], side="right")
    return min(int(number), len(cumulative) - 1)
