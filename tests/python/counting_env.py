"""An environment that says where it is, and vector environments of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv, VectorEnv

Observation = npt.NDArray[np.float32]

LENGTHS = (3, 1, 5, 2)


class CountingEnv(gymnasium.Env[Observation, np.int64]):
    """Shows its number, the episode and the step.

    Episode k has ``LENGTHS[k % 4]`` steps; even ones are terminated, odd ones truncated. The reward
    is ``step + action / 10``.
    """

    def __init__(self, number: int) -> None:
        self.observation_space = gymnasium.spaces.Box(0.0, 1e6, (3,), np.float32)
        self.action_space = gymnasium.spaces.Discrete(2, start=5)
        self.number = number
        self.episode = -1
        self.steps = 0

    def _shown(self) -> Observation:
        return np.array([self.number, self.episode, self.steps], dtype=np.float32)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        self.episode = 0 if seed is not None else self.episode + 1
        self.steps = 0
        return self._shown(), {}

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        assert action in (5, 6)
        self.steps += 1
        over = self.steps == LENGTHS[self.episode % 4]
        even = self.episode % 2 == 0
        return self._shown(), self.steps + action / 10, over and even, over and not even, {}


def counting(
    places: int, mode: AutoresetMode = AutoresetMode.NEXT_STEP, kind: str = "sync"
) -> VectorEnv[Any, Any, Any]:
    """So many places, numbered."""

    def maker(number: int) -> Callable[[], CountingEnv]:
        return lambda: CountingEnv(number)

    envs = [maker(number) for number in range(places)]
    if kind == "async":
        return AsyncVectorEnv(envs, autoreset_mode=mode)
    return SyncVectorEnv(envs, copy=kind != "shared", autoreset_mode=mode)
