"""The Ray cluster of a sweep: joined as everywhere in this package."""

from ..ray_cluster import joined

__all__ = ["joined"]
