"""Gymnasium: the environments of this library there, and tabular agents in those of others.

Every environment of ``vapor list envs`` is registered, e.g.
``gymnasium.make("vapor/DeepSea-v0", size=20, mapping_seed=17)`` and
``gymnasium.make_vec("vapor/DeepSea-v0", num_envs=8)``. :func:`learn` is :func:`vapor.learn`.
docs/gymnasium.md has both.
"""

from typing import TYPE_CHECKING, Any

from .time_layers import TimeLayers

if TYPE_CHECKING:
    from ..learning import Learned, learn

__all__ = ["Learned", "TimeLayers", "learn"]


def __getattr__(name: str) -> Any:
    """What is made of this package, when it is asked for."""
    if name in {"Learned", "learn"}:
        from .. import learning

        return getattr(learning, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
