"""Statistics of few seeds, as the field reports them (Agarwal et al., 2021).

Scores are arrays ``(seeds, tasks)``, as in rliable: every task has as many seeds.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np

from . import _core
from .tables import numbers

Statistic = Literal["mean", "interquartile_mean"]


class Interval(NamedTuple):
    """A confidence interval."""

    low: float
    high: float


def mean(scores: Any) -> float:
    """Over all tasks and seeds together."""
    return _scores("scores", scores).mean()


def interquartile_mean(scores: Any) -> float:
    """The mean of the middle half of all scores."""
    return _scores("scores", scores).interquartile_mean()


def probability_of_improvement(scores: Any, others: Any) -> float:
    """P(a score exceeds one of the others), ties counting half, averaged over the tasks."""
    return _scores("scores", scores).probability_of_improvement(_scores("others", others))


def interval(
    scores: Any,
    statistic: Statistic = "interquartile_mean",
    *,
    confidence: float = 0.95,
    resamples: int = 2000,
    seed: int = 1,
) -> Interval:
    """The stratified percentile bootstrap: seeds are drawn again within every task."""
    native = _scores("scores", scores)
    return Interval(*native.interval(statistic, resamples, confidence, seed))


def improvement_interval(
    scores: Any, others: Any, *, confidence: float = 0.95, resamples: int = 2000, seed: int = 1
) -> Interval:
    """The same for :func:`probability_of_improvement`, each agent drawn again on its own."""
    native, other = _scores("scores", scores), _scores("others", others)
    return Interval(*native.improvement_interval(other, resamples, confidence, seed))


def _scores(place: str, scores: Any) -> _core.Scores:
    by_task = numbers(place, scores, 2).T
    return _core.Scores(place, np.ascontiguousarray(by_task))
