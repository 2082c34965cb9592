"""Linear constraints on the occupancy measure, and how they stand in a solution."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

import numpy as np

from .errors import wrong
from .layered import Doubles, Layered, Layout
from .tables import PairTable, numbers, one_number, pair_table

Sense = Literal["<=", ">=", "="]


class Constraint(NamedTuple):
    """``sum of cost * occupancy  <=, >= or =  bound``, over all pairs of state and action.

    ``cost`` is what a visit of each pair counts:

    - a table by layer ``(states, actions)``, as ``reward_mean`` is, or one array ``(pairs,)``;
    - a function ``cost(layer, state, action)``, or ``cost(state, action)`` for all layers alike;
    - a mapping from ``(layer, state, action)``, ``(layer, state)`` or ``layer`` to a number: for a
      pair, all actions of a state, a whole layer. What is not in it counts 0.
    """

    name: str
    cost: Any
    sense: Sense
    bound: float

    def flat_cost(self, layout: Layout) -> Doubles:
        """The cost as one array ``(pairs,)``; raises InputError that names the constraint."""
        place = f'constraint "{self.name}": cost'
        if callable(self.cost):
            return _of_function(place, self.cost, layout)
        if isinstance(self.cost, Mapping):
            return _of_mapping(place, self.cost, layout)
        if isinstance(self.cost, Layered):
            table = PairTable(place, self.cost.flat, self.cost.layout)
        elif isinstance(self.cost, np.ndarray) and self.cost.ndim == 1:
            table = PairTable(place, numbers(place, self.cost, 1), layout)
        else:
            table = pair_table(place, self.cost)
        table.expect_layout(PairTable("reward_mean", np.empty(0), layout))
        if len(table.flat) != layout.pairs:
            raise wrong(place, f"must have {layout.pairs} pairs, has {len(table.flat)}")
        return table.flat


class ConstraintUse(NamedTuple):
    """How a constraint stands in a solution.

    ``used`` is its left side. ``price`` is what the value gains for each unit that the bound is
    raised by: at least 0 for ``<=``, at most 0 for ``>=``.
    """

    name: str
    sense: str
    bound: float
    used: float
    price: float


def checked(constraint: Any, number: int) -> Constraint:
    """A constraint, or the four values of one; raises InputError that names it."""
    if not isinstance(constraint, tuple) or len(constraint) != 4:
        raise wrong(f"constraints[{number}]", "must be a vapor.Constraint")
    given = Constraint(*constraint)
    if not isinstance(given.name, str):
        raise wrong(f"constraints[{number}].name", f"must be a string, got {given.name!r}")
    place = f'constraints[{number}] ("{given.name}")'
    if not isinstance(given.sense, str):
        raise wrong(f"{place}.sense", f"must be one of <=, >=, =; got {given.sense!r}")
    if isinstance(given.bound, bool) or not one_number(given.bound):
        raise wrong(f"{place}.bound", f"must be a number, got {given.bound!r}")
    return given


def _pairs(layout: Layout) -> list[tuple[int, int, int]]:
    """(layer, state within it, action) of all pairs, in order."""
    return [
        (layer, state, action)
        for layer in range(layout.layers)
        for state, actions in enumerate(
            layout.actions[slice(*layout.first_state[layer : layer + 2])].tolist()
        )
        for action in range(actions)
    ]


def _of_function(place: str, cost: Callable[..., Any], layout: Layout) -> Doubles:
    arguments = len(inspect.signature(cost).parameters)
    if arguments not in (2, 3):
        raise wrong(place, "must take (state, action) or (layer, state, action)")
    flat = [_number(place, cost(*pair[3 - arguments :])) for pair in _pairs(layout)]
    return numbers(place, flat, 1)


def _of_mapping(place: str, cost: Mapping[Any, Any], layout: Layout) -> Doubles:
    flat = np.zeros(layout.pairs)
    for key, value in cost.items():
        where = key if isinstance(key, tuple) else (key,)
        if not 1 <= len(where) <= 3 or not all(isinstance(i, int | np.integer) for i in where):
            raise wrong(place, f"{key!r} is no layer, (layer, state) or (layer, state, action)")
        flat[_range(place, key, where, layout)] += _number(place, value)
    return numbers(place, flat, 1)


def _range(place: str, key: Any, where: tuple[Any, ...], layout: Layout) -> slice:
    """The pairs of a layer, of a state, or one pair."""
    layer, *rest = where
    if not 0 <= layer < layout.layers:
        raise wrong(place, f"{key!r}: there is no layer {layer}")
    first, last = layout.first_state[layer : layer + 2]
    if rest:
        if not 0 <= rest[0] < last - first:
            raise wrong(place, f"{key!r}: layer {layer} has no state {rest[0]}")
        first += rest[0]
        last = first + 1
    begin, end = layout.first_pair[[first, last]]
    if len(rest) == 2:
        if not 0 <= rest[1] < end - begin:
            raise wrong(place, f"{key!r}: the state has no action {rest[1]}")
        begin += rest[1]
        end = begin + 1
    return slice(begin, end)


def _number(place: str, value: Any) -> float:
    if not isinstance(value, bool | np.bool_) and not one_number(value):
        raise wrong(place, f"must give numbers, got {value!r}")
    return float(value)
