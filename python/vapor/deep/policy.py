"""What a training learned, played on any environment."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from .. import _core
from ..errors import wrong
from ..layered import Doubles
from .observation_layout import Element, ObservationLayout


class Policy:
    """The policy of a record of training; :meth:`read` makes one. It is pickled as its folder."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        self.layout = ObservationLayout.read(self.folder)
        self.native = _core.read_policy(
            os.fspath(folder),
            None if self.layout is None else self.layout.shape,
            0 if self.layout is None else self.layout.actions,
        )

    @classmethod
    def read(cls, folder: str | os.PathLike[str]) -> Policy:
        """From the folder of one seed, whose training has ended or was interrupted."""
        return cls(folder)

    def __reduce__(self) -> Any:
        return Policy, (self.folder,)

    @property
    def actions(self) -> int:
        """How many there are."""
        return self.native.actions

    def begin(self, places: Any, *, seed: int = 0) -> None:
        """Episodes begin at these places.

        For agents that remember something within an episode: those with an LSTM, and ``boot-dqn``,
        which draws a head, by ``seed``. Places that were never begun do so when they are played.
        """
        self.native.begin(np.asarray(places, dtype=np.int64).reshape(-1), seed)

    def act(self, observations: Any) -> Doubles:
        """Probabilities ``(places, actions)`` at observations ``(places, ...)``.

        These are as the environment that was trained on shows them; of environments of the library
        indices of states ``(places,)``, or arrays ``(places, channels, height, width)``.
        """
        numbers = self._encode(observations)
        places = len(np.asarray(observations))
        return self.native.act(numbers).reshape(places, self.actions)

    def _encode(self, observations: Any) -> npt.NDArray[Any]:
        if self.layout is not None:
            return self.layout.encode(observations)
        array = np.asarray(observations)
        shape = self.native.shape
        if shape is None:
            if array.ndim != 1 or array.dtype.kind not in "iu":
                raise wrong("observations", "must be whole numbers (places,), indices of states")
            return array.astype(np.int64)
        channels, height, width, element = shape
        return ObservationLayout(
            (channels, height, width), (0, 1, 2), channels, height, width,
            cast(Element, element), self.actions, 0,
        ).encode(array)  # fmt: skip
