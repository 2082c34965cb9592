"""The grids of ``vapor sweep``: agents x environments x settings x seeds, from one TOML file.

``cells`` reads the file, ``local`` hands over to the program ``vapor``, ``ray_engine`` spreads the
cells over a Ray cluster. The file is described in docs/sweep.md.
"""

from .cells import Cell, read_sweep
from .result import CellResult, sweep

__all__ = ["Cell", "CellResult", "read_sweep", "sweep"]
