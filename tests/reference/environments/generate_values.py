#!/usr/bin/env python3
"""Optimal values of random layered MDPs by pymdptoolbox: writes optimal_values.json beside this file.

    generate_values.py [--check]      --check: is the stored file what the package gives?

A layered MDP is one stationary MDP over the states of all layers and a sink that the last layer
leads to; FiniteHorizon over as many stages as layers then gives V of a state at the stage of its
layer. States have the same number of actions, which is what the package takes.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
from pathlib import Path

import numpy as np

with contextlib.redirect_stdout(io.StringIO()):
    import mdptoolbox.mdp

sys.dont_write_bytecode = True
STORED = Path(__file__).resolve().parent / "optimal_values.json"
SHAPES = [([1, 2], 2), ([1, 3, 2, 4], 3), ([4, 4, 4, 4, 4, 4], 2), ([2, 7, 1, 5], 4), ([3], 5)]
PROBLEMS_PER_SHAPE = 6


def random_layers(states, actions, random):
    """The layers of a problem file: sparse rows in every third problem, dense ones otherwise."""
    sparse = random.rand() < 1 / 3
    layers = []
    for l, count in enumerate(states):
        layer = {
            "reward_mean": random.randn(count, actions).tolist(),
            "sigma": np.zeros((count, actions)).tolist(),
        }
        if l + 1 < len(states):
            layer["next"] = [
                [random_row(states[l + 1], sparse, random) for _ in range(actions)]
                for _ in range(count)
            ]
        layers.append(layer)
    return layers


def random_row(size, sparse, random):
    weights = random.exponential(size=size)
    if sparse:
        weights *= random.rand(size) < 0.5
        weights[random.randint(size)] += 0.1
    weights /= weights.sum()
    return [[s, float(p)] for s, p in enumerate(weights) if p > 0]


def solve(layers, states, actions):
    """V by layer and state, and the maximising actions."""
    first = np.concatenate([[0], np.cumsum(states)])
    sink = first[-1]
    P = np.zeros((actions, sink + 1, sink + 1))
    R = np.zeros((sink + 1, actions))
    P[:, sink, sink] = 1.0
    for l, layer in enumerate(layers):
        for s in range(states[l]):
            R[first[l] + s] = layer["reward_mean"][s]
            for a in range(actions):
                if "next" not in layer:
                    P[a, first[l] + s, sink] = 1.0
                    continue
                for t, p in layer["next"][s][a]:
                    P[a, first[l] + s, first[l + 1] + t] = p
    with contextlib.redirect_stdout(io.StringIO()):  # it warns that nothing is discounted
        mdp = mdptoolbox.mdp.FiniteHorizon(P, R, 1.0, len(states))
    mdp.run()
    V = [mdp.V[first[l] : first[l + 1], l].tolist() for l in range(len(states))]
    best = [mdp.policy[first[l] : first[l + 1], l].tolist() for l in range(len(states))]
    return V, best


def main():
    random = np.random.RandomState(20)
    entries = []
    for states, actions in SHAPES:
        for _ in range(PROBLEMS_PER_SHAPE):
            layers = random_layers(states, actions, random)
            initial = random.exponential(size=states[0])
            V, best = solve(layers, states, actions)
            problem = {
                "format": "vapor-problem",
                "version": 1,
                "initial": (initial / initial.sum()).tolist(),
                "layers": layers,
            }
            entries.append({"problem": problem, "V": V, "best": best})
    lines = ",\n".join(json.dumps(entry, separators=(",", ":")) for entry in entries)
    text = f"[\n{lines}\n]\n"
    if "--check" in sys.argv[1:]:
        sys.exit(0 if STORED.read_text() == text else "optimal_values.json differs")
    STORED.write_text(text)


if __name__ == "__main__":
    main()
