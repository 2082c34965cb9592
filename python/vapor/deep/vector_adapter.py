"""Vector environments of Gymnasium as the library plays them.

Gymnasium has three ways to begin the next episode at a place, told by
``metadata["autoreset_mode"]``; where episode k of a place has the observations ``o_0, ..., o_T``:

- ``SAME_STEP``: the step that ends it shows the next ``o_0``; ``o_T`` is in ``info["final_obs"]``.
- ``NEXT_STEP``: the step that ends it shows ``o_T``; the next step ignores the action, has the
  reward 0 and shows the next ``o_0``. That step is no frame: the place is idle in it.
- ``DISABLED``: the step that ends it shows ``o_T``; the caller resets the places that are over, by
  ``reset(options={"reset_mask": ...})``, which shows ``o_0`` there and leaves the others alone.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..errors import wrong
from .observation_layout import Bytes, ObservationLayout, layout_of

Flags = npt.NDArray[np.uint8]

# Below 2^31, for environments that take no larger ones, with room for a seed a place.
SEEDS = 2**31 - 2**12


class AdaptedStep(NamedTuple):
    """A step as ``vapor::VectorStep`` has it; all but observations are ``(places,)``."""

    observations: Bytes
    rewards: npt.NDArray[np.float32]
    ended: Flags
    cut: Flags
    last_observations: Bytes
    idle: Flags


class VectorAdapter:
    """Plays a ``gymnasium.vector.VectorEnv`` with discrete actions."""

    def __init__(self, env: Any, places: int) -> None:
        from gymnasium.vector import VectorEnv

        if not isinstance(env, VectorEnv):
            raise wrong(
                "env",
                "must make a gymnasium.vector.VectorEnv, made "
                f"{type(env).__name__}; gymnasium.vector.SyncVectorEnv makes one of single ones",
            )
        if env.num_envs != places:
            raise wrong("env", f"must make {places} places, made {env.num_envs}")
        self.env = env
        self.places = places
        self.layout: ObservationLayout = layout_of(
            env.single_observation_space, env.single_action_space
        )
        self.actions = self.layout.actions
        self.shape = self.layout.shape
        self._first_action = self.layout.first_action
        self._mode = _autoreset_mode(env)
        self._over = np.zeros(places, dtype=np.bool_)

    def reset(self, seed: int) -> Bytes:
        """Begins an episode at every place; the first observations."""
        observations, _ = self.env.reset(seed=seed % SEEDS)
        self._over = np.zeros(self.places, dtype=np.bool_)
        return self._encode(observations)

    def step(self, actions: npt.NDArray[np.int64]) -> AdaptedStep:
        """One action ``(places,)`` at every place."""
        observations, rewards, terminations, truncations, info = self.env.step(
            actions + self._first_action
        )
        ended = self._one_a_place("terminations", terminations, "b").astype(np.bool_)
        cut = self._one_a_place("truncations", truncations, "b").astype(np.bool_) & ~ended
        idle = self._over if self._mode == "NextStep" else np.zeros_like(self._over)
        ended, cut = ended & ~idle, cut & ~idle
        self._over = ended | cut
        shown = self._encode(observations)
        last = shown
        if self._over.any():
            if self._mode == "SameStep":
                last = self._final_observations(info, shown)
            elif self._mode == "Disabled":
                last = shown.copy()  # of arrays that an environment may write again
                first, _ = self.env.reset(options={"reset_mask": self._over.copy()})
                shown = self._encode(first)
        return AdaptedStep(
            shown,
            self._rewards(rewards, idle),
            ended.view(np.uint8),
            cut.view(np.uint8),
            last,
            idle.view(np.uint8),
        )

    def close(self) -> None:
        """Closes the environment."""
        self.env.close()

    def _encode(self, observations: Any) -> Bytes:
        array = self._places_of("observations", observations)
        return self.layout.encode(array)

    def _places_of(self, what: str, values: Any) -> npt.NDArray[Any]:
        array = np.asarray(values)
        if array.ndim < 1 or len(array) != self.places:
            raise wrong(
                what, f"must be of {self.places} places, the environment gave {array.shape}"
            )
        return array

    def _one_a_place(self, what: str, values: Any, kinds: str) -> npt.NDArray[Any]:
        array = self._places_of(what, values)
        if array.ndim != 1 or array.dtype.kind not in kinds:
            raise wrong(
                what,
                f"must have shape ({self.places},), the environment gave dtype {array.dtype}, "
                f"shape {array.shape}",
            )
        return array

    def _rewards(self, rewards: Any, idle: npt.NDArray[np.bool_]) -> npt.NDArray[np.float32]:
        numbers = self._one_a_place("rewards", rewards, "biuf").astype(np.float32)
        bad = ~np.isfinite(numbers) & ~idle
        if bad.any():
            place = int(np.argmax(bad))
            raise wrong("rewards", f"must be finite, place {place} has {numbers[place]}")
        return numbers

    def _final_observations(self, info: dict[str, Any], shown: Bytes) -> Bytes:
        """``o_T`` where an episode is over, anything elsewhere."""
        if "final_obs" not in info:
            raise wrong(
                "info",
                'has no "final_obs", in which an environment of autoreset mode SAME_STEP shows the '
                "last observations of episodes",
            )
        final = self._places_of("final_obs", info["final_obs"])
        places = np.flatnonzero(self._over)
        last = shown.reshape(self.places, -1).copy()
        rows = np.stack([np.asarray(final[place]) for place in places])
        last[places] = self.layout.encode(rows).reshape(len(places), -1)
        return last.reshape(-1)


def _autoreset_mode(env: Any) -> str:
    mode = env.metadata.get("autoreset_mode")
    mode = getattr(mode, "value", mode)
    if mode not in {"NextStep", "SameStep", "Disabled"}:
        raise wrong(
            "env",
            'must say how its next episodes begin, by metadata["autoreset_mode"], a '
            f"gymnasium.vector.AutoresetMode; got {mode!r}",
        )
    return str(mode)
