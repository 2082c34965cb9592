"""The environments of the library as Gymnasium environments, one class a kind.

Settings are those of the specs (``vapor list envs``); what is random about an environment itself,
such as the rewards of a grid world, is drawn from ``seed``, and what happens in it from the seed of
``reset``. The ``info`` of a step has ``layer``, that of the observed state, and ``success``,
whether the episode has taken a goal.
"""

from __future__ import annotations

from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium.utils import EzPickle

from .._core import RandomStream
from ..environments import Environment
from ..errors import wrong
from ..tables import whole
from .drawing import FRAMES_PER_SECOND, RENDER_MODES
from .registration import plain_classes
from .world import Observation, Observed, World


class SingleEnv(EzPickle, gymnasium.Env[Observed, np.int64]):
    """One environment; see :class:`vapor.gymnasium.world.World` for what is observed."""

    metadata: dict[str, Any] = {  # noqa: RUF012 as Gymnasium declares it
        "render_modes": RENDER_MODES,
        "render_fps": FRAMES_PER_SECOND,
    }
    kind: ClassVar[str]

    def __init__(
        self,
        *,
        seed: int = 1,
        observation: Observation = "state",
        render_mode: str | None = None,
        **settings: Any,
    ) -> None:
        EzPickle.__init__(
            self, seed=seed, observation=observation, render_mode=render_mode, **settings
        )
        self.world = World(self.kind, seed, settings, observation, render_mode)
        self.observation_space = self.world.observation_space
        self.action_space = self.world.action_space
        self.render_mode = render_mode
        self._stream: RandomStream | None = None
        self._state = self.world.states
        self._drawn_state = 0  # at the end, the state before it
        self._success = False

    @property
    def environment(self) -> Environment:
        """The environment of the library, with its model."""
        return self.world.environment

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Begins an episode. From the same seed on, the same draws follow."""
        super().reset(seed=seed)
        if seed is not None or self._stream is None:
            self._stream = stream_of(self.np_random)
        self._state = self._drawn_state = self.environment.first_state(self._stream)
        self._success = False
        return self._observed(), self._info()

    def step(self, action: Any) -> tuple[Observed, float, bool, bool, dict[str, Any]]:
        """Takes an action. A state may have fewer than others: beyond its last is its last."""
        number = whole("action", action, -(2**31), 2**31 - 1)
        if not 0 <= number < self.world.action_space.n:
            raise wrong("action", f"must be in 0..{self.world.action_space.n - 1}, got {action}")
        if self._stream is None or self._state == self.world.states:
            raise wrong("action", "there is no episode: reset first")
        layout = self.world.layout
        number = min(number, int(layout.actions[self._state]) - 1)
        pair = int(layout.first_pair[self._state]) + number
        reward, following = self.environment.take(pair, self._stream)
        self._success = self._success or bool(self.world.is_goal[pair])
        terminated = following < 0
        self._drawn_state = self._state if terminated else following
        self._state = self.world.states if terminated else following
        return self._observed(), reward, terminated, False, self._info()

    def render(self) -> Any:
        """Text, or an array ``(height, width, 3)``; at the end the last cell is shown."""
        return self.world.drawing.rendered(self._drawn_state, self.render_mode)

    def _observed(self) -> Observed:
        observed: Observed = self.world.observed(np.array([self._state], dtype=np.int64))[0]
        return observed

    def _info(self) -> dict[str, Any]:
        return {"layer": int(self.world.layer_of[self._state]), "success": self._success}


def stream_of(generator: np.random.Generator) -> RandomStream:
    """A stream of the library, seeded by Gymnasium's generator."""
    return RandomStream(int(generator.integers(2**63)))


globals().update(plain_classes(SingleEnv))  # ToyChain, GridWorld and so on


class DeepSea(SingleEnv):
    """bsuite's DeepSea; ``size`` is its depth and ``mapping_seed`` draws bsuite's action map.

    Settings: stochastic, move_cost, randomise_actions.
    """

    kind = "deep_sea"

    def __init__(self, size: int = 10, mapping_seed: int | None = None, **settings: Any) -> None:
        super().__init__(depth=size, mapping_seed=mapping_seed, **settings)
        EzPickle.__init__(self, size, mapping_seed, **settings)
