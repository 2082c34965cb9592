"""Problems: what a belief says about an MDP, and all that the solver needs."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from .constraints import Constraint, checked
from .errors import InputError, wrong
from .layered import Doubles, Indices, Layered, Layout
from .tables import PairTable, next_table, numbers, one_number, pair_table, real, seed_of, whole

Tables = tuple[
    Indices, Indices, Doubles, Doubles, Doubles, npt.NDArray[np.int64], Indices, Doubles, Doubles,
    Doubles,
]  # fmt: skip

Stated = list[tuple[str, str, float, Indices, Doubles]]
"""Constraints as the library has them: name, sense, bound, pairs and what each counts."""


class Problem:
    """VAPOR's problem: mean rewards and sigmas of a layered MDP, its transitions and its start.

    Parameters
    ----------
    reward_mean, sigma
        By layer an array ``(states, actions)``; an array ``(layers, states, actions)`` is a list of
        its layers. A layer whose states differ in their number of actions is a list of rows.
        ``sigma`` is >= 0.
    transitions
        By layer but the last an array ``(states, actions, next states)`` or a SciPy sparse matrix
        ``(states * actions, next states)``; None for a problem of one layer.
    initial
        Distribution over the states of the first layer, an array ``(states,)``; None if there is
        only one.
    constraints
        :class:`vapor.Constraint` s on the occupancy measure.
    discount
        Between 0 and 1: the problem is stationary, has one layer, and its transitions, a list of
        one ``(states, actions, states)``, lead back into it; :meth:`discounted` says it in fewer
        words.

    All arrays are copied. Raises :class:`vapor.InputError` that names the place of what is wrong.
    """

    def __init__(
        self,
        reward_mean: Any,
        sigma: Any,
        transitions: Any = None,
        initial: Any = None,
        constraints: Iterable[Constraint] = (),
        discount: float | None = None,
    ) -> None:
        gamma = None if discount is None else real("discount", discount)
        rewards = pair_table("reward_mean", reward_mean)
        sigmas = pair_table("sigma", sigma)
        sigmas.expect_layout(rewards)
        layout = rewards.layout
        begin, next_state, probability = next_table(
            transitions, layout, stationary=gamma is not None
        )
        start = start_of(initial, layout)
        no_base = np.zeros(layout.pairs), np.zeros(len(layout.actions))
        tables = (layout.states, layout.actions, start, rewards.flat, sigmas.flat, begin,
                  next_state, probability, *no_base)  # fmt: skip
        try:
            self._set(_constrained(_core.problem(*tables, gamma), layout, constraints))
        except InputError as error:
            raise _in_words_of_arrays(error) from None

    @classmethod
    def of_native(cls, native: _core.Problem) -> Problem:
        """The problem that the library holds."""
        problem = cls.__new__(cls)
        problem._set(native)
        return problem

    def _set(self, native: _core.Problem) -> None:
        self.native = native
        tables: Tables = native.tables()
        for table in tables:
            table.flags.writeable = False
        self._tables = tables
        self.layout = Layout(tables[0], tables[1])

    @classmethod
    def stationary(
        cls, reward_mean: Any, sigma: Any, transitions: Any, horizon: int, initial: Any = 0
    ) -> Problem:
        """The problem of ``horizon`` layers that all have these tables.

        ``reward_mean`` and ``sigma`` are ``(states, actions)``, or one number for all pairs;
        ``transitions`` is ``(states, actions, states)``, or sparse ``(states * actions, states)``
        beside a table of rewards or sigma. ``initial`` is the number of the first state, or a
        distribution over the states.
        """
        horizon = whole("horizon", horizon, 1, 2**31 - 1)
        steps = [transitions] * (horizon - 1)
        rewards, sigmas, start = _whole_tables(reward_mean, sigma, transitions, initial)
        return cls([rewards] * horizon, [sigmas] * horizon, steps, start)

    @classmethod
    def discounted(
        cls,
        reward_mean: Any,
        sigma: Any,
        transitions: Any,
        discount: float,
        initial: Any = 0,
        constraints: Iterable[Constraint] = (),
    ) -> Problem:
        """The stationary problem with this discount: tables as :meth:`stationary` takes them.

        Its occupancy measures sum to 1, and a discounted return is a value over 1 - discount
        (docs/solver.md).
        """
        rewards, sigmas, start = _whole_tables(reward_mean, sigma, transitions, initial)
        return cls([rewards], [sigmas], [transitions], start, constraints, discount)

    @property
    def discount(self) -> float | None:
        """Of a stationary problem; None of a layered one."""
        return self.native.discount()

    def constrained(self, constraints: Iterable[Constraint]) -> Problem:
        """The same problem with these constraints in place of those that it has."""
        return Problem.of_native(_constrained(self.native, self.layout, constraints))

    @property
    def constraints(self) -> list[Constraint]:
        """The constraints, their cost as one array ``(pairs,)``."""
        found = []
        for name, sense, bound, pairs, coefficients in self.stated_constraints:
            cost = np.zeros(self.layout.pairs)
            cost[pairs] = coefficients
            found.append(Constraint(name, cost, sense, bound))  # type: ignore[arg-type]
        return found

    @property
    def stated_constraints(self) -> Stated:
        """The constraints as the library has them."""
        return self.native.constraints()

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Problem:
        """A problem file: JSON, or NPZ if the name ends in ``.npz``."""
        name = os.fspath(path)
        if name.endswith(".npz"):
            from .npz import read_npz

            return read_npz(name)
        return cls.of_native(_core.read_problem(name))

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes a problem file: JSON, or NPZ if the name ends in ``.npz``."""
        name = os.fspath(path)
        if name.endswith(".npz"):
            from .npz import write_npz

            write_npz(name, self)
        else:
            self.native.write(name)

    @property
    def initial(self) -> Doubles:
        """The distribution of the first state, ``(states of the first layer,)``."""
        return self._tables[2]

    @property
    def reward_mean(self) -> Layered:
        """E r, by layer ``(states, actions)``."""
        return Layered(self._tables[3], self.layout)

    @property
    def sigma(self) -> Layered:
        """sigma, by layer ``(states, actions)``."""
        return Layered(self._tables[4], self.layout)

    @property
    def tables(self) -> Tables:
        """All tables as the library has them; :mod:`vapor.npz` names them."""
        return self._tables

    def transitions(self, layer: int) -> npt.NDArray[np.float64]:
        """P of a layer but the last, or of a stationary problem's one: ``(pairs, next states)``."""
        stationary = self.discount is not None
        last = self.layout.layers - (1 if stationary else 2)
        if not 0 <= layer <= last:
            raise IndexError(f"there are transitions of the layers 0 to {last}")
        following = layer if stationary else layer + 1
        _, _, _, _, _, begin, next_state, probability, base_weight, base = self._tables
        first_state = self.layout.first_state
        first, last = self.layout.first_pair[first_state[layer : layer + 2]]
        states = slice(*first_state[following : following + 2])
        dense = np.outer(base_weight[first:last], base[states])
        rows = np.repeat(np.arange(last - first), np.diff(begin[first : last + 1]))
        entries = slice(begin[first], begin[last])
        np.add.at(dense, (rows, next_state[entries]), probability[entries])
        return dense

    def occupancy(self, policy: Layered | npt.ArrayLike) -> Layered:
        """The occupancy measure of a policy, which is by layer ``(states, actions)``."""
        return Layered(self.native.occupancy(self.flat_policy(policy)), self.layout)

    def optimal_value(self) -> float:
        """The value of the best policy for the mean rewards, sigma ignored."""
        return float(self.native.optimal_values()[0])

    def flat(self, place: str, table: Any) -> Doubles:
        """A table by pair as one array ``(pairs,)``, whatever form it is given in."""
        if isinstance(table, Layered):
            if table.layout != self.layout or not table.by_pair:
                raise wrong(place, f"is a table of {table.layout}, the problem has {self.layout}")
            values = table.flat
        elif isinstance(table, np.ndarray) and table.ndim == 1 and table.dtype != object:
            values = numbers(place, table, 1)
        else:
            given: PairTable = pair_table(place, table)
            given.expect_layout(PairTable("the problem", np.empty(0), self.layout))
            values = given.flat
        if len(values) != self.layout.pairs:
            raise wrong(place, f"must have {self.layout.pairs} pairs, has {len(values)}")
        return values

    def flat_policy(self, policy: Any) -> Doubles:
        """A policy as one array ``(pairs,)``: a distribution over the actions of each state."""
        values = self.flat("policy", policy)
        sums = np.add.reduceat(values, self.layout.first_pair[:-1])
        bad = (np.abs(sums - 1.0) > 1e-6) | (
            np.minimum.reduceat(values, self.layout.first_pair[:-1]) < 0.0
        )
        if bad.any():
            state = int(np.argmax(bad))
            layer = int(np.searchsorted(self.layout.first_state, state, side="right")) - 1
            within = state - int(self.layout.first_state[layer])
            raise wrong(f"policy[{layer}][{within}]", "must be >= 0 and sum to 1")
        return values

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        from .charts import problem_chart

        return problem_chart(self)._repr_mimebundle_()

    def __repr__(self) -> str:
        layout = self.layout
        count = len(self.stated_constraints)
        more = f", {count} constraint{'s' if count > 1 else ''}" if count else ""
        gamma = self.discount
        kind = f"{layout.layers} layers" if gamma is None else f"discount {gamma:g}"
        return f"Problem({kind}, {len(layout.actions)} states, {layout.pairs} pairs{more})"

    def refuse_families(self, who: str) -> None:
        """An error if a belief of a pair names its family, which tables of numbers cannot say."""
        if self.native.has_families():
            raise wrong("belief", f"{who} has no place for families; write the problem as JSON")

    def __reduce__(self) -> tuple[Callable[..., Problem], tuple[Tables, Stated, float | None]]:
        self.refuse_families("a pickle")
        return problem_of_tables, (self._tables, self.stated_constraints, self.discount)


def _whole_tables(
    reward_mean: Any, sigma: Any, transitions: Any, initial: Any
) -> tuple[Any, Any, Any]:
    """Rewards, sigmas and the distribution of the first state, of numbers that stand for them."""
    like = _table_of_pairs(reward_mean, sigma, transitions)
    rewards, sigmas = (
        [np.full(len(row), float(table)) for row in like] if one_number(table) else table
        for table in (reward_mean, sigma)
    )
    start = initial
    if isinstance(initial, int | np.integer):
        start = np.zeros(len(like))
        start[whole("initial", initial, 0, len(like) - 1)] = 1.0
    return rewards, sigmas, start


def _table_of_pairs(reward_mean: Any, sigma: Any, transitions: Any) -> Any:
    """A table with a row for each state and a column for each of its actions."""
    for table in (reward_mean, sigma):
        if not one_number(table):
            return table
    if np.ndim(transitions) == 3:
        return np.zeros(np.shape(transitions)[:2])
    raise wrong(
        "reward_mean", "one number for all pairs asks for sigma or transitions by state and action"
    )


def _in_words_of_arrays(error: InputError) -> InputError:
    """The library's places are those of problem files: layers[3].sigma[2][0] is sigma[3][2, 0]."""
    place = re.sub(r"^layers\[(\d+)\]\.(\w+)", r"\2[\1]", error.place)
    place = re.sub(r"^next\b", "transitions", place)
    place = re.sub(r"(\[\d+)\]\[(\d+\])$", r"\1, \2", place)
    return wrong(place, str(error).removeprefix(f"{error.place}: "))


def problem_of_tables(
    tables: Tables, stated: Stated | None = None, discount: float | None = None
) -> Problem:
    """The problem that has these tables and constraints, as the library has them."""
    native = _core.problem(*tables, discount)
    return Problem.of_native(native.constrained(stated) if stated else native)


def _constrained(
    native: _core.Problem, layout: Layout, constraints: Iterable[Constraint]
) -> _core.Problem:
    stated: Stated = []
    for number, constraint in enumerate(constraints):
        given = checked(constraint, number)
        cost = given.flat_cost(layout)
        pairs = np.flatnonzero(cost).astype(np.int32)
        stated.append((given.name, given.sense, float(given.bound), pairs, cost[pairs]))
    return native.constrained(stated) if stated or native.constraints() else native


def start_of(initial: Any, layout: Layout) -> Doubles:
    """The distribution of the first state, ``(states of the first layer,)``."""
    states = int(layout.states[0])
    if initial is not None:
        return numbers("initial", initial, 1)
    if states > 1:
        raise wrong("initial", f"is needed: the first layer has {states} states")
    return np.ones(1)


def random_problem(
    layers: int = 10,
    states: int = 10,
    actions: int = 3,
    *,
    successors: int = 4,
    base_weight: float = 0.0,
    reward_scale: float = 1.0,
    sigma_range: Sequence[float] = (0.1, 1.0),
    zero_sigma_share: float = 0.0,
    seed: int = 1,
) -> Problem:
    """A random problem with ``successors`` next states a pair; see docs/problem-file.md."""
    low, high = sigma_range
    return Problem.of_native(
        _core.random_problem(
            layers,
            states,
            actions,
            min(successors, states),
            base_weight,
            reward_scale,
            low,
            high,
            zero_sigma_share,
            seed_of(seed),
        )
    )
