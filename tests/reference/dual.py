"""Reference values without a cone solver: VAPOR's dual, minimised over V alone.

With delta = r + P V_{l+1} - V_l, both lambda and tau leave the dual in closed form (paper, App. E.1):
w is the positive root of w^2 + (delta/sigma) w - 1 = 0, lambda = exp(-w^2/2), and

    D(V) = rho' V_1 + sum_p sigma_p lambda_p / w_p

is smooth and convex, and an upper bound at every V. The policy proportional to lambda, pushed
forward, gives a lower bound. Both are recorded; nothing else is trusted.

Dense linear algebra and no care for speed: meant for a few hundred states. Deliberately a separate
derivation in code from the C++ solver, with its own treatment of the two degenerate cases:
 - lambda forced to 1 (a layer with one reachable pair): the layers before and after decouple, so
   the problem is cut there;
 - sigma = 0 or much smaller than the rest: sigma is raised to a floor that is lowered in stages.
   The value grows with sigma, so D with a raised sigma is still an upper bound.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import scipy.linalg
from scipy.optimize import linprog

from problem import Problem, repaired, true_value


@dataclass
class Bracket:
    upper: float
    lower: float
    newton_steps: int

    @property
    def relative_gap(self) -> float:
        return (self.upper - self.lower) / max(1.0, abs(self.lower))


def dual_bracket(problem: Problem) -> Bracket:
    """Bounds on the optimal value, from the pieces between forced pairs."""
    upper = lower = 0.0
    steps = 0
    for kind, piece in cut_at_forced_pairs(problem):
        if kind == "forced":
            upper, lower = upper + piece, lower + piece
            continue
        bracket = _Dual(piece).solve()
        upper, lower = upper + bracket.upper, lower + bracket.lower
        steps += bracket.newton_steps
    return Bracket(upper, lower, steps)


def linear_program_value(problem: Problem) -> float:
    """The optimal value when every sigma is 0, by HiGHS (a plain MDP)."""
    rows = _transition_rows(problem)  # [pairs, states], +1 for outflow, -P for inflow
    right = np.zeros(problem.num_states)
    right[: len(problem.initial)] = problem.initial
    result = linprog(-problem.reward, A_eq=rows.T, b_eq=right, bounds=(0, None), method="highs")
    if result.status != 0:
        raise RuntimeError(f"HiGHS: {result.message}")
    return -float(result.fun)


def _transition_rows(problem: Problem) -> np.ndarray:
    rows = np.zeros((problem.num_pairs, problem.num_states))
    rows[np.arange(problem.num_pairs), problem.pair_state] = 1.0
    for l in range(problem.layers - 1):
        rows[problem.pairs(l), problem.states(l + 1)] -= problem.dense_transition(l)
    return rows


def cut_at_forced_pairs(problem: Problem):
    """Yields ("piece", Problem) and ("forced", reward), after dropping unreachable states."""
    problem = _reachable(problem)
    first = 0
    initial = problem.initial
    for l in range(problem.layers):
        pairs = problem.pairs(l)
        if pairs.stop - pairs.start > 1:
            continue
        if l > first:
            yield "piece", _layers(problem, first, l, initial)
        yield "forced", float(problem.reward[pairs][0])
        first = l + 1
        if first < problem.layers:
            initial = problem.flow(l, np.ones(1))
    if first < problem.layers:
        yield "piece", _layers(problem, first, problem.layers, initial)


def _layers(problem: Problem, first: int, last: int, initial: np.ndarray) -> Problem:
    """Layers first..last-1 as a problem of their own."""
    pairs = slice(problem.pair_start[first], problem.pair_start[last])
    return Problem(
        initial=initial / initial.sum(),
        state_start=problem.state_start[first : last + 1] - problem.state_start[first],
        pair_start=problem.pair_start[first : last + 1] - problem.pair_start[first],
        pair_state=problem.pair_state[pairs] - problem.state_start[first],
        reward=problem.reward[pairs],
        sigma=problem.sigma[pairs],
        next=problem.next[first : last - 1],
        base=problem.base[first : last - 1],
        base_weight=problem.base_weight[first : last - 1],
    )


def _reachable(problem: Problem) -> Problem:
    """The problem without states that no policy reaches."""
    keep_state = np.zeros(problem.num_states, dtype=bool)
    keep_state[problem.states(0)] = problem.initial > 0
    for l in range(problem.layers - 1):
        alive = keep_state[problem.pair_state[problem.pairs(l)]].astype(float)
        keep_state[problem.states(l + 1)] = problem.flow(l, alive) > 0
    keep_pair = keep_state[problem.pair_state]
    new_state = np.cumsum(keep_state) - 1
    keep_next = [keep_state[problem.states(l + 1)] for l in range(problem.layers - 1)]
    keep_from = [keep_pair[problem.pairs(l)] for l in range(problem.layers - 1)]

    def starts(old, keep):
        return np.concatenate([[0], np.cumsum(keep)])[old]

    reduced = Problem(
        initial=problem.initial[keep_state[problem.states(0)]],
        state_start=starts(problem.state_start, keep_state),
        pair_start=starts(problem.pair_start, keep_pair),
        pair_state=new_state[problem.pair_state[keep_pair]],
        reward=problem.reward[keep_pair],
        sigma=problem.sigma[keep_pair],
        next=[n[f][:, k] for n, f, k in zip(problem.next, keep_from, keep_next)],
        # Nothing of the base's mass is lost: a base state is reachable as soon as a weight is positive.
        base=[None if b is None else b[k] for b, k in zip(problem.base, keep_next)],
        base_weight=[None if w is None else w[f] for w, f in zip(problem.base_weight, keep_from)],
    )
    return reduced


def root(x: np.ndarray) -> np.ndarray:
    """Positive root of w^2 + x w - 1, without cancellation on either side of 0."""
    r = np.sqrt(x * x + 4.0)
    return np.where(x > 0, 2.0 / (np.abs(x) + r), 0.5 * (r - x))


class _Dual:
    LAST_FLOOR = 1e-11  # of the largest sigma or reward; lower ones drown in rounding
    STEPS = 80  # Newton steps a stage; more than enough when it converges at all

    def __init__(self, problem: Problem):
        self.problem = problem
        self.minus_rows = -_transition_rows(problem)  # J: delta = r + J V
        self.rho = np.zeros(problem.num_states)
        self.rho[: len(problem.initial)] = problem.initial
        self.scale = max(np.max(np.abs(problem.sigma)), np.max(np.abs(problem.reward)), 1e-300)
        self.upper, self.lower, self.steps = np.inf, -np.inf, 0

    def solve(self) -> Bracket:
        """Lower the floor on sigma by a ratio that adapts: a stage that fails is tried again nearer."""
        occupancy = repaired(self.problem, np.zeros(self.problem.num_pairs))
        smallest = np.min(self.problem.sigma) / self.scale
        last = max(smallest, self.LAST_FLOOR)
        floor, ratio = np.inf, 0.1
        while floor > last:
            trial = min(floor, 1.0) * ratio
            trial = last if trial < 1.5 * last else trial
            sigma = np.maximum(self.problem.sigma, trial * self.scale)
            reached, found = self._minimise(sigma, occupancy, 1e-13 if trial == last else 1e-6)
            if reached > 1e-5 and ratio < 0.95:
                ratio = ratio**0.5
                continue
            floor, occupancy, ratio = trial, found, max(ratio**1.5, 0.1)
        return Bracket(float(self.upper), float(self.lower), self.steps)

    def _minimise(self, sigma, occupancy, tolerance) -> tuple[float, np.ndarray]:
        """Newton on D for one choice of sigma, from a feasible occupancy; the relative gap reached
        and the best occupancy found."""
        smoothed = replace(self.problem, sigma=sigma)
        V = self._backward(sigma, occupancy)
        best_value, best_D = -np.inf, np.inf
        since_progress = 0
        for _ in range(self.STEPS):
            D, lam, w = self._evaluate(sigma, V)
            candidate = repaired(self.problem, lam)
            value = true_value(smoothed, candidate)
            self.upper = min(self.upper, D)
            self.lower = max(self.lower, true_value(self.problem, candidate))
            progress = max(best_D - D, value - best_value)
            since_progress = 0 if progress > 1e-15 * (1 + abs(D)) else since_progress + 1
            if value > best_value:
                best_value, occupancy = value, candidate
            best_D = min(best_D, D)
            gap = (best_D - best_value) / max(1.0, abs(best_value))
            if gap <= tolerance or since_progress >= 4:
                break
            self.steps += 1
            V = self._step(sigma, V, lam, w)
        return gap, occupancy

    def _evaluate(self, sigma, V):
        w = root((self.problem.reward + self.minus_rows @ V) / sigma)
        lam = np.exp(-0.5 * w * w)
        return float(self.rho @ V + np.sum(sigma * lam / w)), lam, w

    def _step(self, sigma, V, lam, w) -> np.ndarray:
        """The best of a few regularised Newton steps and of the backward pass from each.

        The first regularisation is rounding only. The stronger ones are for a Hessian that is
        singular to working precision, where the plain direction is noise. A backward pass from the
        policy found so far is often better still, and leaves the region where all lambda of a state
        underflow.
        """
        J = self.minus_rows
        gradient = self.rho + J.T @ lam
        H = (J.T * (lam * w**3 / (sigma * (1.0 + w * w)))) @ J
        best_D, best_V = self._evaluate(sigma, V)[0], V
        for shift in (1e-15, 1e-10, 1e-6, 1e-3):
            # relative to the diagonal, and absolute: a bound on the step in units of the problem
            diagonal = np.diag(H) * (1.0 + shift) + (shift / self.scale if shift > 1e-15 else 1e-60)
            d = 1.0 / np.sqrt(diagonal)
            scaled = H * np.outer(d, d)
            np.fill_diagonal(scaled, 1.0)
            direction = -d * _solve_posdef(scaled, d * gradient)
            t = self._line_search(sigma, V, direction)
            moved = V + t * direction
            candidates = [moved, self._backward(sigma, repaired(self.problem, self._evaluate(sigma, moved)[1]))]
            for candidate in candidates:
                D = self._evaluate(sigma, candidate)[0]
                if D < best_D:
                    best_D, best_V = D, candidate
            if t >= 0.5:
                break
        return best_V

    def _line_search(self, sigma, V, direction) -> float:
        """Zero of the derivative of D along the direction, roughly."""
        delta0 = self.problem.reward + self.minus_rows @ V
        slope = self.minus_rows @ direction
        linear = self.rho @ direction

        def derivative(t):
            w = root((delta0 + t * slope) / sigma)
            return linear + np.exp(-0.5 * w * w) @ slope

        g0 = derivative(0.0)
        if not g0 < 0:
            return 0.0
        low, high = 0.0, 1.0
        while derivative(high) < 0 and high < 64:
            low, high = high, 2 * high
        if low == 0.0 and abs(derivative(1.0)) <= 0.3 * abs(g0):
            return 1.0
        for _ in range(40):
            t = 0.5 * (low + high)
            g = derivative(t)
            if abs(g) <= 0.1 * abs(g0):
                return t
            low, high = (t, high) if g < 0 else (low, t)
        return low

    def _backward(self, sigma, occupancy) -> np.ndarray:
        """V for which, layer by layer from the last, sum_a lambda equals each state's given mass."""
        p = self.problem
        mass = np.bincount(p.pair_state, occupancy, p.num_states)
        V = np.zeros(p.num_states)
        q = p.reward.copy()
        for l in range(p.layers - 1, -1, -1):
            states, pairs = p.states(l), p.pairs(l)
            if l + 1 < p.layers:
                q[pairs] += p.next[l] @ V[p.states(l + 1)]
                if p.base[l] is not None:
                    q[pairs] += p.base_weight[l] * (p.base[l] @ V[p.states(l + 1)])
            local = p.pair_state[pairs] - p.state_start[l]
            V[states] = _state_values(q[pairs], sigma[pairs], local, mass[states])
        return V


def _state_values(q, sigma, local, mass) -> np.ndarray:
    """Per state the v with sum_a lambda((q_a - v) / sigma_a) = mass, by bisection."""
    n = len(mass)
    mass = np.clip(mass, 1e-280, 1.0 - 1e-13)
    count = np.bincount(local, minlength=n)

    def highest(share):
        w = np.sqrt(-2.0 * np.log(share))[local]
        out = np.full(n, -np.inf)
        np.maximum.at(out, local, q + sigma * (w - 1.0 / w))
        return out

    low, high = highest(mass), highest(mass / np.maximum(count, 1) * (1 - 1e-12))
    for _ in range(80):
        middle = 0.5 * (low + high)
        w = root((q - middle[local]) / sigma)
        above = np.bincount(local, np.exp(-0.5 * w * w), n) > mass
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return 0.5 * (low + high)


def _solve_posdef(H, g) -> np.ndarray:
    """H x = g for a matrix with unit diagonal that may be singular to working precision."""
    for shift in (1e-15, 1e-13, 1e-11, 1e-8):
        try:
            factor = scipy.linalg.cho_factor(H + shift * np.eye(len(g)))
            x = scipy.linalg.cho_solve(factor, g)
            if np.all(np.isfinite(x)):
                return x
        except scipy.linalg.LinAlgError:
            continue
    return np.linalg.lstsq(H, g, rcond=1e-12)[0]
