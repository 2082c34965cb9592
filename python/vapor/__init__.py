"""Exact, fast Bayesian exploration for reinforcement learning.

>>> import vapor
>>> problem = vapor.Problem(reward_mean=[[[1.0, 0.5]]], sigma=[[[0.1, 1.0]]])
>>> solution = vapor.solve(problem)
>>> solution.relative_gap < 1e-9
True
"""

from ._core import RandomStream, __version__
from .agents import Agent
from .beliefs import Belief, Optimality
from .environments import Environment, Episode
from .errors import InputError
from .experiments import run
from .layered import Layered, Layout
from .problem import Problem, random_problem
from .solver import (
    Progress,
    SoftSolution,
    Solution,
    solve,
    solve_equal_temperature,
    solve_k_learning,
    solve_many,
    solve_vapor_lite,
)

__all__ = [
    "Agent",
    "Belief",
    "Environment",
    "Episode",
    "InputError",
    "Layered",
    "Layout",
    "Optimality",
    "Problem",
    "Progress",
    "RandomStream",
    "SoftSolution",
    "Solution",
    "__version__",
    "random_problem",
    "run",
    "solve",
    "solve_equal_temperature",
    "solve_k_learning",
    "solve_many",
    "solve_vapor_lite",
]
