"""A problem file (format "vapor-problem", version 1) as flat NumPy arrays.

Pairs (layer, state, action) are numbered in file order, so ragged numbers of actions cost nothing:
one array over all pairs, and per layer a range of states and a range of pairs. The expected
transition of a pair is `next + base_weight * base`, kept in that factored form.

This reader serves the peers and the reference data only. It trusts its input: the strict reader,
with errors that name the place, is the C++ one.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import scipy.sparse as sp


@dataclass
class Problem:
    """A layered MDP belief: L layers, N states and M pairs in all."""

    initial: np.ndarray  # [states of layer 0]
    state_start: np.ndarray  # [L+1] first state of each layer
    pair_start: np.ndarray  # [L+1] first pair of each layer
    pair_state: np.ndarray  # [M] the state (numbered over all layers) a pair belongs to
    reward: np.ndarray  # [M] posterior mean reward
    sigma: np.ndarray  # [M] >= 0
    next: list[sp.csr_array]  # [L-1] of [pairs of layer l, states of layer l+1]
    base: list[np.ndarray | None]  # [L-1] of [states of layer l+1]
    base_weight: list[np.ndarray | None]  # [L-1] of [pairs of layer l]

    @property
    def layers(self) -> int:
        return len(self.pair_start) - 1

    @property
    def num_pairs(self) -> int:
        return int(self.pair_start[-1])

    @property
    def num_states(self) -> int:
        return int(self.state_start[-1])

    def pairs(self, layer: int) -> slice:
        return slice(self.pair_start[layer], self.pair_start[layer + 1])

    def states(self, layer: int) -> slice:
        return slice(self.state_start[layer], self.state_start[layer + 1])

    def flow(self, layer: int, occupancy: np.ndarray) -> np.ndarray:
        """Mass that `occupancy` of one layer (over its pairs) sends to each state of the next."""
        mass = self.next[layer].T @ occupancy
        if self.base[layer] is not None:
            mass = mass + (self.base_weight[layer] @ occupancy) * self.base[layer]
        return mass

    def dense_transition(self, layer: int) -> np.ndarray:
        """Expected transitions of one layer as a full [pairs, next states] array."""
        full = self.next[layer].toarray()
        if self.base[layer] is not None:
            full = full + np.outer(self.base_weight[layer], self.base[layer])
        return full


def load(path: str | Path) -> Problem:
    with open(path, encoding="utf-8") as file:
        return from_dict(json.load(file))


def from_dict(data: dict) -> Problem:
    if data.get("format") != "vapor-problem" or data.get("version") != 1:
        raise ValueError('format: must be "vapor-problem", version 1')
    layers = data["layers"]
    actions = [[len(row) for row in layer["reward_mean"]] for layer in layers]
    state_start = np.concatenate([[0], np.cumsum([len(a) for a in actions])])
    pair_start = np.concatenate([[0], np.cumsum([sum(a) for a in actions])])
    per_state = np.array([n for layer in actions for n in layer])
    initial = np.asarray(data["initial"], dtype=float)

    next_, base, base_weight = [], [], []
    for index, layer in enumerate(layers[:-1]):
        parts = _transitions(layer, sum(actions[index]), len(actions[index + 1]))
        for target, part in zip((next_, base, base_weight), parts):
            target.append(part)
    return Problem(
        initial=initial / initial.sum(),
        state_start=state_start,
        pair_start=pair_start,
        pair_state=np.repeat(np.arange(len(per_state)), per_state),
        reward=_flat([layer["reward_mean"] for layer in layers]),
        sigma=_flat([layer["sigma"] for layer in layers]),
        next=next_,
        base=base,
        base_weight=base_weight,
    )


def _flat(layers: list) -> np.ndarray:
    return np.array([x for layer in layers for row in layer for x in row], dtype=float)


def _transitions(layer: dict, num_pairs: int, num_next: int):
    rows, columns, values = [], [], []
    pairs = [pair for state in layer.get("next", []) for pair in state]
    for row, pair in enumerate(pairs):
        for column, value in pair:
            rows.append(row)
            columns.append(column)
            values.append(value)
    next_ = sp.coo_array((values, (rows, columns)), shape=(num_pairs, num_next)).tocsr()
    next_.sum_duplicates()
    total = np.asarray(next_.sum(axis=1)).ravel()
    base, weight = None, None
    if "base" in layer:
        base = np.asarray(layer["base"], dtype=float)
        base = base / base.sum()
        weight = _flat([layer["base_weight"]])
        total = total + weight
        weight = weight / total
    return sp.csr_array(sp.diags_array(1.0 / total) @ next_), base, weight


def true_value(problem: Problem, occupancy: np.ndarray) -> float:
    """sum lambda (r + sigma sqrt(-2 log lambda)), with 0 where lambda is 0 or 1."""
    lam = np.clip(occupancy, 0.0, 1.0)
    root = np.sqrt(-2.0 * np.log(np.where(lam > 0, lam, 1.0)))
    return float(problem.reward @ lam + problem.sigma @ (lam * root))


def policy_of(problem: Problem, occupancy: np.ndarray) -> np.ndarray:
    """pi(a|s) proportional to lambda (negative entries count as 0), uniform where a state has none."""
    lam = np.maximum(np.nan_to_num(occupancy), 0.0)
    outflow = np.bincount(problem.pair_state, lam, problem.num_states)[problem.pair_state]
    count = np.bincount(problem.pair_state, minlength=problem.num_states)[problem.pair_state]
    positive = outflow > 0
    return np.where(positive, lam / np.where(positive, outflow, 1.0), 1.0 / count)


def push_forward(problem: Problem, policy: np.ndarray) -> np.ndarray:
    """The occupancy measure of a policy: feasible by construction.

    Each layer's mass is renormalised to 1. Only rounding is lost that way, and a pair forced to
    lambda = 1 must get exactly 1: sqrt(-2 log) turns an error of 1e-16 there into one of 1e-8.
    """
    occupancy = np.zeros(problem.num_pairs)
    mass = problem.initial
    for layer in range(problem.layers):
        pairs = problem.pairs(layer)
        local_state = problem.pair_state[pairs] - problem.state_start[layer]
        occupancy[pairs] = policy[pairs] * mass[local_state]
        if layer + 1 < problem.layers:
            mass = problem.flow(layer, occupancy[pairs])
            mass = mass / mass.sum()
    return occupancy


def repaired(problem: Problem, occupancy: np.ndarray) -> np.ndarray:
    """A feasible occupancy measure near any array over pairs: normalise to a policy, push forward."""
    return push_forward(problem, policy_of(problem, occupancy))
