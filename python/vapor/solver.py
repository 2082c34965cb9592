"""The one verb: solve a problem, with a certificate."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, Literal, NamedTuple

from . import _core
from .constraints import ConstraintUse
from .errors import wrong
from .layered import Layered, Layout
from .problem import Problem
from .tables import real, whole

Method = Literal["newton", "newton_cg", "frank_wolfe", "saddle_point"]
Regulariser = Literal["vapor", "weighted_entropy", "linear"]


class Progress(NamedTuple):
    """How a solve stands after an iteration: the optimum lies between the bounds."""

    iteration: int
    lower_bound: float
    upper_bound: float
    seconds: float


class Explanation(dict[str, Any]):
    """The reasons of a policy in a state, by name; printed, a sentence for people.

    ``actions`` has a dict for each action: ``policy``, the parts ``reward``, ``optimism``,
    ``entropy``, ``next`` and ``constraints`` with their ``sum``, and what one more observation
    changes: ``value_after_one_more``, ``policy_after_one_more``. ``value_hangs_on`` lists
    ``(layer, state, action, weight)``, the heaviest first.
    """

    def __str__(self) -> str:
        return str(self["sentence"])


class Solution:
    """What a solve returns: both bounds, always, and the tables behind them.

    ``value`` is attained by ``occupancy``, which is feasible, and no occupancy measure exceeds
    ``upper_bound = value + gap``. ``status`` is ``solved``, ``stalled``, ``max_iterations``,
    ``time_limit`` or ``interrupted``; the bounds are valid in every case. If no occupancy measure
    meets the constraints it is ``infeasible``, both bounds are ``-inf``, and ``infeasibility`` < 0
    proves it with ``values`` and the prices (docs/solver.md).
    """

    def __init__(self, native: _core.Solution, layout: Layout) -> None:
        self._layout = layout
        self.native = native
        self.status: str = native.status
        self.regulariser: str = native.regulariser
        self.value: float = native.value
        self.gap: float = native.gap
        self.discount: float | None = native.discount
        self.flow_residual: float = native.flow_residual
        self.dual_residual: float = native.dual_residual
        self.constraint_residual: float = native.constraint_residual
        self.infeasibility: float = native.infeasibility
        self.constraints: list[ConstraintUse] = [ConstraintUse(*c) for c in native.constraints]
        self.iterations: int = native.iterations
        self.linear_iterations: int = native.linear_iterations
        self.seconds: float = native.seconds

    @property
    def upper_bound(self) -> float:
        """No occupancy measure is worth more."""
        return self.value + self.gap

    @property
    def discounted_return(self) -> float:
        """The value over 1 - discount; of a layered problem the value itself."""
        return self.value if self.discount is None else self.value / (1.0 - self.discount)

    @property
    def relative_gap(self) -> float:
        """gap / max(1, \\|value\\|): what ``tol`` is compared with."""
        return self.gap / max(1.0, abs(self.value)) if self.gap else 0.0

    @cached_property
    def occupancy(self) -> Layered:
        """lambda, by layer ``(states, actions)``: approximates P(on the optimal path)."""
        return Layered(self.native.occupancy, self._layout)

    @cached_property
    def policy(self) -> Layered:
        """pi, by layer ``(states, actions)``; uniform where nothing arrives."""
        return Layered(self.native.policy, self._layout)

    @cached_property
    def temperature(self) -> Layered:
        """tau, by layer ``(states, actions)``; NaN where sigma = 0, infinite where lambda = 1."""
        return Layered(self.native.temperature, self._layout)

    @cached_property
    def values(self) -> Layered:
        """V, by layer ``(states,)``; NaN where no policy arrives."""
        return Layered(self.native.values, self._layout, by_pair=False)

    def explain(
        self, problem: Problem, layer: int = 0, state: int = 0, *, count: float = 1.0
    ) -> Explanation:
        """Why the policy acts as it does in a state of the problem that this solves.

        ``count`` is how many observations each sigma stands for: one more takes it to
        ``sigma sqrt(n / (n + 1))`` (docs/command.md).
        """
        _expect_problem("problem", problem)
        return Explanation(
            _core.explain(
                problem.native,
                self.native,
                whole("layer", layer, 0, 2**31 - 1),
                whole("state", state, 0, 2**31 - 1),
                real("count", count),
            )
        )

    @cached_property
    def start(self) -> Layered | None:
        """A policy on the way to the optimum, where a solve of a similar problem begins.

        By layer ``(states, actions)``; None if the method has no such way.
        """
        start = self.native.start
        return Layered(start, self._layout) if len(start) else None

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        from .charts import occupancy_chart

        return occupancy_chart(self)._repr_mimebundle_()

    def __repr__(self) -> str:
        if self.status == "infeasible":
            return "Solution(infeasible: no occupancy measure meets the constraints)"
        return (
            f"Solution({self.status}: {self.value:.12g} <= optimum <= {self.upper_bound:.12g}, "
            f"relative gap {self.relative_gap:.1e}, {self.iterations} iterations, "
            f"{1e3 * self.seconds:.2g} ms)"
        )

    def __reduce__(self) -> Any:
        return _solution_of, (self.native.save(), self._layout.states, self._layout.actions)


def _solution_of(state: bytes, states: Any, actions: Any) -> Solution:
    return Solution(_core.solution_of(state), Layout(states, actions))


def settings_of(
    tol: float, method: str, regulariser: str, max_iterations: int, max_seconds: float,
    max_bytes: float, max_memory: float,
) -> _core.Settings:  # fmt: skip
    """The settings of the library; raises InputError that names the field."""
    return _core.Settings(
        method,
        regulariser,
        real("tol", tol),
        whole("max_iterations", max_iterations, 0, 2**31 - 1),
        real("max_seconds", max_seconds),
        real("max_bytes", max_bytes),
        real("max_memory", max_memory),
    )


def _start(problem: Problem, warm_start: Any) -> Any:
    if warm_start is None:
        return None
    if not isinstance(warm_start, Solution):
        return problem.flat("warm_start", warm_start), None
    start = warm_start.start
    return (
        problem.flat("warm_start", warm_start.policy),
        None if start is None else problem.flat("warm_start", start),
    )


def _expect_problem(place: str, problem: Any) -> None:
    if not isinstance(problem, Problem):
        raise TypeError(f"{place} must be a vapor.Problem, got {type(problem).__name__}")


def solve(
    problem: Problem,
    *,
    tol: float = 1e-9,
    warm_start: Solution | Layered | Any = None,
    method: Method = "newton",
    regulariser: Regulariser = "vapor",
    max_iterations: int = 0,
    max_seconds: float = float("inf"),
    max_bytes: float = 4e9,
    max_memory: float = float("inf"),
    progress: Callable[[Progress], bool | None] | None = None,
) -> Solution:
    """Solves a problem to a relative gap of ``tol``, and says how far it is from the optimum.

    ``warm_start`` is the solution of a similar problem, or a policy by layer
    ``(states, actions)``. ``max_iterations = 0`` is the method's own limit. After ``max_seconds``
    the solve ends with the bounds it has and the status ``time_limit``; one that would take more
    than ``max_memory`` bytes, the problem included, is refused with InputError before it begins.
    ``progress`` is called after each iteration; returning False stops the solve, whose bounds are
    valid all the same.
    The interpreter is free while it runs, and Ctrl-C stops it with KeyboardInterrupt.
    """
    _expect_problem("problem", problem)
    settings = settings_of(
        tol, method, regulariser, max_iterations, max_seconds, max_bytes, max_memory
    )
    report = None if progress is None else lambda *state: progress(Progress(*state))
    start = _start(problem, warm_start)
    return Solution(_core.solve(problem.native, settings, start, report), problem.layout)


def solve_many(
    problems: Iterable[Problem],
    *,
    tol: float = 1e-9,
    warm_starts: Iterable[Solution | Layered | Any] | None = None,
    method: Method = "newton",
    regulariser: Regulariser = "vapor",
    max_iterations: int = 0,
    max_seconds: float = float("inf"),
    max_bytes: float = 4e9,
    max_memory: float = float("inf"),
    threads: int = 0,
) -> list[Solution]:
    """Solves many problems, on so many threads (0: all cores); see :func:`solve`."""
    batch = list(problems)
    for number, problem in enumerate(batch):
        _expect_problem(f"problems[{number}]", problem)
    starts: list[Any] = [None] * len(batch) if warm_starts is None else list(warm_starts)
    if len(starts) != len(batch):
        raise wrong("warm_starts", f"are {len(starts)} for {len(batch)} problems")
    wanted = whole("threads", threads, 0, 2**31 - 1) or os.cpu_count() or 1
    settings = settings_of(
        tol, method, regulariser, max_iterations, max_seconds, max_bytes, max_memory
    )
    solutions = _core.solve_many(
        [problem.native for problem in batch],
        settings,
        [_start(problem, start) for problem, start in zip(batch, starts, strict=True)],
        min(wanted, max(1, len(batch))),
    )
    return [
        Solution(native, problem.layout)
        for native, problem in zip(solutions, batch, strict=True)
    ]


class SoftSolution(NamedTuple):
    """The answer of K-learning or VAPOR-lite.

    ``value`` is an upper bound on E V* for K-learning; ``temperature`` its tau, or VAPOR-lite's c.
    """

    value: float
    temperature: float
    policy: Layered
    values: Layered


def solve_k_learning(problem: Problem) -> SoftSolution:
    """K-learning: soft values under the one temperature that minimises them."""
    _expect_problem("problem", problem)
    return _soft(_core.solve_k_learning(problem.native), problem.layout)


def solve_vapor_lite(problem: Problem, c: float = 1.0) -> SoftSolution:
    """Tabular VAPOR-lite(c): one backward pass with an exact maximiser at each state."""
    _expect_problem("problem", problem)
    return _soft(_core.solve_vapor_lite(problem.native, real("c", c)), problem.layout)


def _soft(answer: tuple[float, float, Any, Any], layout: Layout) -> SoftSolution:
    value, temperature, policy, values = answer
    return SoftSolution(
        value, temperature, Layered(policy, layout), Layered(values, layout, by_pair=False)
    )


def solve_equal_temperature(
    problem: Problem, *, tol: float = 1e-9, max_seconds: float = float("inf")
) -> tuple[float, Solution]:
    """VAPOR with one temperature for all pairs: tau, and the inner solution, certified.

    After ``max_seconds`` tau is what the search had come to, and the status ``time_limit``.
    """
    _expect_problem("problem", problem)
    settings = settings_of(tol, "newton", "vapor", 0, max_seconds, 4e9, float("inf"))
    tau, native = _core.solve_equal_temperature(problem.native, settings)
    return tau, Solution(native, problem.layout)
