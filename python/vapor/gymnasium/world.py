"""What the single and the vector form of an environment share: its model and its spaces."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from gymnasium import Space, spaces

from ..environments import Environment
from ..errors import wrong
from .drawing import RENDER_MODES, Drawing

Observation = Literal["state", "grid"]
Observed = np.int64 | npt.NDArray[np.float32]


class World:
    """An environment with Gymnasium's spaces.

    A state is observed as its number through all layers, and the end of an episode as the number
    after the last: ``Discrete(states + 1)``. With ``observation="grid"`` a state is a 1 in an array
    ``(rows, columns)`` of zeros, and the end is zeros, as bsuite has it.
    """

    def __init__(
        self,
        kind: str,
        seed: int,
        settings: dict[str, Any],
        observation: Observation,
        render_mode: str | None,
    ) -> None:
        if observation not in ("state", "grid"):
            raise wrong("observation", f"must be state or grid, got {observation!r}")
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise wrong(
                "render_mode", f"must be None, {' or '.join(RENDER_MODES)}, got {render_mode!r}"
            )
        self.environment = Environment(spec_of(kind, settings), seed)
        self.layout = self.environment.model.layout
        self.states = len(self.layout.actions)
        self.drawing = Drawing(self.environment)
        self.by_cell = observation == "grid"
        layers = np.arange(self.layout.layers + 1)
        self.layer_of = np.repeat(layers, [*self.layout.states, 1])
        self.is_goal = np.zeros(self.layout.pairs, dtype=bool)
        self.is_goal[self.environment.goals] = True
        self.observation_space: Space[Any] = (
            spaces.Box(0.0, 1.0, (self.drawing.rows, self.drawing.columns), np.float32)
            if self.by_cell
            else spaces.Discrete(self.states + 1)
        )
        self.action_space = spaces.Discrete(int(self.layout.actions.max()))

    def observed(self, states: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
        """Of states ``(places,)``: the same array, or ``(places, rows, columns)``."""
        if not self.by_cell:
            return states
        grid = np.zeros((len(states), self.drawing.rows, self.drawing.columns), dtype=np.float32)
        places = np.flatnonzero(states < self.states)
        there = states[places]
        grid[places, self.drawing.row[there], self.drawing.column[there]] = 1.0
        return grid


def spec_of(kind: str, settings: dict[str, Any]) -> str:
    """``name:key=value,...`` of settings that are not None."""
    given = {key: value for key, value in settings.items() if value is not None}
    return kind + "".join(
        f"{':' if number == 0 else ','}{key}={_text_of(key, value)}"
        for number, (key, value) in enumerate(given.items())
    )


def _text_of(key: str, value: Any) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, float, np.integer, np.floating)):
        return repr(value.item() if isinstance(value, np.generic) else value)
    if isinstance(value, str) and not set(value) & set(":,="):
        return value
    raise wrong(key, f"must be a number, a bool or a word, got {value!r}")
