"""Environments as a user names them: an id, an environment, or a function that makes one."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import Any

from ..errors import wrong


class Source:
    """Where environments come from, and what a record calls them.

    ``env`` is a Gymnasium id, which settings may follow as in ``FrozenLake-v1:is_slippery=False``;
    an environment; or a function that makes one.
    """

    def __init__(self, env: Any, name: str | None = None) -> None:
        self._given: Any = None  # an environment, of which there is only this one
        if isinstance(env, str):
            self._make: Callable[[], Any] = lambda: made_by_id(env)
        elif _is_environment(env):
            self._given = env
            self._make = lambda: env
        elif callable(env):
            self._make = env
        else:
            raise wrong(
                "env",
                "must be a Gymnasium id, an environment or a function that makes one, got "
                f"{type(env).__name__}",
            )
        self.name = name or (env if isinstance(env, str) else None)

    def make(self) -> Any:
        """An environment; the first one gives a source that has no name its own."""
        env = self._make()
        if not _is_environment(env):
            raise wrong("env", f"must make an environment, made {type(env).__name__}")
        self.name = self.name or name_of(env)
        return env

    def put_away(self, env: Any) -> None:
        """Closes what was made here; an environment that was given stays open."""
        if env is not self._given:
            env.close()

    def make_places(self, places: int) -> Any:
        """So many side by side, for networks."""
        if self._given is not None:
            raise wrong(
                "env", "networks play in many at once: give an id or a function that makes one"
            )
        from gymnasium.vector import SyncVectorEnv

        return SyncVectorEnv([self._make] * places)


def _is_environment(env: Any) -> bool:
    """A class is not one: it makes them."""
    return not isinstance(env, type) and hasattr(env, "reset") and hasattr(env, "step")


def made_by_id(text: str) -> Any:
    """The environment of an id with settings behind it."""
    import gymnasium

    identifier, settings = text, ""
    if match := re.fullmatch(r"(.*-v\d+):(.*)", text):
        identifier, settings = match.groups()
    keywords: dict[str, Any] = {}
    for setting in filter(None, settings.split(",")):
        key, equals, value = setting.partition("=")
        if not equals:
            raise wrong("env", f"must be id:key=value,..., got {text}")
        keywords[key] = _value_of(value)
    try:
        return gymnasium.make(identifier, **keywords)
    except (gymnasium.error.Error, ModuleNotFoundError) as error:
        raise wrong("env", f"Gymnasium does not make {text}: {error}") from None


def name_of(env: Any) -> str:
    """What a record calls an environment: its id with its settings, or its class."""
    spec = getattr(env, "spec", None)
    if spec is None:
        return type(env.unwrapped).__name__
    settings = {key: value for key, value in spec.kwargs.items() if key != "render_mode"}
    if not settings or any(set(str(value)) & set(",:=") for value in settings.values()):
        return str(spec.id)
    return f"{spec.id}:" + ",".join(f"{key}={value}" for key, value in settings.items())


def _value_of(text: str) -> Any:
    """A number, True, False or None as Python writes them, else a word."""
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return {"true": True, "false": False}.get(text, text)
