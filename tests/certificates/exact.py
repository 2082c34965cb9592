"""A problem and a policy or values of it, evaluated in 80 digits or more (Python's decimal), from
nothing but the definitions.

The exact problem is that of docs/solver.md: the doubles as the reader stores them, every
distribution divided by its exact sum. Masses are sums of positive terms, so 80 digits stay 80
digits; where values are large beside what is left of them, more are carried.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from decimal import Decimal, getcontext

ZERO, ONE, TWO = Decimal(0), Decimal(1), Decimal(2)
DIGITS = 80


def carry_digits_for(numbers: list[float]) -> None:
    """80 digits beside the largest of the numbers, twice, for it may be squared."""
    largest = max([1.0] + [abs(x) for x in numbers if math.isfinite(x)])
    getcontext().prec = DIGITS + 2 * math.ceil(math.log10(largest))
    getcontext().Emin, getcontext().Emax = -(10**9), 10**9


def _stored(distribution: list[float], extra: list[float]) -> tuple[list[float], list[float]]:
    """As the reader stores it: scaled by its sum, unless that is 1 up to rounding."""
    total = 0.0
    for p in extra + distribution:
        total += p
    if abs(total - 1.0) <= (len(distribution) + len(extra)) * sys.float_info.epsilon:
        return distribution, extra
    return [p / total for p in distribution], [p / total for p in extra]


@dataclass
class Pair:
    state: int  # through all layers, like everything
    reward: Decimal
    sigma: Decimal
    row: dict[int, Decimal]  # next state -> probability, summing to 1 exactly
    forced: bool = False  # every policy takes it: lambda = 1


class Exact:
    def __init__(self, file: dict, regulariser: str):
        self.regulariser = regulariser
        layers = file["layers"]
        self.first = [0]  # state of each layer
        for layer in layers:
            self.first.append(self.first[-1] + len(layer["reward_mean"]))
        initial, _ = _stored(file["initial"], [])
        total = sum(map(Decimal, initial))
        self.initial = {s: Decimal(p) / total for s, p in enumerate(initial) if p > 0.0}
        self.pairs: list[Pair] = []
        self.of_state: list[list[int]] = []
        for l, layer in enumerate(layers):
            base = self._base(layer.get("base"), self.first[l + 1])
            for s, rewards in enumerate(layer["reward_mean"]):
                self.of_state.append([])
                for a, reward in enumerate(rewards):
                    sigma = 0.0 if regulariser == "linear" else layer["sigma"][s][a]
                    row = self._row(layer, s, a, base, self.first[l + 1])
                    self.of_state[-1].append(len(self.pairs))
                    state = self.first[l] + s
                    self.pairs.append(Pair(state, Decimal(reward), Decimal(sigma), row))
        self._find_reachable()

    @staticmethod
    def _base(base, first: int) -> dict[int, Decimal]:
        if base is None:
            return {}
        kept, _ = _stored(base, [])
        total = sum(map(Decimal, kept))
        return {first + s: Decimal(p) / total for s, p in enumerate(kept) if p > 0.0}

    @staticmethod
    def _row(layer: dict, s: int, a: int, base: dict, first: int) -> dict[int, Decimal]:
        if "next" not in layer:
            return {}
        entries = layer["next"][s][a]
        weight = layer["base_weight"][s][a] if "base_weight" in layer else 0.0
        probabilities, (weight,) = _stored([p for _, p in entries], [weight])
        total = Decimal(weight) + sum(map(Decimal, probabilities))
        row: dict[int, Decimal] = {}
        for (target, _), p in zip(entries, probabilities):
            if p > 0.0:
                row[first + target] = row.get(first + target, ZERO) + Decimal(p) / total
        if weight > 0.0:
            for state, p in base.items():
                row[state] = row.get(state, ZERO) + Decimal(weight) / total * p
        return row

    def _find_reachable(self) -> None:
        self.reachable = set(self.initial)
        for layer in range(len(self.first) - 1):
            states = range(self.first[layer], self.first[layer + 1])
            pairs = [p for s in states if s in self.reachable for p in self.of_state[s]]
            if len(pairs) == 1:
                self.pairs[pairs[0]].forced = True
            for p in pairs:
                self.reachable.update(self.pairs[p].row)

    def layer_pairs(self, layer: int) -> list[int]:
        states = range(self.first[layer], self.first[layer + 1])
        return [p for s in states if s in self.reachable for p in self.of_state[s]]

    # The scalar functions.

    def f(self, lam: Decimal, outside: Decimal, sigma: Decimal) -> Decimal:
        if sigma == 0 or lam == 0 or outside == 0:
            return ZERO
        log = lam.ln() if lam < Decimal("0.5") else _log1p(-outside)
        return sigma * lam * ((-TWO * log).sqrt() if self.regulariser == "vapor" else -log)

    def maximiser(self, delta: Decimal, sigma: Decimal) -> Decimal:
        """The lambda at which lambda delta + f(lambda) is largest over [0, 1]."""
        if sigma == 0:
            return ONE if delta > 0 else ZERO
        if self.regulariser == "vapor":
            return (-positive_root(delta / sigma) ** 2 / TWO).exp()
        return ONE if delta >= sigma else (delta / sigma - ONE).exp()

    def conjugate(self, delta: Decimal, sigma: Decimal) -> Decimal:
        if sigma == 0:
            return max(delta, ZERO)
        if self.regulariser == "vapor":
            w = positive_root(delta / sigma)
            return sigma * (-w * w / TWO).exp() / w
        return delta if delta >= sigma else sigma * (delta / sigma - ONE).exp()

    # The two bounds.

    def value(self, policy: list) -> Decimal:
        """Of the measure of a policy by pair, each state's divided by its exact sum."""
        mass = dict(self.initial)
        total = ZERO
        for layer in range(len(self.first) - 1):
            lam = {}
            for s in range(self.first[layer], self.first[layer + 1]):
                if s not in mass:
                    continue
                whole = sum(Decimal(policy[p]) for p in self.of_state[s])
                for p in self.of_state[s]:
                    lam[p] = mass[s] * Decimal(policy[p]) / whole
            most = max(lam, key=lambda p: lam[p])
            for p, x in lam.items():
                pair = self.pairs[p]
                outside = ONE - x if p != most else sum((y for q, y in lam.items() if q != p), ZERO)
                total += x * pair.reward
                if not pair.forced:
                    total += self.f(x, outside, pair.sigma)
                for state, probability in pair.row.items():
                    mass[state] = mass.get(state, ZERO) + x * probability
        return total

    def advantage(self, p: int, V: list[Decimal]) -> Decimal:
        pair = self.pairs[p]
        return pair.reward - V[pair.state] + sum((q * V[s] for s, q in pair.row.items()), ZERO)

    def dual(self, V: list[Decimal]) -> Decimal:
        total = sum((q * V[s] for s, q in self.initial.items()), ZERO)
        for layer in range(len(self.first) - 1):
            for p in self.layer_pairs(layer):
                delta = self.advantage(p, V)
                pair = self.pairs[p]
                total += delta if pair.forced else self.conjugate(delta, pair.sigma)
        return total

    def policy_of(self, V: list[Decimal]) -> list[Decimal]:
        """Proportional to the maximisers; where all of them are 0, the largest advantage."""
        policy = [ONE] * len(self.pairs)
        for s in self.reachable:
            pairs = self.of_state[s]
            deltas = [self.advantage(p, V) for p in pairs]
            shares = [self.maximiser(d, self.pairs[p].sigma) for d, p in zip(deltas, pairs)]
            if not any(shares):
                shares = [ONE if d == max(deltas) else ZERO for d in deltas]
            for p, share in zip(pairs, shares):
                policy[p] = share
        return policy


def positive_root(x: Decimal) -> Decimal:
    """The positive root of w^2 + x w - 1."""
    root = (x * x + 4).sqrt()
    return TWO / (x + root) if x > 0 else (root - x) / TWO


def _log1p(x: Decimal) -> Decimal:
    """log(1 + x), by its series where x is tiny."""
    if abs(x) > Decimal("1e-30"):
        getcontext().prec += 40
        result = (ONE + x).ln()
        getcontext().prec -= 40
        return +result
    total, power = ZERO, ONE
    for k in range(1, 8):
        power *= -x
        total -= power / k
    return total
