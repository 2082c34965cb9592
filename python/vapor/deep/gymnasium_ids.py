"""Environments by Gymnasium's ids."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any


def looks_like_an_id(env: str, specs: Sequence[str]) -> bool:
    """Whether it is an id such as ``CartPole-v1`` or ``ALE/Pong-v5`` and none of our specs."""
    return env.split(":")[0] not in specs and (
        "/" in env or re.search(r"-v\d+$", env) is not None
    )


def make_by_id(env: str) -> Callable[[int], Any]:
    """A function that makes so many places of it.

    It stands by itself, so that it can be sent to nodes that do not have this package, and
    registers the games where it is called.
    """

    def make(places: int) -> Any:
        import importlib

        import gymnasium

        namespace = env.split("/")[0]
        if namespace == "ALE":
            gymnasium.register_envs(importlib.import_module("ale_py"))
        if namespace != "MinAtar":
            return gymnasium.make_vec(env, num_envs=places)
        if f"{namespace}/Breakout-v1" not in gymnasium.registry:
            importlib.import_module("minatar.gym").register_envs()

        # MinAtar's reset keeps the action that a sticky one would repeat. What follows a seed must
        # follow from it alone: a run that is resumed begins there.
        class ForgettingAtSeeds(gymnasium.Wrapper[Any, Any, Any, Any]):
            def reset(
                self, *, seed: int | None = None, options: dict[str, Any] | None = None
            ) -> tuple[Any, dict[str, Any]]:
                if seed is not None:
                    self.get_wrapper_attr("game").last_action = 0
                return self.env.reset(seed=seed, options=options)

        return gymnasium.make_vec(env, num_envs=places, wrappers=[ForgettingAtSeeds])

    return make
