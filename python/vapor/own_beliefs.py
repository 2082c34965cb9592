"""Beliefs of one's own: an object with two methods drives every agent.

.. code-block:: python

    class Mine:
        def problem(self) -> vapor.Problem: ...                         # E P, E r and sigma, now
        def update(self, episode: vapor.Episode) -> None: ...
        def sample(self, random: vapor.RandomStream) -> vapor.Problem: ...  # for Thompson sampling
        def save(self) -> bytes: ...                                    # for records that resume
        def restore(self, state: bytes) -> None: ...

    agent = vapor.Agent("vapor", Mine())

The last three may be left out, and are missed when they are asked for.
"""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from . import _core
from ._core import RandomStream
from .environments import Episode
from .errors import InputError, wrong
from .problem import Problem


@runtime_checkable
class OwnBelief(Protocol):
    """What a belief of one's own must have."""

    def problem(self) -> Problem:
        """The problem that the belief poses now. All of them have one layout."""

    def update(self, episode: Episode) -> None:
        """Learns from an episode."""


class Checked:
    """A user's belief as the library calls it: what it gives is checked, what it lacks is said."""

    def __init__(self, belief: Any) -> None:
        for method in ("problem", "update"):
            if not callable(getattr(belief, method, None)):
                raise wrong(
                    "belief",
                    f"must be a vapor.Belief or have the methods problem() and update(episode); "
                    f"{type(belief).__name__} has no {method}",
                )
        self.belief = belief

    def problem(self) -> _core.Problem:
        """What the user's ``problem()`` gives."""
        return self._native("problem", self.belief.problem())

    def update(self, steps: tuple[Any, Any, Any]) -> None:
        """An episode as a user has it."""
        self.belief.update(Episode(*steps))

    def sample(self, random: RandomStream) -> _core.Problem:
        """An MDP drawn from the belief; its sigmas do not matter."""
        return self._native("sample", self._method("sample", "Thompson sampling")(random))

    def save(self) -> bytes:
        """The state of the belief."""
        state = self._method("save", "a record or a pickle")()
        if not isinstance(state, bytes):
            raise wrong("belief", f"save() must give bytes, gave {type(state).__name__}")
        self._method("restore", "a record or a pickle")
        return state

    def restore(self, state: bytes) -> None:
        """Back to it."""
        self._method("restore", "a record or a pickle")(state)

    @property
    def can_be_saved(self) -> bool:
        """Whether it can be part of a record."""
        return all(callable(getattr(self.belief, name, None)) for name in ("save", "restore"))

    def _method(self, name: str, who: str) -> Any:
        method = getattr(self.belief, name, None)
        if not callable(method):
            raise wrong(
                "belief", f"{type(self.belief).__name__} has no {name}(), which {who} asks for"
            )
        return method

    def _native(self, method: str, problem: Any) -> _core.Problem:
        if not isinstance(problem, Problem):
            raise InputError(
                f"belief: {method}() must give a vapor.Problem, gave {type(problem).__name__}",
                "belief",
            )
        return problem.native
