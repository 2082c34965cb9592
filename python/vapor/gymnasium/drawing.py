"""Pictures of an environment for Gymnasium's render modes."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..environments import Environment

RENDER_MODES = ["ansi", "rgb_array"]
FRAMES_PER_SECOND = 4

Picture = npt.NDArray[np.uint8]

_GROUND = (28, 31, 38)
_CELL = (226, 229, 235)
_GOAL = (240, 190, 60)
_AGENT = (38, 103, 205)


class Drawing:
    """The cells of an environment: which there are, which hold goals, and where a state is."""

    def __init__(self, environment: Environment) -> None:
        native = environment.native
        self.rows, self.columns = native.rows, native.columns
        self.row: npt.NDArray[np.int32] = native.cell_rows()
        self.column: npt.NDArray[np.int32] = native.cell_columns()
        first_pair = environment.model.layout.first_pair
        goal_states = np.searchsorted(first_pair, environment.goals, side="right") - 1
        self._cells = np.zeros((self.rows, self.columns), dtype=bool)
        self._cells[self.row, self.column] = True
        self._goals = np.zeros_like(self._cells)
        self._goals[self.row[goal_states], self.column[goal_states]] = True

    def text(self, state: int) -> str:
        """A line a row: ``A`` the agent, ``G`` a goal, ``.`` a cell."""
        marks = np.where(self._goals, "G", np.where(self._cells, ".", " "))
        marks[self.row[state], self.column[state]] = "A"
        return "\n".join("".join(line).rstrip() for line in marks) + "\n"

    def picture(self, state: int) -> Picture:
        """An array ``(height, width, 3)``: the agent is blue, goals are yellow."""
        size = max(1, min(24, 480 // max(self.rows, self.columns)))
        picture = np.full((self.rows, self.columns, 3), _GROUND, dtype=np.uint8)
        picture[self._cells] = _CELL
        picture[self._goals] = _GOAL
        picture = picture.repeat(size, axis=0).repeat(size, axis=1)
        inset = size // 6
        top, left = self.row[state] * size + inset, self.column[state] * size + inset
        bottom, right = top + size - 2 * inset, left + size - 2 * inset
        picture[top:bottom, left:right] = _AGENT
        return picture

    def rendered(self, state: int, mode: str | None) -> Any:
        """What ``render`` returns, None if there is no mode."""
        if mode == "ansi":
            return self.text(state)
        if mode == "rgb_array":
            return self.picture(state)
        return None
