#!/usr/bin/env python3
"""Statistics of seeded scores by rliable, SciPy and NumPy: writes statistics.json beside this file.

    generate.py [--check]      --check: is the stored file what the packages give?

Scores are tasks x seeds, as in vapor/report/statistics.h; rliable wants runs x tasks. Tasks differ
in level and spread, so that a bootstrap that forgets the strata gives other intervals. Cases of
whole numbers are full of ties and have no intervals: theirs jump from number to number.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
from rliable import library, metrics

sys.dont_write_bytecode = True
STORED = Path(__file__).resolve().parent / "statistics.json"
RESAMPLES = 100_000
# tasks, seeds of X, seeds of Y, ties
SHAPES = [
    (1, 1, 1, False),
    (1, 4, 3, True),
    (3, 5, 5, True),
    (7, 10, 6, True),
    (2, 10, 10, False),
    (5, 10, 20, False),
    (10, 7, 7, False),
]


def scores(random, tasks, seeds, ties, shift):
    level = np.arange(tasks)[:, None] * 3.0 + shift
    spread = 1.0 + np.arange(tasks)[:, None] % 3
    values = level + spread * random.standard_normal((tasks, seeds))
    return np.round(values) if ties else values


def exceeds(X, Y):
    """rliable's probability of improvement, a thousand times as fast; case() compares them."""
    above = (X[:, None] > Y[None]).mean() + 0.5 * (X[:, None] == Y[None]).mean()
    return float(above)


def interval(metric, *agents):
    """95%, by the percentiles of the resamples."""
    np.random.seed(1)  # rliable draws from the global generator
    if len(agents) == 1:
        boot = library.StratifiedBootstrap(*(a.T for a in agents))
    else:
        boot = library.StratifiedIndependentBootstrap(*(a.T for a in agents))
    return boot.conf_int(metric, reps=RESAMPLES, method="percentile", size=0.95).ravel().tolist()


def case(random, tasks, seeds_x, seeds_y, ties):
    X = scores(random, tasks, seeds_x, ties, 0.5)
    Y = scores(random, tasks, seeds_y, ties, 0.0)
    result = {
        "X": X.tolist(),
        "Y": Y.tolist(),
        "mean": metrics.aggregate_mean(X.T),
        "interquartile_mean": metrics.aggregate_iqm(X.T),
        "probability_of_improvement": metrics.probability_of_improvement(X.T, Y.T),
        "percentiles": np.percentile(X.ravel(), [2.5, 97.5]).tolist(),
    }
    assert abs(exceeds(X.T, Y.T) - result["probability_of_improvement"]) < 1e-12
    if not ties and seeds_x > 1:
        result["intervals"] = {
            "mean": interval(metrics.aggregate_mean, X),
            "interquartile_mean": interval(metrics.aggregate_iqm, X),
            "probability_of_improvement": interval(exceeds, X, Y),
        }
    return result


def main():
    random = np.random.default_rng(5)
    lines = ",\n".join(json.dumps(case(random, *shape)) for shape in SHAPES)
    text = f"[\n{lines}\n]\n"
    if "--check" in sys.argv[1:]:
        sys.exit(0 if STORED.read_text() == text else "statistics.json differs")
    STORED.write_text(text)


if __name__ == "__main__":
    main()
