"""Tables of a layered MDP: a number for each state, or for each pair of state and action."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

import numpy as np
import numpy.typing as npt

Doubles = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int32]


class Layout:
    """The shape of a layered MDP: its layers, their states, and the actions of these.

    States are numbered through all layers and pairs through all states, so that a table is also
    one flat array.
    """

    def __init__(self, states: Indices, actions: Indices) -> None:
        """``states``: how many, by layer. ``actions``: how many, by state of all layers."""
        self.states = states
        self.actions = actions
        self.first_state = np.concatenate([[0], np.cumsum(states, dtype=np.int64)])
        self.first_pair = np.concatenate([[0], np.cumsum(actions, dtype=np.int64)])

    @property
    def layers(self) -> int:
        """How many there are."""
        return len(self.states)

    @property
    def pairs(self) -> int:
        """How many there are in all layers."""
        return int(self.first_pair[-1])

    def pair(self, layer: int, state: int, action: int) -> int:
        """The number of a pair among all pairs; ``state`` is numbered within its layer."""
        if not 0 <= layer < self.layers or not 0 <= state < self.states[layer]:
            raise IndexError(f"there is no state {state} in layer {layer}")
        through = int(self.first_state[layer]) + state
        if not 0 <= action < self.actions[through]:
            raise IndexError(f"state {state} of layer {layer} has no action {action}")
        return int(self.first_pair[through]) + action

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Layout)
            and np.array_equal(self.states, other.states)
            and np.array_equal(self.actions, other.actions)
        )

    def __repr__(self) -> str:
        return f"Layout({self.layers} layers, {len(self.actions)} states, {self.pairs} pairs)"


class Layered(Sequence[Doubles]):
    """A table by layer: ``table[l]`` is an array ``(states, actions)``, or ``(states,)``.

    ``table.flat`` is the same as one array. Where the states of a layer differ in their number of
    actions, ``table[l]`` has NaN for actions that do not exist. ``numpy.asarray(table)`` works if
    all layers have one shape. What is read is not to be changed: every view is read-only.
    """

    def __init__(self, flat: Doubles, layout: Layout, by_pair: bool = True) -> None:
        self.flat = flat
        self.layout = layout
        self.by_pair = by_pair
        self.flat.flags.writeable = False

    def __len__(self) -> int:
        return self.layout.layers

    @overload
    def __getitem__(self, layer: int) -> Doubles: ...
    @overload
    def __getitem__(self, layer: slice) -> Sequence[Doubles]: ...
    def __getitem__(self, layer: int | slice) -> Doubles | Sequence[Doubles]:
        if isinstance(layer, slice):
            return [self[k] for k in range(*layer.indices(len(self)))]
        if layer < 0:
            layer += len(self)
        if not 0 <= layer < len(self):
            raise IndexError(f"there are {len(self)} layers")
        begin, end = self.layout.first_state[layer : layer + 2]
        if not self.by_pair:
            return self.flat[begin:end]
        actions = self.layout.actions[begin:end]
        first, last = self.layout.first_pair[[begin, end]]
        if np.all(actions == actions[0]):
            return self.flat[first:last].reshape(-1, actions[0])
        padded = np.full((len(actions), actions.max()), np.nan)
        padded[np.arange(actions.max()) < actions[:, None]] = self.flat[first:last]
        padded.flags.writeable = False
        return padded

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        if copy is False:
            raise ValueError("a Layered becomes one array only by a copy")
        return np.array([self[layer] for layer in range(len(self))], dtype=dtype)

    def __repr__(self) -> str:
        rows = [f"  {layer}: {table.tolist()!s}" for layer, table in enumerate(self[:3])]
        more = [f"  ... {len(self) - 3} more layers"] if len(self) > 3 else []
        return "\n".join(["Layered(", *rows, *more, ")"])
