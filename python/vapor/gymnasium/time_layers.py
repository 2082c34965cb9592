"""Gymnasium environments with discrete spaces as layered MDPs, which tabular agents learn in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from .. import _core
from ..beliefs import Belief
from ..converters import outcomes
from ..environments import Environment, Episode
from ..errors import wrong
from ..layered import Doubles, Layout
from ..problem import Problem
from ..tables import numbers

# Settings that one belief alone has: naming one means that belief.
_OF_GAUSSIAN = ("mean", "variance", "noise_variance")
_OF_BETA = ("a", "b")
BY_PAIR = ("mean", "variance", "a", "b")  # these may be tables


def kind_of(settings: Mapping[str, Any]) -> str:
    """The belief that settings mean: its name."""
    if any(name in settings for name in _OF_GAUSSIAN):
        return "gaussian"
    return "beta" if any(name in settings for name in _OF_BETA) else "normal-gamma"


def belief_of(layout: Problem, settings: dict[str, Any]) -> Belief:
    """Rewards of unknown noise, unless the settings are those of another belief."""
    kinds: dict[str, Callable[..., Belief]] = {
        "gaussian": Belief.gaussian,
        "beta": Belief.beta,
        "normal-gamma": Belief.normal_gamma,
    }
    return kinds[kind_of(settings)](layout, **settings)


class Played(NamedTuple):
    """An episode as it was played: what was seen and done, arrays ``(steps,)``."""

    states: npt.NDArray[np.int64]
    actions: npt.NDArray[np.int64]
    rewards: Doubles
    following: npt.NDArray[np.int64]


class Numbering(NamedTuple):
    """How the values of a discrete space are numbered from 0: the sizes and first values of its
    parts, the last part counting fastest."""

    sizes: tuple[int, ...]
    firsts: tuple[int, ...]

    @property
    def values(self) -> int:
        """How many there are."""
        return int(np.prod(self.sizes))

    def __call__(self, value: Any) -> int:
        """The number of a value."""
        parts = (value,) if len(self.sizes) == 1 else np.ravel(np.asarray(value))
        number = 0
        for part, size, first in zip(parts, self.sizes, self.firsts, strict=True):
            within = int(part) - first
            if not 0 <= within < size:
                raise wrong("observation", f"{value} is not in the observation space")
            number = number * size + within
        return number


class Readable(Protocol):
    """What it takes to play a policy by pair: where the pairs of an observation are."""

    horizon: int
    layout: Layout
    end: int  # what stands for the end of an episode: the number after the last state

    def number(self, observation: Any) -> int:
        """The state that an observation stands for."""

    def choice(self, step: int, state: int) -> tuple[int, int]:
        """The first pair of a state after so many steps, and how many actions it has."""


class Layers(Readable, Protocol):
    """How an environment is laid out in layers, and what an agent knows of them."""

    numbering: Numbering
    by_time: bool
    problem: Problem  # the layers, states and actions; nothing else of it is known

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

    by_time = True

    def __init__(self, env: Any, horizon: int | None = None, stationary: bool = True) -> None:
        self.numbering = numbering_of("observation space", env.observation_space)
        self.states = self.numbering.values
        self.actions = discrete_actions(env)
        self.horizon = _horizon_of(env, horizon)
        self.end = self.states
        self.stationary = stationary
        self._layer_states = self.states + 1
        self._layer_pairs = self.states * self.actions + 1
        self.problem = self._empty_problem()
        self.layout = self.problem.layout

    def number(self, observation: Any) -> int:
        """The state that an observation stands for, 0, ..., states - 1."""
        return self.numbering(observation)

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
        :meth:`vapor.Belief.gaussian`, those that name ``a`` or ``b`` of :meth:`vapor.Belief.beta`.
        These five may be tables ``(states, actions)``, the same at every step.
        """
        tables = {
            name: self._at_every_step(name, settings[name])
            for name in BY_PAIR
            if np.ndim(settings.get(name, 0.0)) == 2
        }
        return belief_of(self.problem, {**self.places(), **settings, **tables})

    def places(self) -> dict[str, Any]:
        """Which states are one, which are ends, and whether counts are pooled: settings of every
        belief of the library."""
        layer = np.arange(self._layer_states, dtype=np.int32)
        places = np.concatenate([[self._layer_states], np.tile(layer, self.horizon)])
        ends = np.concatenate([[0], np.tile(layer == self.end, self.horizon)])
        return {
            "places": places.astype(np.int32),
            "ends": ends.astype(np.int32),
            "counts": "pooled" if self.stationary else "layer",
        }

    def _at_every_step(self, name: str, table: Any) -> Doubles:
        """A table ``(states, actions)`` by pair; the start and the ends have its first number."""
        values = numbers(f"belief {name}", table, 2)
        if values.shape != (self.states, self.actions):
            raise wrong(
                f"belief {name}",
                f"must be a number or have shape ({self.states}, {self.actions}), has "
                f"{values.shape}",
            )
        layer = np.append(values.ravel(), values[0, 0])
        return np.concatenate([values[0, :1], np.tile(layer, self.horizon)])

    def model(self, table: Mapping[int, Any], initial: Any) -> Problem:
        """The true model of an environment that has a table as Gymnasium's toy text:
        ``table[state][action] = [(probability, next state, reward, terminated), ...]``.

        ``initial`` is the distribution of the first state, ``(states,)``.
        """
        rewards = np.zeros(self._layer_pairs)
        rows: list[int] = []
        following: list[int] = []
        chances: list[float] = []
        for state in range(self.states):
            for action in range(self.actions):
                pair = state * self.actions + action
                for chance, after, reward, terminated in outcomes(table, state, action):
                    rewards[pair] += chance * reward
                    rows.append(pair)
                    following.append(self.end if terminated else after)
                    chances.append(chance)
        rows.append(self._layer_pairs - 1)
        following.append(self.end)
        chances.append(1.0)
        counts = np.bincount(rows, minlength=self._layer_pairs)
        start = np.flatnonzero(initial)
        steps = self.horizon - 1
        lengths = np.concatenate(
            [[len(start)], np.tile(counts, steps), np.zeros(self._layer_pairs, dtype=np.int64)]
        )
        empty = self.problem.tables
        return Problem.of_native(
            _core.problem(
                empty[0], empty[1], np.ones(1),
                np.concatenate([[0.0], np.tile(rewards, self.horizon)]),
                np.zeros(self.layout.pairs),
                np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
                np.concatenate([start, np.tile(following, steps)]).astype(np.int32),
                np.concatenate([np.asarray(initial)[start], np.tile(chances, steps)]),
                np.zeros(self.layout.pairs), np.zeros(len(self.layout.actions)),
            )
        )  # fmt: skip

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

    by_time = False

    def __init__(self, environment: Environment) -> None:
        self.environment = environment
        self.problem = environment.model
        self.layout = environment.model.layout
        self.horizon = self.layout.layers
        self.end = len(self.layout.actions)
        self.numbering = Numbering((self.end + 1,), (0,))

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


def numbering_of(place: str, space: Any) -> Numbering:
    """How the values of a discrete space are numbered."""
    from gymnasium import spaces

    parts: Any = (space,)
    if isinstance(space, spaces.MultiDiscrete):
        return Numbering(
            tuple(int(size) for size in space.nvec.ravel()),
            tuple(int(first) for first in space.start.ravel()),
        )
    if isinstance(space, spaces.Tuple):
        parts = space.spaces
    if not all(isinstance(part, spaces.Discrete) for part in parts):
        raise wrong(
            place,
            f"must be Discrete, MultiDiscrete or a Tuple of Discrete, is {space}; tabular agents "
            "count states, so observe a bin number instead, or use a deep agent",
        )
    return Numbering(
        tuple(int(part.n) for part in parts), tuple(int(part.start) for part in parts)
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
