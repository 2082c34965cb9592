"""Beliefs about an MDP: what an agent that reasons about uncertainty learns with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from . import _core
from ._core import RandomStream
from .environments import Environment, Episode, Kind, steps_of
from .errors import wrong
from .layered import Doubles, Layered
from .own_beliefs import Checked
from .problem import Problem
from .tables import indices, numbers, one_number

Transform = Literal["paper", "reward-only", "range", "dirichlet-variance"]
Counts = Literal["pooled", "layer"]


NONE = np.empty(0, dtype=np.int32)


class Optimality(NamedTuple):
    """What is known about the optimal policy of an MDP drawn from a belief.

    ``marginal`` is P(pi*(s) = a), ``occupancy`` is P(Gamma*(s,a)), both by layer
    ``(states, actions)``; ``standard_error`` is of ``occupancy``, 0 where it is exact.
    """

    marginal: Layered
    occupancy: Layered
    standard_error: Layered
    value: float
    value_standard_error: float


def belief_kinds() -> list[Kind]:
    """The beliefs that a spec can name."""
    return [Kind(*kind) for kind in _core.belief_kinds()]


class Choice(NamedTuple):
    """What one value of a setting of a belief means, e.g. that of ``counts=pooled``."""

    belief: str
    setting: str
    summary: str


def belief_choices() -> list[Choice]:
    """The values of the settings that take one of several words, as ``vapor list beliefs`` has."""
    return [Choice(*choice) for choice in _core.belief_choices()]


class Belief:
    """A belief: :meth:`about` an environment, or of a layout.

    :meth:`normal_gamma` learns the noise of rewards with their mean and is the one to start with;
    :meth:`gaussian` and :meth:`beta` know the noise, :meth:`finite` is a list of models.
    """

    def __init__(self, make: Callable[..., _core.Belief], arguments: tuple[Any, ...]) -> None:
        """From one of the functions of this module that make a belief, with its arguments."""
        self._make = make
        self._arguments = arguments
        self.native = make(*arguments)
        self._layout = self.problem.layout

    @classmethod
    def about(cls, environment: Environment, spec: str | None = None) -> Belief:
        """The belief that a spec names (see ``vapor list beliefs``), or else the one that fits.

        What the environment publishes is known, the rest has the conjugate prior.
        """
        if spec is None:
            name = environment.spec.split(":")[0] if environment.spec else ""
            spec = _core.default_belief(name, environment.native)
        return cls(_belief_about, (spec, environment))

    @classmethod
    def normal_gamma(
        cls,
        layout: Problem,
        *,
        reward_range: tuple[float, float] | None = None,
        dynamics_known: bool = False,
        dirichlet_mass: float = 0.1,
        repeat: float = 1.0,
        transform: Transform = "reward-only",
        scale: float = 0.5,
        level: float = 0.05,
        level_weight: float = 0.1,
        least_level: float = 1e-5,
        places: Any = None,
        ends: Any = None,
        counts: Counts = "layer",
    ) -> Belief:
        """Rewards whose mean and noise are unknown, the level of noise being shared over pairs.

        ``reward_range`` are the least and the greatest mean reward, which untried pairs are
        believed capable of; without it they are learned from the rewards seen. ``level``,
        ``level_weight`` and ``least_level`` are those of docs/beliefs.md. The rest is as in
        :meth:`gaussian`.
        """
        known = np.empty(0) if reward_range is None else numbers("reward_range", reward_range, 1)
        if reward_range is not None and len(known) != 2:
            raise wrong("reward_range", f"must be (low, high), got {reward_range}")
        return cls(
            _normal_gamma_belief,
            (layout, dynamics_known, known, level, level_weight, least_level, dirichlet_mass,
             repeat, transform, scale, _place_tables(places, ends, counts)),
        )  # fmt: skip

    @classmethod
    def gaussian(
        cls,
        layout: Problem,
        *,
        mean: Any = 0.0,
        variance: Any = 1.0,
        noise_variance: float = 1.0,
        dynamics_known: bool = False,
        dirichlet_mass: float = 1.0,
        repeat: float = 1.0,
        transform: Transform = "paper",
        scale: float = 1.0,
        certain_next: Any = None,
        places: Any = None,
        ends: Any = None,
        counts: Counts = "layer",
    ) -> Belief:
        """Mean rewards N(mean, variance), seen with Gaussian noise of ``noise_variance``.

        ``layout`` gives the layers, states and actions and the start; its transitions count if
        ``dynamics_known``, else those of a pair are Dirichlet with mass ``dirichlet_mass`` over the
        next layer. ``mean`` and ``variance`` are numbers, or by layer ``(states, actions)``. A
        visit counts ``repeat`` times. ``transform`` and ``scale`` say how the uncertainty becomes
        sigma (docs/beliefs.md). ``certain_next`` is for dynamics of which a part is known: an
        array ``(pairs,)`` of the state, numbered through all layers, that surely follows a pair,
        -1 where that is unknown.

        ``places`` is an array ``(states,)``, through all layers, that gives the same number to
        states of different layers that are one; with ``counts="pooled"`` what is seen in one layer
        holds in all that have the place. ``ends`` is 1 where the episode is over: nothing is paid
        there, and what follows is the end of the next layer.
        """
        tables = _pair_tables(layout, mean=mean, variance=variance)
        return cls(
            _gaussian_belief,
            (layout, dynamics_known, *tables, noise_variance, dirichlet_mass, repeat, transform,
             scale, NONE if certain_next is None else indices("certain_next", certain_next),
             _place_tables(places, ends, counts)),
        )  # fmt: skip

    @classmethod
    def beta(
        cls,
        layout: Problem,
        *,
        a: Any = 1.0,
        b: Any = 1.0,
        dynamics_known: bool = False,
        dirichlet_mass: float = 1.0,
        repeat: float = 1.0,
        transform: Transform = "paper",
        scale: float = 1.0,
        places: Any = None,
        ends: Any = None,
        counts: Counts = "layer",
    ) -> Belief:
        """Mean rewards Beta(a, b) of rewards that are 0 or 1, numbers or by layer ``(states,
        actions)``; the rest as in :meth:`gaussian`."""
        return cls(
            _beta_belief,
            (layout, dynamics_known, *_pair_tables(layout, a=a, b=b), dirichlet_mass, repeat,
             transform, scale, _place_tables(places, ends, counts)),
        )  # fmt: skip

    @classmethod
    def finite(
        cls, models: Sequence[Problem], weights: Any = None, *, noise_variance: float = 0.0
    ) -> Belief:
        """The MDP is one of these models, with prior probabilities in proportion to ``weights``."""
        if len(models) == 0:
            raise wrong("models", "are none")
        prior = np.ones(len(models)) if weights is None else numbers("weights", weights, 1)
        return cls(_finite_belief, (tuple(models), prior, noise_variance))

    @classmethod
    def of_own(
        cls, belief: Any, *, places: Any = None, ends: Any = None, counts: Counts = "layer"
    ) -> Belief:
        """A belief of one's own: an object with ``problem()`` and ``update(episode)``, for
        Thompson sampling ``sample(random)`` too (:mod:`vapor.own_beliefs`).

        ``places``, ``ends`` and ``counts`` are what agents that keep counts of their own go by, as
        in :meth:`gaussian`.
        """
        return cls(_own_belief, (Checked(belief), _place_tables(places, ends, counts)))

    @property
    def name(self) -> str:
        """What a record calls it."""
        if self._make is _belief_about:
            return str(self._arguments[0])
        if self._make is _own_belief:
            return type(self._arguments[0].belief).__qualname__
        return self._make.__name__.strip("_").removesuffix("_belief").replace("_", "-")

    @property
    def can_be_saved(self) -> bool:
        """Whether its state can be kept: of a belief of one's own, if it has ``save`` and
        ``restore``."""
        return self._make is not _own_belief or self._arguments[0].can_be_saved

    def update(self, episode: Episode) -> None:
        """Learns from an episode. On an error the belief is as it was."""
        self.native.update(steps_of(episode))

    @property
    def problem(self) -> Problem:
        """The problem that the belief poses now: E P, E r and sigma."""
        return Problem.of_native(self.native.problem())

    def sample_optimal_policy(self, random: RandomStream) -> tuple[float, Layered]:
        """Draws an MDP: the value of its optimal policy, and that policy."""
        value, policy = self.native.sample_optimal_policy(random)
        return value, Layered(policy, self._layout)

    def optimality(self, random: RandomStream, samples: int = 1000) -> Optimality:
        """P(Gamma*) and its kin, exact for finite beliefs, else from so many sampled MDPs."""
        *tables, value, error = self.native.optimality(random, samples)
        marginal, occupancy, standard_error = (Layered(table, self._layout) for table in tables)
        return Optimality(marginal, occupancy, standard_error, value, error)

    def __reduce__(self) -> Any:
        if self._make is _own_belief:  # the object's own state is part of it
            return Belief, (self._make, self._arguments)
        return _restored_belief, (self._make, self._arguments, self.native.save())


def _restored_belief(
    make: Callable[..., _core.Belief], arguments: tuple[Any, ...], state: bytes
) -> Belief:
    belief = Belief(make, arguments)
    belief.native.restore(state)
    return belief


def _pair_tables(layout: Problem, **tables: Any) -> list[Doubles]:
    """Numbers as arrays ``(1,)``, tables as arrays ``(pairs,)``."""
    return [
        np.array([float(value)]) if one_number(value) else layout.flat(place, value)
        for place, value in tables.items()
    ]


def _place_tables(places: Any, ends: Any, counts: Counts) -> tuple[Any, Any, bool]:
    if counts not in ("pooled", "layer"):
        raise wrong("counts", f"must be pooled or layer, got {counts!r}")
    if counts == "pooled" and places is None:
        raise wrong("counts", "pooled asks for places")
    return (
        NONE if places is None else indices("places", places),
        NONE if ends is None else indices("ends", ends),
        counts == "pooled",
    )


def _belief_about(spec: str, environment: Environment) -> _core.Belief:
    return _core.belief(spec, environment.native)


def _normal_gamma_belief(layout: Problem, *settings: Any) -> _core.Belief:
    return _core.normal_gamma_belief(layout.native, *settings)


def _gaussian_belief(layout: Problem, *settings: Any) -> _core.Belief:
    return _core.gaussian_belief(layout.native, *settings)


def _beta_belief(layout: Problem, *settings: Any) -> _core.Belief:
    return _core.beta_belief(layout.native, *settings)


def _own_belief(belief: Checked, places: tuple[Any, Any, bool]) -> _core.Belief:
    return _core.own_belief(belief, places)


def _finite_belief(
    models: Sequence[Problem], weights: Any, noise_variance: float
) -> _core.Belief:
    return _core.finite_belief([model.native for model in models], weights, noise_variance)
