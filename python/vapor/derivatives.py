"""Derivatives of the optimum: along a direction, or of a function; see docs/derivatives.md."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from . import _core
from .errors import wrong
from .layered import Doubles, Layered
from .problem import Problem
from .solver import Regulariser, Solution, settings_of
from .tables import numbers, real, whole


class ProblemChange(NamedTuple):
    """A gradient in the space of problems.

    ``probability`` is flat, by entry of the sparse transitions as ``problem.tables`` has them;
    ``base_weight`` is by pair and ``base`` by state, of problems that have them.
    """

    reward_mean: Layered
    sigma: Layered
    probability: Doubles
    base_weight: Layered
    base: Layered
    initial: Doubles
    bound: Doubles


class SolutionChange(NamedTuple):
    """How a solution moves; the tables are None where the optimum has ties."""

    value: float
    occupancy: Layered | None
    policy: Layered | None
    values: Layered | None
    prices: Doubles | None


class Derivatives:
    """How an optimum answers changes of its problem, exactly.

    ``status`` is ``smooth``, ``ties``, ``inaccurate`` or ``infeasible``. ``value``, ``occupancy``,
    ``policy`` and ``values`` are the optimum itself, to the last digits.
    """

    def __init__(self, problem: Problem, native: _core.Derivatives) -> None:
        self._problem = problem
        self._native = native
        self.status: str = native.status
        self.value: float = native.value
        self.occupancy = Layered(native.occupancy, problem.layout)
        self.policy = Layered(native.policy, problem.layout)
        self.values = Layered(native.values, problem.layout, by_pair=False)

    def _by_pair(self, place: str, table: Any) -> Doubles | None:
        return None if table is None else self._problem.flat(place, table)

    def _by_state(self, place: str, table: Any) -> Doubles | None:
        if isinstance(table, Layered):
            return table.flat
        return None if table is None else numbers(place, table, 1)

    def forward(
        self,
        *,
        reward_mean: Any = None,
        sigma: Any = None,
        probability: Any = None,
        base_weight: Any = None,
        base: Any = None,
        initial: Any = None,
        bound: Any = None,
    ) -> SolutionChange:
        """How the solution changes along a direction, for each unit of it."""
        value, *tables = self._native.forward(
            self._by_pair("reward_mean", reward_mean),
            self._by_pair("sigma", sigma),
            self._by_state("probability", probability),
            self._by_pair("base_weight", base_weight),
            self._by_state("base", base),
            self._by_state("initial", initial),
            self._by_state("bound", bound),
        )
        if not len(tables[0]):
            return SolutionChange(value, None, None, None, None)
        layout = self._problem.layout
        occupancy, policy, values, prices = tables
        return SolutionChange(
            value,
            Layered(occupancy, layout),
            Layered(policy, layout),
            Layered(values, layout, by_pair=False),
            prices,
        )

    def adjoint(
        self,
        *,
        value: float = 0.0,
        occupancy: Any = None,
        policy: Any = None,
        values: Any = None,
        prices: Any = None,
    ) -> ProblemChange:
        """The gradient of the sum of these cotangents times the solution."""
        layout = self._problem.layout
        reward_mean, sigma, probability, base_weight, base, initial, bound = self._native.adjoint(
            real("value", value),
            self._by_pair("occupancy", occupancy),
            self._by_pair("policy", policy),
            self._by_state("values", values),
            self._by_state("prices", prices),
        )
        return ProblemChange(
            Layered(reward_mean, layout),
            Layered(sigma, layout),
            probability,
            Layered(base_weight, layout),
            Layered(base, layout, by_pair=False),
            initial,
            bound,
        )

    def __repr__(self) -> str:
        return f"Derivatives({self.status}, {self._problem!r})"


def differentiate(problem: Problem, solution: Solution) -> Derivatives:
    """The derivatives of a solution of the problem."""
    return differentiate_many([problem], [solution], threads=1)[0]


def differentiate_many(
    problems: Iterable[Problem], solutions: Iterable[Solution], *, threads: int = 0
) -> list[Derivatives]:
    """The same for many problems, on so many threads (0: all cores)."""
    batch, solved = list(problems), list(solutions)
    if len(batch) != len(solved):
        raise wrong("solutions", f"are {len(solved)} for {len(batch)} problems")
    natives = _core.differentiate_many(
        [problem.native for problem in batch],
        [solution.native for solution in solved],
        min(threads_of(threads), max(1, len(batch))),
    )
    return [Derivatives(*pair) for pair in zip(batch, natives, strict=True)]


def threads_of(threads: int) -> int:
    """A number of threads; 0 is one a core."""
    return whole("threads", threads, 0, 2**31 - 1) or os.cpu_count() or 1


TABLES = ("reward_mean", "sigma", "probability", "initial")
"""The tables that the layers of torch and jax take, in this order."""


class Layer:
    """Problems of one shape as a function of their tables: what the layers of torch and jax call.

    Arrays are flat, ``(batch, entries)``, in the order of ``problem.tables``; None is the problem's
    own table. Distributions are scaled to sum to 1.
    """

    def __init__(
        self,
        problem: Problem,
        *,
        regulariser: Regulariser = "vapor",
        tol: float = 1e-9,
        threads: int = 0,
    ) -> None:
        self.problem = problem
        self.threads = threads_of(threads)
        self.settings = settings_of(tol, "newton", regulariser, 0, np.inf, 4e9, np.inf)
        _, _, initial, reward_mean, sigma, _, _, probability, _, _ = problem.tables
        self.sizes = dict(
            zip(TABLES, map(len, (reward_mean, sigma, probability, initial)), strict=True)
        )

    def expect(self, name: str, shape: tuple[int, ...]) -> None:
        """Raises InputError unless the last axis has the entries of the table."""
        if not shape or shape[-1] != self.sizes[name]:
            raise wrong(name, f"must end in an axis of {self.sizes[name]}, has the shape {shape}")

    def solve(self, tables: list[Doubles | None], size: int) -> _core.DifferentiableBatch:
        """The batch, solved; ``.value``, ``.occupancy`` and ``.policy`` are flat."""
        reward_mean, sigma, probability, initial = (
            None if t is None else np.ascontiguousarray(t, np.float64).ravel() for t in tables
        )
        return _core.DifferentiableBatch(
            self.problem.native,
            self.settings,
            reward_mean,
            sigma,
            probability,
            initial,
            size,
            min(self.threads, max(1, size)),
        )

    def adjoint(
        self, batch: _core.DifferentiableBatch, value: Doubles, occupancy: Doubles, policy: Doubles
    ) -> list[Doubles]:
        """The gradients of the four tables, ``(batch, entries)``."""
        each = batch.adjoint(
            *(np.ascontiguousarray(t, np.float64).ravel() for t in (value, occupancy, policy))
        )
        order = (0, 1, 2, 5)  # of ProblemChange
        return [
            np.array([gradient[k] for gradient in each]).reshape(len(each), self.sizes[name])
            for k, name in zip(order, TABLES, strict=True)
        ]
