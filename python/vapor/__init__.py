"""Exact, fast Bayesian exploration for reinforcement learning.

>>> import vapor
>>> problem = vapor.Problem(reward_mean=[[[1.0, 0.5]]], sigma=[[[0.1, 1.0]]])
>>> solution = vapor.solve(problem)
>>> solution.relative_gap < 1e-9
True
"""

from . import bsuite_log, charts, converters, gymnasium, statistics
from ._core import RandomStream, version
from .agents import Agent, agent_kinds
from .beliefs import Belief, Choice, Optimality, belief_choices, belief_kinds
from .constraints import Constraint, ConstraintUse
from .derivatives import (
    Derivatives,
    ProblemChange,
    SolutionChange,
    differentiate,
    differentiate_many,
)
from .environments import Environment, Episode, Kind, environment_kinds
from .errors import InputError
from .experiments import run
from .frames import Records, read_records
from .gymnasium.registration import register_when_imported
from .layered import Layered, Layout
from .learning import Learned, learn
from .policies import Evaluation, NetworkPolicy, TablePolicy, load
from .problem import Problem, random_problem
from .records import Run, RunProgress
from .reports import Report, report
from .solver import (
    Explanation,
    Progress,
    SoftSolution,
    Solution,
    solve,
    solve_equal_temperature,
    solve_k_learning,
    solve_many,
    solve_vapor_lite,
)
from .sweeps import CellResult, sweep

__version__ = version()
register_when_imported()

__all__ = [
    "Agent",
    "Belief",
    "CellResult",
    "Choice",
    "Constraint",
    "ConstraintUse",
    "Derivatives",
    "Environment",
    "Episode",
    "Evaluation",
    "Explanation",
    "InputError",
    "Kind",
    "Layered",
    "Layout",
    "Learned",
    "NetworkPolicy",
    "Optimality",
    "Problem",
    "ProblemChange",
    "Progress",
    "RandomStream",
    "Records",
    "Report",
    "Run",
    "RunProgress",
    "SoftSolution",
    "Solution",
    "SolutionChange",
    "TablePolicy",
    "__version__",
    "agent_kinds",
    "belief_choices",
    "belief_kinds",
    "bsuite_log",
    "charts",
    "converters",
    "differentiate",
    "differentiate_many",
    "environment_kinds",
    "gymnasium",
    "learn",
    "load",
    "random_problem",
    "read_records",
    "report",
    "run",
    "solve",
    "solve_equal_temperature",
    "solve_k_learning",
    "solve_many",
    "solve_vapor_lite",
    "statistics",
    "sweep",
]
