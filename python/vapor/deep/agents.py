"""Which deep agents there are."""

from __future__ import annotations

from typing import NamedTuple

from .. import _core


class AgentKind(NamedTuple):
    """An agent by name, e.g. ``vapor-lite``, as in the spec ``vapor-lite:rate=0.0005,unroll=10``.

    ``settings`` are the names of all settings with the paper's values for Atari, as they would be
    written; what else is usual for other environments is in docs/deep.md.
    """

    name: str
    summary: str
    settings: dict[str, str]


def agents() -> list[AgentKind]:
    """All of them."""
    return [AgentKind(*fields) for fields in _core.deep_agent_kinds()]
