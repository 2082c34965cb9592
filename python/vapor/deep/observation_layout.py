"""Observations of Gymnasium as the library has them: channels x height x width of one kind."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, cast

import numpy as np
import numpy.typing as npt

from ..errors import refuse_other_than_file, wrong

Bytes = npt.NDArray[np.uint8]
Element = Literal["byte", "flag", "float"]

FILE = "observations.json"


@dataclass(frozen=True)
class ObservationLayout:
    """How an array of observations becomes what networks see.

    ``source`` is the shape of one observation, ``axes`` the order in which its axes are read, and
    ``channels``, ``height`` and ``width`` the result. ``values`` are the sizes of the sets of a
    discrete observation, which becomes one-hot vectors side by side, and ``starts`` their first
    numbers; empty: an array of numbers. Actions are numbered from ``first_action``.
    """

    source: tuple[int, ...]
    axes: tuple[int, ...]
    channels: int
    height: int
    width: int
    element: Element
    actions: int
    first_action: int
    values: tuple[int, ...] = ()
    starts: tuple[int, ...] = ()

    @property
    def shape(self) -> tuple[int, int, int, str]:
        """Channels, height, width and the kind of number."""
        return self.channels, self.height, self.width, self.element

    def encode(self, observations: Any) -> Bytes:
        """Observations ``(places, *source)`` as bytes, place by place."""
        array = np.asarray(observations)
        if array.shape[1:] != self.source or array.ndim != 1 + len(self.source):
            raise wrong(
                "observations",
                f"must have shape (places, {', '.join(map(str, self.source))}), has {array.shape}",
            )
        kinds = "iu" if self.values else "biuf" if self.element == "float" else "biu"
        if array.dtype.kind not in kinds:
            raise wrong("observations", f"do not fit their space: they are of dtype {array.dtype}")
        if self.values:
            return self._one_hot(array.reshape(len(array), -1))
        array = array.transpose(0, *(axis + 1 for axis in self.axes))
        if self.element == "float":
            numbers = np.ascontiguousarray(array, dtype=np.float32)
            if not np.isfinite(numbers).all():
                place = int(np.argwhere(~np.isfinite(numbers))[0][0])
                raise wrong("observations", f"place {place} sees numbers that are not finite")
            return numbers.reshape(-1).view(np.uint8)
        if self.element == "flag":
            array = array != 0
        elif array.size and not (array.min() >= 0 and array.max() <= 255):
            raise wrong("observations", "do not fit their space: they are outside of 0..255")
        return np.ascontiguousarray(array).astype(np.uint8, copy=False).reshape(-1)

    def _one_hot(self, numbers: npt.NDArray[Any]) -> Bytes:
        chosen = numbers.astype(np.int64) - np.array(self.starts)
        if ((chosen < 0) | (chosen >= np.array(self.values))).any():
            raise wrong("observations", "are outside of their discrete space")
        columns = chosen + np.concatenate([[0], np.cumsum(self.values)[:-1]])
        flags = np.zeros((len(numbers), sum(self.values)), dtype=np.uint8)
        np.put_along_axis(flags, columns, 1, axis=1)
        return flags.reshape(-1)

    def write(self, folder: Path) -> None:
        """Beside a record, which knows an environment of Python by name alone; all or nothing."""
        folder.mkdir(parents=True, exist_ok=True)
        aside = folder / f"{FILE}.new"
        aside.write_text(json.dumps(asdict(self)) + "\n", encoding="utf-8")
        os.replace(aside, folder / FILE)

    @classmethod
    def read(cls, folder: Path) -> ObservationLayout | None:
        """Of a record; None if its environment was not of Python."""
        path = folder / FILE
        if not path.exists():
            return None
        refuse_other_than_file(os.fspath(path))
        try:
            fields: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            for name, value in fields.items():
                fields[name] = tuple(value) if isinstance(value, list) else value
            return cls(**fields)
        except (ValueError, TypeError) as error:
            raise wrong(str(path), f"is damaged: {error}") from None


def layout_of(observation_space: Any, action_space: Any) -> ObservationLayout:
    """The layout of the spaces of one environment; raises InputError that names a space."""
    from gymnasium import spaces

    if not isinstance(action_space, spaces.Discrete):
        raise wrong("action_space", f"must be Discrete, got {action_space}")
    actions = (int(action_space.n), int(action_space.start))
    space = observation_space
    if isinstance(space, spaces.Discrete | spaces.MultiDiscrete):
        sizes = np.atleast_1d(space.n if isinstance(space, spaces.Discrete) else space.nvec)
        starts = np.broadcast_to(space.start, sizes.shape)
        values = tuple(int(n) for n in sizes.reshape(-1))
        source = () if isinstance(space, spaces.Discrete) else tuple(sizes.shape)
        return ObservationLayout(
            source, (), 1, 1, sum(values), "flag", *actions, values,
            tuple(int(n) for n in starts.reshape(-1)),
        )  # fmt: skip
    if not isinstance(space, spaces.Box | spaces.MultiBinary):
        raise wrong(
            "observation_space",
            f"must be Box, Discrete, MultiDiscrete or MultiBinary, got {space}; flatten it with "
            "gymnasium.wrappers.FlattenObservation",
        )
    source = tuple(int(n) for n in space.shape)
    axes, image = _image_of(source, space)
    return ObservationLayout(source, axes, *image, _element_of(space), *actions)


def _image_of(
    source: tuple[int, ...], space: Any
) -> tuple[tuple[int, ...], tuple[int, int, int]]:
    """The order of the axes, and channels, height and width.

    Of three axes the channels are the shorter of the first and the last, the last if they are
    equal. Of four the first is a stack and the last the colours.
    """
    if 0 in source or len(source) > 4:
        raise wrong("observation_space", f"must have 0 to 4 axes that are not empty, got {space}")
    if len(source) < 2:
        return tuple(range(len(source))), (1, 1, int(np.prod(source)))
    if len(source) == 2:
        return (0, 1), (1, source[0], source[1])
    if len(source) == 4:
        stack, height, width, colours = source
        return (0, 3, 1, 2), (stack * colours, height, width)
    if source[0] < source[2]:
        return (0, 1, 2), cast(tuple[int, int, int], source)
    return (2, 0, 1), (source[2], source[0], source[1])


def _element_of(space: Any) -> Element:
    from gymnasium import spaces

    if isinstance(space, spaces.MultiBinary) or space.dtype == np.bool_:
        return "flag"
    if space.dtype == np.uint8:
        if space.high.max() <= 1:
            return "flag"
        if space.high.max() == 255:
            return "byte"
    if space.dtype.kind not in "fiu":
        raise wrong("observation_space", f"must be of real numbers, got {space}")
    return "float"
