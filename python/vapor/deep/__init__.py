"""The deep agents, on environments of the library, of Gymnasium and of your own.

>>> import vapor.deep
>>> run = vapor.deep.train("deep_sea:depth=10", episodes=200, out="out/deep")  # doctest: +SKIP

Networks on arrays load libtorch when they are first asked for; see docs/python-deep.md on processes
that have another torch.
"""

from typing import TYPE_CHECKING, Any

from ..errors import EnvironmentLost
from .agents import AgentKind, agents
from .policy import Policy
from .torch_guard import guard
from .training import train

if TYPE_CHECKING:
    from ..remote_environments import RemoteVectorEnv, remote

__all__ = [
    "AgentKind",
    "EnvironmentLost",
    "Policy",
    "RemoteVectorEnv",
    "agents",
    "remote",
    "train",
]

guard()


def __getattr__(name: str) -> Any:
    """What needs Gymnasium and Ray, when it is asked for."""
    if name in {"RemoteVectorEnv", "remote"}:
        from .. import remote_environments

        return getattr(remote_environments, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
