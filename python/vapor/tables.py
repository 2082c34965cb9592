"""Arrays of users as tables of the library: checked, converted, copied."""

from __future__ import annotations

from operator import index
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .errors import wrong
from .layered import Doubles, Indices, Layout


def numbers(place: str, values: Any, dimensions: int) -> Doubles:
    """A C-contiguous copy of an array of real numbers with so many dimensions.

    Whole numbers and booleans become float64; anything else that is not real is refused, and so
    are masked arrays, whose mask would be lost, and numbers that are not finite.
    """
    if isinstance(values, np.ma.MaskedArray):
        raise wrong(place, "is a masked array; fill it first, e.g. with .filled(0)")
    try:
        array = np.asarray(values)
    except ValueError:
        raise wrong(place, "rows have different lengths") from None
    if array.dtype.kind not in "fiub":
        raise wrong(place, f"must be real numbers, got dtype {array.dtype}")
    if array.ndim != dimensions:
        raise wrong(place, f"must have {dimensions} dimensions, has shape {array.shape}")
    copy = np.array(array, dtype=np.float64, order="C", subok=False)
    if not np.isfinite(copy).all():
        at = tuple(int(i) for i in np.argwhere(~np.isfinite(copy))[0])
        raise wrong(f"{place}[{', '.join(map(str, at))}]", f"must be finite, got {copy[at]}")
    return copy


def indices(place: str, values: Any) -> Indices:
    """A copy of an array ``(n,)`` of whole numbers."""
    array = np.asarray(values)
    if array.dtype.kind not in "iu" or array.ndim != 1:
        raise wrong(
            place, f"must be a list of whole numbers, got dtype {array.dtype}, shape {array.shape}"
        )
    if array.size and not (array.min() >= -(2**31) and array.max() < 2**31):
        raise wrong(place, "has numbers that are too large")
    return array.astype(np.int32)


def real(place: str, value: Any) -> float:
    """One real number."""
    if isinstance(value, bool) or not one_number(value):
        raise wrong(place, f"must be a number, got {value!r}")
    return float(value)


def whole(place: str, value: Any, low: int, high: int) -> int:
    """One whole number between two."""
    try:
        number = index(value)
    except TypeError:
        raise wrong(place, f"must be a whole number, got {value!r}") from None
    if not low <= number <= high:
        raise wrong(place, f"must be in {low}..{high}, got {number}")
    return number


def seed_of(value: Any) -> int:
    """A seed of a random stream."""
    return whole("seed", value, 0, 2**64 - 1)


def one_number(value: Any) -> bool:
    """Whether a value is a number, not a table of them."""
    return isinstance(value, float | int | np.floating | np.integer)


class PairTable(NamedTuple):
    """A number for each pair of state and action."""

    place: str
    flat: Doubles
    layout: Layout

    def expect_layout(self, other: PairTable) -> None:
        """Raises InputError that names the first layer in which the two differ."""
        if self.layout == other.layout:
            return
        if self.layout.layers != other.layout.layers:
            raise wrong(
                self.place,
                f"has {self.layout.layers} layers, {other.place} has {other.layout.layers}",
            )
        for layer in range(self.layout.layers):
            mine, theirs = _actions_of(self.layout, layer), _actions_of(other.layout, layer)
            if not np.array_equal(mine, theirs):
                raise wrong(
                    f"{self.place}[{layer}]",
                    f"has {_shape_words(mine)}, {other.place} has {_shape_words(theirs)}",
                )


def pair_table(place: str, layers: Any) -> PairTable:
    """By layer ``(states, actions)``, or a list of rows of different lengths."""
    layers = _layers_of(place, layers, 3)
    flat: list[Doubles] = []
    states: list[int] = []
    actions: list[Indices] = []
    for number, layer in enumerate(layers):
        rows = _rows_of(f"{place}[{number}]", layer)
        states.append(len(rows))
        actions.append(np.array([len(row) for row in rows], dtype=np.int32))
        flat.extend(rows)
    layout = Layout(np.array(states, dtype=np.int32), np.concatenate(actions))
    return PairTable(place, np.concatenate(flat), layout)


def next_table(
    layers: Any, layout: Layout, *, stationary: bool = False
) -> tuple[npt.NDArray[np.int64], Indices, Doubles]:
    """Transitions by layer but the last as begin, next_state and probability.

    Those of a stationary problem are one layer's, which leads back into itself.

    The successors of pair p are the entries begin[p], ..., begin[p + 1] - 1; next states are
    numbered within their layer.
    """
    steps = [] if layers is None else _layers_of("transitions", layers, 4)
    if stationary and (layout.layers != 1 or len(steps) != 1):
        raise wrong("transitions", "must have one layer, as reward_mean does, with a discount")
    if not stationary and len(steps) != layout.layers - 1:
        raise wrong(
            "transitions",
            f"must have {layout.layers - 1} layers, one fewer than reward_mean, has {len(steps)}",
        )
    counts: list[npt.NDArray[np.int64]] = []
    next_states: list[Indices] = []
    probabilities: list[Doubles] = []
    for layer, step in enumerate(steps):
        count, next_state, probability = _rows_of_transitions(
            layer, step, layout, layer if stationary else layer + 1
        )
        counts.append(count)
        next_states.append(next_state)
        probabilities.append(probability)
    last = layout.pairs - sum(len(count) for count in counts)
    begin = np.concatenate([np.zeros(1, np.int64), *counts, np.zeros(last, np.int64)]).cumsum()
    return (
        begin,
        np.concatenate([np.empty(0, np.int32), *next_states]),
        np.concatenate([np.empty(0), *probabilities]),
    )


def _layers_of(place: str, layers: Any, dimensions: int) -> list[Any]:
    """The layers of an array with so many dimensions, or of a sequence."""
    if isinstance(layers, np.ndarray) and layers.dtype != object:
        if isinstance(layers, np.ma.MaskedArray):
            raise wrong(place, "is a masked array; fill it first, e.g. with .filled(0)")
        if layers.ndim != dimensions:
            raise wrong(
                place,
                f"must be a list of layers or have {dimensions} dimensions, has shape "
                f"{layers.shape}",
            )
    if hasattr(layers, "tocsr") or isinstance(layers, (str, bytes)):
        raise wrong(place, "must be a list with an entry for each layer")
    try:
        entries = list(layers)
    except TypeError:
        raise wrong(place, f"must be a list of layers, got {type(layers).__name__}") from None
    if not entries and place != "transitions":
        raise wrong(place, "has no layers")
    return entries


def _rows_of(place: str, layer: Any) -> list[Doubles]:
    """The rows of a layer, one a state."""
    if not isinstance(layer, np.ndarray) and _is_ragged(layer):
        rows = [numbers(f"{place}[{state}]", row, 1) for state, row in enumerate(layer)]
    else:
        rows = list(numbers(place, layer, 2))
    if not rows:
        raise wrong(place, "has no states")
    for state, row in enumerate(rows):
        if len(row) == 0:
            raise wrong(f"{place}[{state}]", "has no actions")
    return rows


def _is_ragged(layer: Any) -> bool:
    try:
        return len({len(row) for row in layer}) > 1
    except TypeError:
        return False


def _actions_of(layout: Layout, layer: int) -> Indices:
    return layout.actions[slice(*layout.first_state[layer : layer + 2])]


def _shape_words(actions: Indices) -> str:
    if len(set(actions.tolist())) == 1:
        return f"shape ({len(actions)}, {actions[0]})"
    return f"{len(actions)} states with {actions.tolist()} actions"


def _rows_of_transitions(
    layer: int, step: Any, layout: Layout, following: int
) -> tuple[npt.NDArray[np.int64], Indices, Doubles]:
    """How many successors in the following layer each pair has, which, and how likely."""
    place = f"transitions[{layer}]"
    actions = _actions_of(layout, layer)
    pairs = int(actions.sum())
    if hasattr(step, "tocsr"):
        matrix = step.tocsr(copy=True)
        matrix.sum_duplicates()
        if matrix.shape[0] != pairs:
            raise wrong(place, f"must have a row for each of {pairs} pairs, has shape {step.shape}")
        values = numbers(f"{place}.data", matrix.data, 1)
        columns = matrix.shape[1]
        counts, next_state = np.diff(matrix.indptr), matrix.indices
    else:
        equal = len(set(actions.tolist())) == 1
        dense = numbers(place, step, 3 if equal else 2)
        if dense.shape[:-1] != ((len(actions), actions[0]) if equal else (pairs,)):
            wanted = f"({len(actions)}, {actions[0]}, ...)" if equal else f"({pairs}, ...)"
            raise wrong(place, f"must have shape {wanted}, has {dense.shape}")
        columns = dense.shape[-1]
        dense = dense.reshape(pairs, columns)
        counts = np.count_nonzero(dense, axis=1)
        _, next_state = np.nonzero(dense)
        values = dense[dense != 0.0]
    if columns != layout.states[following]:
        raise wrong(
            place, f"leads to {columns} states, layer {following} has {layout.states[following]}"
        )
    return counts.astype(np.int64), next_state.astype(np.int32), values
