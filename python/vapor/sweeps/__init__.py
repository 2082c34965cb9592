"""The grids of ``vapor sweep``: agents x environments x settings x seeds, from one TOML file.

``cells`` reads the file, ``local`` makes the cells on this machine, ``ray_engine`` spreads them
over a Ray cluster. The file is described in docs/sweep.md.
"""

from .cells import Cell, read_sweep
from .result import CellResult, sweep

__all__ = ["Cell", "CellResult", "read_sweep", "sweep"]
