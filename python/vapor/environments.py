"""Environments: layered MDPs that can be played. Their model is part of them; no agent sees it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._core import RandomStream
from .errors import wrong
from .layered import Doubles, Indices, Layered
from .problem import Problem
from .tables import indices, numbers, one_number, seed_of


class Kind(NamedTuple):
    """Something that a spec can name: its settings with their defaults, and what it is."""

    name: str
    settings: str
    summary: str


def environment_kinds() -> list[Kind]:
    """The environments that a spec can name."""
    return [Kind(*kind) for kind in _core.environment_kinds()]


class Episode(NamedTuple):
    """The steps of an episode, one a layer.

    ``pairs`` number state and action through all states, ``next_states`` are numbered through all
    layers and -1 after the last. All are arrays ``(steps,)``.
    """

    pairs: Indices
    rewards: Doubles
    next_states: Indices


def steps_of(episode: Episode) -> tuple[Indices, Doubles, Indices]:
    """The steps as the library takes them; raises InputError that names what is wrong."""
    try:
        pairs, rewards, next_states = episode
    except (TypeError, ValueError):
        raise wrong("episode", "must be pairs, rewards and next_states") from None
    return (
        indices("episode.pairs", pairs),
        numbers("episode.rewards", rewards, 1),
        indices("episode.next_states", next_states),
    )


class Environment:
    """An environment by spec, e.g. ``Environment("deep_sea:depth=20")``; see ``vapor list envs``.

    What is random about it is drawn from ``seed``.
    """

    def __init__(self, spec: str, seed: int = 1) -> None:
        self.spec: str | None = spec
        self.seed = seed
        self.native = _core.environment(spec, seed_of(seed))
        self.model = Problem.of_native(self.native.model)
        self._model_arguments: tuple[Any, ...] | None = None

    @classmethod
    def of_model(
        cls,
        model: Problem,
        *,
        noise: Any = 0.0,
        bernoulli: bool = False,
        goals: tuple[int, ...] = (),
    ) -> Environment:
        """An environment of your own.

        ``model`` has the true transitions and mean rewards. Rewards carry Gaussian noise of
        standard deviation ``noise`` (a number, or by layer ``(states, actions)``), or are 0 or 1
        with their mean if ``bernoulli``. An episode that takes one of the pairs ``goals`` is a
        success.
        """
        pairs = model.layout.pairs
        spread = np.full(pairs, float(noise)) if one_number(noise) else model.flat("noise", noise)
        if not (np.isfinite(spread) & (spread >= 0.0)).all():
            raise wrong("noise", "must be finite and >= 0")
        if bernoulli and spread.any():
            raise wrong("noise", "does not apply: the rewards are 0 or 1")
        if bernoulli and not ((model.reward_mean.flat >= 0) & (model.reward_mean.flat <= 1)).all():
            raise wrong("model", "mean rewards must be in [0, 1], since rewards are 0 or 1")
        for goal in goals:
            if not 0 <= goal < pairs:
                raise wrong("goals", f"there is no pair {goal}")
        environment = cls.__new__(cls)
        environment.spec = None
        environment.seed = 0
        environment.native = _core.environment_of_model(
            model.native, spread, bernoulli, list(goals)
        )
        environment.model = Problem.of_native(environment.native.model)
        environment._model_arguments = (model, spread, bernoulli, tuple(goals))
        return environment

    @property
    def goals(self) -> Indices:
        """The pairs that make an episode a success."""
        return self.native.goals

    def first_state(self, random: RandomStream) -> int:
        """The first state of an episode."""
        return self.native.first_state(random)

    def take(self, pair: int, random: RandomStream) -> tuple[float, int]:
        """Takes a pair: the reward and the next state, -1 after the last layer."""
        return self.native.take(pair, random)

    def play(self, policy: Layered | Any, random: RandomStream) -> Episode:
        """Plays one episode under a policy by layer ``(states, actions)``."""
        return Episode(*self.native.play(self.model.flat_policy(policy), random))

    def reached_goal(self, episode: Episode) -> bool:
        """Whether the episode took a goal."""
        return self.native.reached_goal(steps_of(episode))

    def value(self, policy: Layered | Any) -> float:
        """The expected return of a policy in the true model."""
        return float(self.model.occupancy(policy).flat @ self.model.reward_mean.flat)

    def optimal_value(self) -> float:
        """The expected return of the best policy."""
        return self.model.optimal_value()

    def __repr__(self) -> str:
        if self.spec is None:
            return f"Environment.of_model({self.model!r})"
        return f"Environment({self.spec!r}, seed={self.seed})"

    def __reduce__(self) -> Any:
        if self._model_arguments is not None:
            return _environment_of_model, self._model_arguments
        return Environment, (self.spec, self.seed)


def _environment_of_model(
    model: Problem, noise: Doubles, bernoulli: bool, goals: tuple[int, ...]
) -> Environment:
    return Environment.of_model(model, noise=noise, bernoulli=bernoulli, goals=goals)
