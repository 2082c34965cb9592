"""Seeded problems of fifteen kinds, each hard on a certificate in its own way.

problem(kind, seed) is a problem file (docs/problem-file.md) as a dictionary; the same arguments
always give the same numbers.
"""

from __future__ import annotations

import random
from typing import Callable


def problem(kind: str, seed: int) -> dict:
    return KINDS[kind](random.Random(f"{kind} {seed}"))


def _power(rng: random.Random, low: float, high: float) -> float:
    return 10.0 ** rng.uniform(low, high)


def _normalised(weights: list[float]) -> list[float]:
    total = sum(weights)
    return [w / total for w in weights]


def _sign(rng: random.Random) -> float:
    return rng.choice((-1.0, 1.0))


class Recipe:
    """What a random layered problem is made of; a kind overrides what makes it hard."""

    layers = (2, 5)
    states = (1, 4)
    actions = (1, 3)

    def __init__(self, rng: random.Random):
        self.rng = rng

    def reward(self, layer: int, layers: int) -> float:
        return self.rng.gauss(0.0, 1.0)

    def sigma(self) -> float:
        return _power(self.rng, -1, 0.5)

    def row(self, states: int) -> list[list[float]]:
        """(next state, probability), all of them or some."""
        targets = self.rng.sample(range(states), self.rng.randint(1, states))
        weights = _normalised([self.rng.random() + 1e-3 for _ in targets])
        return [[t, w] for t, w in zip(targets, weights)]

    def initial(self, states: int) -> list[float]:
        if self.rng.random() < 0.5:
            return [1.0] + [0.0] * (states - 1)
        return _normalised([self.rng.random() + 1e-3 for _ in range(states)])

    def base(self, states: int) -> list[float] | None:
        return None

    def make(self) -> dict:
        rng = self.rng
        sizes = [rng.randint(*self.states) for _ in range(rng.randint(*self.layers))]
        layers = []
        for l, size in enumerate(sizes):
            last = l + 1 == len(sizes)
            actions = [rng.randint(*self.actions) for _ in range(size)]
            layer = {
                "reward_mean": [[self.reward(l, len(sizes)) for _ in range(a)] for a in actions],
                "sigma": [[self.sigma() for _ in range(a)] for a in actions],
            }
            if not last:
                self.add_transitions(layer, actions, sizes[l + 1])
            layers.append(layer)
        return {
            "format": "vapor-problem",
            "version": 1,
            "initial": self.initial(sizes[0]),
            "layers": layers,
        }

    def add_transitions(self, layer: dict, actions: list[int], states: int) -> None:
        layer["next"] = [[self.row(states) for _ in range(a)] for a in actions]


class Extremes(Recipe):
    """Numbers from 1e-300 to 1e100, the largest that a problem may have."""

    def reward(self, layer, layers):
        return _sign(self.rng) * _power(self.rng, -300, 100)

    def sigma(self):
        return _power(self.rng, -300, 100)

    def row(self, states):
        weights = _normalised([_power(self.rng, -300, 0) for _ in range(states)])
        return [[t, w] for t, w in enumerate(weights)]


class NearDeterministic(Recipe):
    """One successor has all but 1e-8 to 1e-40."""

    def row(self, states):
        target, other = self.rng.randrange(states), self.rng.randrange(states)
        rare = _power(self.rng, -40, -8)
        return [[target, 1.0 - rare], [other, rare]] if target != other else [[target, 1.0]]

    def sigma(self):
        return _power(self.rng, -2, 8)


class Cancellation(Recipe):
    """What a layer pays the next takes back: values far above what is left of them."""

    layers = (2, 6)

    def __init__(self, rng):
        super().__init__(rng)
        self.scale = _power(rng, 4, 17)

    def reward(self, layer, layers):
        small = self.rng.gauss(0.0, 1.0)
        if layers % 2 == 1 and layer + 1 == layers:
            return small
        return self.scale * (1 if layer % 2 == 0 else -1) + small


class NearForced(Recipe):
    """Layers of which one pair has all but 1e-12 to 1e-149, with a large sigma."""

    states = (2, 3)
    actions = (1, 2)

    def reward(self, layer, layers):
        return self.rng.choice((0.0, self.rng.gauss(0.0, 1.0)))

    def sigma(self):
        return _power(self.rng, 0, 10)

    def initial(self, states):
        return [1.0] + [0.0] * (states - 1)

    def row(self, states):
        rare = _power(self.rng, *self.rng.choice(((-20, -12), (-149, -12))))
        return [[0, 1.0], [self.rng.randrange(1, states), rare]]


class LargeContrast(Recipe):
    """Sigmas from 1e-8 to 1e8 side by side."""

    def sigma(self):
        return _power(self.rng, -8, 8)


class ZeroSigmas(Recipe):
    """Between a third and all but a few of the sigmas are 0."""

    def __init__(self, rng):
        super().__init__(rng)
        self.share = rng.uniform(0.3, 0.95)

    def sigma(self):
        return 0.0 if self.rng.random() < self.share else super().sigma()


class Ties(Recipe):
    """Few different numbers: actions and states that are alike."""

    actions = (2, 4)

    def reward(self, layer, layers):
        return float(self.rng.randrange(2))

    def sigma(self):
        return self.rng.choice((0.0, 1.0, 1.0, 1.0))

    def row(self, states):
        return [[self.rng.randrange(states), 1.0]]


class Unreachable(Recipe):
    """States that no policy reaches, some with enormous rewards."""

    states = (3, 6)

    def initial(self, states):
        return [1.0] + [0.0] * (states - 1)

    def row(self, states):
        return [[self.rng.randrange(2), 1.0], [states - 1, 0.0]]

    def reward(self, layer, layers):
        return self.rng.choice((self.rng.gauss(0.0, 1.0), 1e3 * self.rng.gauss(0.0, 1.0)))


class OneAction(Recipe):
    """Nothing to choose: the measure is the chain's own."""

    actions = (1, 1)
    layers = (1, 6)


class OneLayer(Recipe):
    """A bandit with contexts."""

    layers = (1, 1)
    states = (1, 5)
    actions = (1, 8)

    def sigma(self):
        return _power(self.rng, -4, 4)


class TinyMasses(Recipe):
    """Probabilities that multiply to below 1e-150, where states count as dropped."""

    layers = (3, 6)
    states = (2, 4)

    def row(self, states):
        tiny = self.rng.sample(range(states), self.rng.randint(1, states - 1))
        weights = [_power(self.rng, -160, -20) if t in tiny else 1.0 for t in range(states)]
        return [[t, w] for t, w in enumerate(_normalised(weights))]


class BaseRows(Recipe):
    """Sparse plus rank one, as posteriors of a Dirichlet prior are, with states never visited."""

    states = (2, 8)
    actions = (1, 3)

    def add_transitions(self, layer, actions, states):
        equal = self.rng.random() < 0.5
        base = [1.0 if equal else self.rng.random() + 1e-3 for _ in range(states)]
        layer["base"] = _normalised(base)
        layer["base_weight"] = []
        layer["next"] = []
        visits = [0, 0, 1, 1, 2, 50, 10**6, 10**12]
        for a in actions:
            counts = [self.rng.choice(visits) for _ in range(a)]
            weights = [1.0 / (1.0 + n) for n in counts]
            layer["base_weight"].append(weights)
            layer["next"].append(
                [
                    [[self.rng.randrange(min(states, 2)), 1.0 - w]] if n else []
                    for n, w in zip(counts, weights)
                ]
            )


class DeepChains(Recipe):
    """Up to 120 layers."""

    layers = (40, 120)
    states = (1, 2)
    actions = (1, 2)


class WideLayers(Recipe):
    """Up to 40 states a layer."""

    layers = (2, 3)
    states = (15, 40)
    actions = (1, 2)

    def row(self, states):
        targets = self.rng.sample(range(states), min(states, 4))
        weights = _normalised([self.rng.random() for _ in targets])
        return [[t, w] for t, w in zip(targets, weights)]


class Linear(Recipe):
    """All sigmas 0: a plain MDP, with numbers of all sizes."""

    def __init__(self, rng):
        super().__init__(rng)
        self.large = rng.random() < 0.5

    def reward(self, layer, layers):
        if self.large and self.rng.random() < 0.5:
            return self.rng.choice((-1e17, 1e17, 1e16, -1e16, 3e15))
        return float(self.rng.randint(-9, 9))

    def sigma(self):
        return 0.0


def _maker(recipe: type[Recipe]) -> Callable[[random.Random], dict]:
    return lambda rng: recipe(rng).make()


KINDS: dict[str, Callable[[random.Random], dict]] = {
    "extremes": _maker(Extremes),
    "near-deterministic": _maker(NearDeterministic),
    "cancellation": _maker(Cancellation),
    "near-forced": _maker(NearForced),
    "large-contrast": _maker(LargeContrast),
    "zero-sigmas": _maker(ZeroSigmas),
    "ties": _maker(Ties),
    "unreachable": _maker(Unreachable),
    "one-action": _maker(OneAction),
    "one-layer": _maker(OneLayer),
    "tiny-masses": _maker(TinyMasses),
    "base-rows": _maker(BaseRows),
    "deep-chains": _maker(DeepChains),
    "wide-layers": _maker(WideLayers),
    "linear": _maker(Linear),
}
