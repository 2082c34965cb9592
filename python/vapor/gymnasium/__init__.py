"""Gymnasium: the environments of this library there, and tabular agents in those of others.

Every environment of ``vapor list envs`` is registered, e.g.
``gymnasium.make("vapor/DeepSea-v0", size=20, mapping_seed=17)`` and
``gymnasium.make_vec("vapor/DeepSea-v0", num_envs=8)``. :func:`learn` runs a tabular agent in any
environment with discrete spaces. docs/gymnasium.md has both.
"""

from .learning import Learned, learn
from .time_layers import TimeLayers

__all__ = ["Learned", "TimeLayers", "learn"]
