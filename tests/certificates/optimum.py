"""The optimum of an exact problem, between two bounds: backward induction where all sigmas are 0,
else Newton on the dual function from given values, in the digits of the context.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Optional

from exact import ONE, TWO, ZERO, Exact, positive_root

Bracket = tuple[Decimal, Decimal]  # a value that a policy attains, and a bound that none exceeds


def bracket(problem: Exact, values: list[Decimal]) -> Optional[Bracket]:
    """None where this file has no method: where some sigmas are 0 and others are not."""
    free = [problem.pairs[p] for s in problem.reachable for p in problem.of_state[s]]
    sigmas = [pair.sigma for pair in free if not pair.forced]
    if all(sigma == 0 for sigma in sigmas):
        optimum = _backward_induction(problem)
        return optimum, optimum
    if any(sigma == 0 for sigma in sigmas):
        return None
    return _newton(problem, values)


def _backward_induction(problem: Exact) -> Decimal:
    V = [ZERO] * len(problem.of_state)
    for s in range(len(V) - 1, -1, -1):
        V[s] = max(problem.advantage(p, V) for p in problem.of_state[s])
    return sum((q * V[s] for s, q in problem.initial.items()), ZERO)


def _newton(problem: Exact, values: list[Decimal]) -> Bracket:
    V = list(values)
    D = problem.dual(V)
    best = problem.value(problem.policy_of(V))
    for _ in range(60):
        if D - best <= Decimal("1e-25") * max(ONE, abs(best)):
            break
        step = _direction(problem, V)
        if step is None:
            break
        length = ONE
        while length > Decimal("1e-6"):
            trial = [v + length * d for v, d in zip(V, step)]
            D_trial = problem.dual(trial)
            if D_trial < D:
                break
            length /= TWO
        else:
            break
        V, D = trial, D_trial
        best = max(best, problem.value(problem.policy_of(V)))
    return best, D


def _direction(problem: Exact, V: list[Decimal]) -> Optional[list[Decimal]]:
    """-(J' diag(h) J)^-1 times the flow residual, J V = P V - V; the value of a forced state is a
    shift of all before it, and stays."""
    fixed = {pair.state for pair in problem.pairs if pair.forced}
    variables = sorted(s for s in problem.reachable if s not in fixed)
    gradient = {s: problem.initial.get(s, ZERO) for s in variables}
    matrix: dict[int, dict[int, Decimal]] = {s: {} for s in variables}
    for s in problem.reachable:
        for p in problem.of_state[s]:
            pair = problem.pairs[p]
            column = dict(pair.row)
            column[pair.state] = -ONE
            lam, h = ONE, ZERO
            if not pair.forced:
                lam, h = _slopes(problem, problem.advantage(p, V), pair.sigma)
            for t, x in column.items():
                if t in fixed:
                    continue
                gradient[t] += x * lam
                if h != 0:
                    row = matrix[t]
                    for u, y in column.items():
                        if u not in fixed:
                            row[u] = row.get(u, ZERO) + x * y * h
    return _solve(matrix, gradient, variables, len(V))


def _slopes(problem: Exact, delta: Decimal, sigma: Decimal) -> Bracket:
    """f*' = lambda and f*'' at delta."""
    lam = problem.maximiser(delta, sigma)
    if problem.regulariser == "vapor":
        w = positive_root(delta / sigma)
        return lam, lam * w**3 / (sigma * (ONE + w * w))
    return lam, ZERO if delta >= sigma else lam / sigma


def _solve(matrix, gradient, variables, size) -> Optional[list[Decimal]]:
    """Elimination in the order of the layers, which fills in little."""
    rest = {s: -gradient[s] for s in variables}
    for s in variables:
        pivot = matrix[s].get(s, ZERO)
        if pivot <= 0:
            return None
        for t in [t for t in matrix[s] if t > s]:
            factor = matrix[s][t] / pivot
            for u, x in matrix[s].items():
                if u > s:
                    matrix[t][u] = matrix[t].get(u, ZERO) - factor * x
            rest[t] -= factor * rest[s]
    step = [ZERO] * size
    for s in reversed(variables):
        known = sum((x * step[u] for u, x in matrix[s].items() if u > s), ZERO)
        step[s] = (rest[s] - known) / matrix[s][s]
    return step
