"""The environments of the library as Gymnasium vector environments: one call a step for all places.

With the seed S of ``reset``, place i plays as the single environment does with seed S + i. What
Gymnasium's ``SyncVectorEnv`` of the single environments returns, this returns, infos included.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from .._core import Places
from ..environments import Environment
from ..errors import wrong
from .drawing import FRAMES_PER_SECOND, RENDER_MODES
from .registration import plain_classes
from .world import Observation, World

_NAMES = {
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.SAME_STEP: "same_step",
    AutoresetMode.DISABLED: "disabled",
}
Flags = npt.NDArray[np.bool_]


class PlacesEnv(VectorEnv[npt.NDArray[Any], npt.NDArray[np.int64], npt.NDArray[Any]]):
    """Environments side by side.

    ``autoreset_mode`` is Gymnasium's: after its last step a place begins the next episode at the
    next step, whose action it ignores (the default); in the same step, with the last observation
    and info in ``infos["final_obs"]`` and ``infos["final_info"]``; or when it is reset by
    ``reset(options={"reset_mask": mask})``.
    """

    kind: ClassVar[str]

    def __init__(
        self,
        num_envs: int = 1,
        *,
        seed: int = 1,
        observation: Observation = "state",
        render_mode: str | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        **settings: Any,
    ) -> None:
        self._autoreset = AutoresetMode(autoreset_mode)
        self.metadata = {
            "render_modes": RENDER_MODES,
            "render_fps": FRAMES_PER_SECOND,
            "autoreset_mode": self._autoreset,
        }
        self.world = World(self.kind, seed, settings, observation, render_mode)
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.single_observation_space = self.world.observation_space
        self.single_action_space = self.world.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._places = Places(self.environment.native, num_envs)
        self._drawn = np.zeros(num_envs, dtype=np.int64)  # at the end, the state before it
        self._is_seeded = np.zeros(num_envs, dtype=np.bool_)

    @property
    def environment(self) -> Environment:
        """The environment of the library, with its model."""
        return self.world.environment

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[npt.NDArray[Any], dict[str, Any]]:
        """Begins an episode at every place, or at those of ``options["reset_mask"]``.

        ``seed`` is of place 0, the others have those that follow; or a seed a place. The
        observations are ``(places, ...)``.
        """
        which = self._mask_of(options)
        for place, its_seed in enumerate(self._seeds_of(seed)):
            if which[place] and (its_seed is not None or not self._is_seeded[place]):
                generator, _ = seeding.np_random(its_seed)
                self._places.seed(place, int(generator.integers(2**63)))
        self._is_seeded |= which
        states = self._places.reset(which.astype(np.uint8))
        self._drawn = np.where(which, states, self._drawn)
        return self.world.observed(states), self._infos(
            states, np.zeros(self.num_envs, dtype=np.bool_), which
        )

    def step(
        self, actions: npt.NDArray[np.int64] | Sequence[int]
    ) -> tuple[
        npt.NDArray[Any], npt.NDArray[np.float64], Flags, Flags, dict[str, Any]
    ]:
        """An action a place; observations ``(places, ...)``, all else ``(places,)``."""
        taken = np.ascontiguousarray(actions)
        if taken.dtype.kind not in "iu" or taken.ndim != 1:
            raise wrong("actions", "must be whole numbers, one a place")
        states, rewards, *flags = self._places.step(
            taken.astype(np.int64), _NAMES[self._autoreset]
        )
        ended, success, last_success = (flag.view(np.bool_) for flag in flags)
        self._drawn = np.where(states < self.world.states, states, self._drawn)
        infos: dict[str, Any] = {}
        if self._autoreset == AutoresetMode.SAME_STEP and ended.any():
            infos = self._final_infos(ended, last_success)
        infos |= self._infos(states, success, np.ones(self.num_envs, dtype=np.bool_))
        truncated = np.zeros(self.num_envs, dtype=np.bool_)
        return self.world.observed(states), rewards, ended, truncated, infos

    def render(self) -> tuple[Any, ...] | None:
        """A picture or text a place."""
        if self.render_mode is None:
            return None
        drawing = self.world.drawing
        return tuple(drawing.rendered(int(state), self.render_mode) for state in self._drawn)

    def _mask_of(self, options: dict[str, Any] | None) -> Flags:
        mask = (options or {}).get("reset_mask")
        if mask is None:
            return np.ones(self.num_envs, dtype=np.bool_)
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
            raise wrong("options['reset_mask']", "must be a NumPy array of bool")
        if mask.shape != (self.num_envs,) or not mask.any():
            raise wrong(
                "options['reset_mask']",
                f"must have shape ({self.num_envs},) and a True entry, has {mask.shape}",
            )
        return mask

    def _seeds_of(self, seed: int | Sequence[int | None] | None) -> Sequence[int | None]:
        if seed is None:
            return [None] * self.num_envs
        if isinstance(seed, (int, np.integer)):
            return [int(seed) + place for place in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise wrong("seed", f"has {len(seed)} entries for {self.num_envs} places")
        return seed

    def _infos(
        self, states: npt.NDArray[np.int64], success: Flags, present: Flags
    ) -> dict[str, Any]:
        """As Gymnasium batches infos: an array a key, and with ``_`` before it who has one."""
        return {
            "layer": np.where(present, self.world.layer_of[states], 0),
            "_layer": present.copy(),
            "success": success & present,
            "_success": present.copy(),
        }

    def _final_infos(self, ended: Flags, success: Flags) -> dict[str, Any]:
        end = np.full(self.num_envs, self.world.states, dtype=np.int64)
        observations = self.world.observed(end)
        final = np.full(self.num_envs, None, dtype=object)
        for place in np.flatnonzero(ended):
            final[place] = observations[place]
        return {
            "final_obs": final,
            "_final_obs": ended.copy(),
            "final_info": self._infos(end, success, ended),
            "_final_info": ended.copy(),
        }


globals().update(plain_classes(PlacesEnv, "Vector"))  # ToyChainVector, GridWorldVector and so on


class DeepSeaVector(PlacesEnv):
    """Many :class:`vapor.gymnasium.single.DeepSea`."""

    kind = "deep_sea"

    def __init__(
        self,
        num_envs: int = 1,
        size: int = 10,
        mapping_seed: int | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(num_envs, depth=size, mapping_seed=mapping_seed, **settings)
