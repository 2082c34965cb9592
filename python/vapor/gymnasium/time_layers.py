"""Gymnasium environments with discrete spaces as layered MDPs, which tabular agents learn in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from .. import _core
from ..beliefs import Belief
from ..environments import Environment, Episode
from ..errors import wrong
from ..layered import Doubles, Layout
from ..problem import Problem

# These are of Belief.gaussian alone: settings that name one mean that belief.
_OF_KNOWN_NOISE = ("mean", "variance", "noise_variance")


def belief_of(layout: Problem, settings: dict[str, Any]) -> Belief:
    """Rewards of unknown noise, unless the settings are those of :meth:`vapor.Belief.gaussian`."""
    known_noise = any(name in settings for name in _OF_KNOWN_NOISE)
    return (Belief.gaussian if known_noise else Belief.normal_gamma)(layout, **settings)


class Played(NamedTuple):
    """An episode as it was played: what was seen and done, arrays ``(steps,)``."""

    states: npt.NDArray[np.int64]
    actions: npt.NDArray[np.int64]
    rewards: Doubles
    following: npt.NDArray[np.int64]


class Layers(Protocol):
    """How an environment is laid out in layers."""

    horizon: int
    layout: Layout
    end: int  # what stands for the end of an episode: the number after the last state

    def number(self, observation: Any) -> int:
        """The state that an observation stands for."""

    def choice(self, step: int, state: int) -> tuple[int, int]:
        """The first pair of a state after so many steps, and how many actions it has."""

    def episode(self, played: Played) -> Episode:
        """What an agent learns from an episode."""

    def belief(self, **settings: Any) -> Belief:
        """What an agent knows before the first episode."""


class TimeLayers:
    """Any environment with discrete spaces, its states repeated in a layer for each step.

    Layer 0 has one state, from which one action leads to the first observation, so that the start
    is learned like everything else. Layers 1 to ``horizon`` have the ``states`` of the environment
    and the end, which every agent knows to lead to itself and to pay nothing. If ``stationary``,
    what is seen at one step is taken to hold at every step.
    """

    def __init__(self, env: Any, horizon: int | None = None, stationary: bool = True) -> None:
        self.states, self._number = numbering("observation space", env.observation_space)
        self.actions = discrete_actions(env)
        self.horizon = _horizon_of(env, horizon)
        self.end = self.states
        self.stationary = stationary
        self._layer_states = self.states + 1
        self._layer_pairs = self.states * self.actions + 1
        self._problem = self._empty_problem()
        self.layout = self._problem.layout

    def number(self, observation: Any) -> int:
        """The state that an observation stands for, 0, ..., states - 1."""
        return self._number(observation)

    def choice(self, step: int, state: int) -> tuple[int, int]:
        """The first pair of a state after so many steps, and how many actions it has."""
        return 1 + step * self._layer_pairs + state * self.actions, self.actions

    def episode(self, played: Played) -> Episode:
        """The steps in their layers, after the one that leads to the first observation."""
        layers = np.arange(len(played.states))
        pairs = layers * self._layer_pairs + played.states * self.actions + played.actions + 1
        following = (layers + 1) * self._layer_states + played.following + 1
        following = np.where(layers + 1 == self.horizon, -1, following)
        return Episode(
            np.concatenate([[0], pairs]).astype(np.int32),
            np.concatenate([[0.0], played.rewards]),
            np.concatenate([[1 + played.states[0]], following]).astype(np.int32),
        )

    def belief(self, **settings: Any) -> Belief:
        """What is known of the layers; settings as in :meth:`vapor.Belief.normal_gamma`.

        Settings that name ``mean``, ``variance`` or ``noise_variance`` are those of
        :meth:`vapor.Belief.gaussian`.
        """
        layer = np.arange(self._layer_states, dtype=np.int32)
        places = np.concatenate([[self._layer_states], np.tile(layer, self.horizon)])
        ends = np.concatenate([[0], np.tile(layer == self.end, self.horizon)])
        known = {
            "places": places.astype(np.int32),
            "ends": ends.astype(np.int32),
            "counts": "pooled" if self.stationary else "layer",
        }
        return belief_of(self._problem, {**known, **settings})

    def _empty_problem(self) -> Problem:
        """No rewards, every next state as likely as another."""
        per_layer = [self.actions] * self.states + [1]
        states = np.array([1] + [self._layer_states] * self.horizon, dtype=np.int32)
        actions = np.array([1] + per_layer * self.horizon, dtype=np.int32)
        pairs = 1 + self.horizon * self._layer_pairs
        base_weight = np.ones(pairs)
        base_weight[-self._layer_pairs :] = 0.0
        base = np.full(len(actions), 1.0 / self._layer_states)
        base[0] = 0.0
        return Problem.of_native(
            _core.problem(
                states, actions, np.ones(1), np.zeros(pairs), np.zeros(pairs),
                np.zeros(pairs + 1, dtype=np.int64), np.empty(0, dtype=np.int32), np.empty(0),
                base_weight, base,
            )
        )  # fmt: skip


class OwnLayers:
    """An environment of this library, which has layers of its own."""

    def __init__(self, environment: Environment) -> None:
        self.environment = environment
        self.layout = environment.model.layout
        self.horizon = self.layout.layers
        self.end = len(self.layout.actions)

    def number(self, observation: Any) -> int:
        """The observation, which is the number of the state."""
        return int(observation)

    def choice(self, step: int, state: int) -> tuple[int, int]:
        """The first pair of a state, and how many actions it has."""
        return int(self.layout.first_pair[state]), int(self.layout.actions[state])

    def episode(self, played: Played) -> Episode:
        """The steps as they are."""
        following = np.where(played.following == self.end, -1, played.following)
        return Episode(
            (self.layout.first_pair[played.states] + played.actions).astype(np.int32),
            played.rewards,
            following.astype(np.int32),
        )

    def belief(self, **settings: Any) -> Belief:
        """As :meth:`TimeLayers.belief`; nothing is known of the environment but its layers."""
        return belief_of(self.environment.model, settings)


def layers_of(env: Any, horizon: int | None, stationary: bool) -> Layers:
    """The layers of an environment: its own if it is one of this library's and shows its states."""
    environment = getattr(env.unwrapped, "environment", None)
    if not isinstance(environment, Environment) or env.observation_space.shape != ():
        return TimeLayers(env, horizon, stationary)
    layers = environment.model.layout.layers
    if horizon is not None and horizon != layers:
        raise wrong("horizon", f"is {layers} in this environment, got {horizon}: leave it out")
    return OwnLayers(environment)


def numbering(place: str, space: Any) -> tuple[int, Callable[[Any], int]]:
    """How many values a discrete space has, and how they are numbered from 0."""
    from gymnasium import spaces

    if isinstance(space, spaces.Discrete):
        first = int(space.start)
        return int(space.n), lambda value: int(value) - first
    if isinstance(space, spaces.MultiDiscrete):
        sizes, firsts = space.nvec.ravel(), space.start.ravel()
    elif isinstance(space, spaces.Tuple) and all(
        isinstance(part, spaces.Discrete) for part in space.spaces
    ):
        parts = [part for part in space.spaces if isinstance(part, spaces.Discrete)]
        sizes = np.array([part.n for part in parts])
        firsts = np.array([part.start for part in parts])
    else:
        raise wrong(
            place,
            f"must be Discrete, MultiDiscrete or a Tuple of Discrete, is {space}; tabular agents "
            "count states, so observe a bin number instead, or use a deep agent",
        )
    shape = tuple(int(size) for size in sizes)
    return int(np.prod(shape)), lambda value: int(
        np.ravel_multi_index(tuple(np.ravel(np.asarray(value)) - firsts), shape)
    )


def discrete_actions(env: Any) -> int:
    """How many actions there are."""
    from gymnasium import spaces

    if not isinstance(env.action_space, spaces.Discrete) or env.action_space.start != 0:
        raise wrong("action space", f"must be Discrete from 0 on, is {env.action_space}")
    return int(env.action_space.n)


def _horizon_of(env: Any, horizon: int | None) -> int:
    if horizon is None:
        horizon = None if env.spec is None else env.spec.max_episode_steps
        if horizon is None:
            raise wrong("horizon", "is needed: the environment has no limit on its steps")
    if not isinstance(horizon, (int, np.integer)) or horizon < 1:
        raise wrong("horizon", f"must be a whole number >= 1, got {horizon!r}")
    return int(horizon)
