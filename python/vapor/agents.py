"""Tabular agents: the policy of the next episode, and what is learned from it."""

from __future__ import annotations

from typing import Any

from . import _core
from ._core import RandomStream
from .beliefs import Belief
from .environments import Environment, Episode, Kind, steps_of
from .layered import Layered
from .own_beliefs import OwnBelief
from .solver import Solution


def agent_kinds() -> list[Kind]:
    """The agents that a spec can name."""
    return [Kind(*kind) for kind in _core.agent_kinds()]


class Agent:
    """An agent by spec, e.g. ``Agent("vapor", belief)``; see ``vapor list agents``.

    It learns with the belief that it is given, which changes as the agent observes: one of this
    library, or an object of one's own with ``problem()`` and ``update(episode)``
    (:mod:`vapor.own_beliefs`). An environment is needed only by agents that share what they learn
    between layers, or that learn under the budget of its cost.
    """

    def __init__(
        self, spec: str, belief: Belief | OwnBelief, environment: Environment | None = None
    ) -> None:
        self.spec = spec
        self.belief = belief = belief if isinstance(belief, Belief) else Belief.of_own(belief)
        self.environment = environment
        self.native = _core.agent(
            spec, belief.native, None if environment is None else environment.native
        )
        self._layout = belief.problem.layout

    def policy(self, random: RandomStream) -> Layered:
        """The policy of the next episode, by layer ``(states, actions)``.

        ``random`` is a stream of that episode's own. The interpreter is free meanwhile.
        """
        return Layered(self.native.policy(random), self._layout)

    def observe(self, episode: Episode) -> None:
        """Learns from an episode."""
        self.native.observe(steps_of(episode))

    @property
    def solution(self) -> Solution | None:
        """The solved program behind the last policy; None if the agent solves none."""
        native = self.native.solution()
        return None if native is None else Solution(native, self._layout)

    def __repr__(self) -> str:
        return f"Agent({self.spec!r})"

    def __reduce__(self) -> Any:
        return _restored_agent, (self.spec, self.belief, self.environment, self.native.save())


def _restored_agent(
    spec: str, belief: Belief, environment: Environment | None, state: bytes
) -> Agent:
    agent = Agent(spec, belief, environment)
    agent.native.restore(state)
    return agent
