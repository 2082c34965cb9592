"""The statistics against rliable on the same arrays."""

import warnings
from typing import Any

import numpy as np
import pandas.util._decorators
import pytest

import vapor
from vapor import statistics


def _deprecate_kwarg(*_: Any, **__: Any) -> Any:
    return lambda function: function


# rliable draws with arch 7.2, which calls this decorator as pandas 2 had it. It only warns.
with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
    warnings.simplefilter("ignore")
    patch.setattr(pandas.util._decorators, "deprecate_kwarg", _deprecate_kwarg)
    from rliable import library, metrics

SHAPES = [(3, 1), (5, 4), (10, 7), (8, 26)]  # seeds, tasks


def scores(shape: tuple[int, int], seed: int) -> Any:
    random = np.random.default_rng(seed)
    return random.normal(size=shape).round(1) + random.normal(size=shape[1])


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", range(5))
def test_statistics_equal_rliables(shape: tuple[int, int], seed: int) -> None:
    x, y = scores(shape, seed), scores(shape, seed + 100)
    assert statistics.mean(x) == pytest.approx(metrics.aggregate_mean(x), rel=1e-12, abs=1e-12)
    assert statistics.interquartile_mean(x) == pytest.approx(
        metrics.aggregate_iqm(x), rel=1e-12, abs=1e-12
    )
    # Rounded scores have ties, which count half in both.
    assert statistics.probability_of_improvement(x, y) == pytest.approx(
        metrics.probability_of_improvement(x, y), rel=1e-12
    )


def test_intervals_equal_rliables_up_to_sampling() -> None:
    """Both draw 4000 resamples. The difference of two ends then has a standard error of about 3% of
    the width of the interval, so 12% of it is allowed."""
    x = scores((5, 4), 1)
    resamples = 4000
    for name, theirs in (
        ("mean", metrics.aggregate_mean),
        ("interquartile_mean", metrics.aggregate_iqm),
    ):
        _, intervals = library.get_interval_estimates(
            {"x": x},
            lambda values, statistic=theirs: np.array([statistic(values)]),
            reps=resamples,
            random_state=np.random.RandomState(0),
        )
        ours = statistics.interval(x, name, resamples=resamples)
        low, high = intervals["x"][:, 0]
        assert ours.low == pytest.approx(low, abs=0.12 * (high - low))
        assert ours.high == pytest.approx(high, abs=0.12 * (high - low))


@pytest.mark.full
def test_the_interval_of_improvement_equals_rliables_up_to_sampling() -> None:
    """rliable takes a rank test for each task of each resample, so it draws 1000 only. An end then
    has a standard error of about 4% of the width of the interval; 15% of it is allowed."""
    x, y = scores((5, 3), 1), scores((5, 3), 2)
    _, intervals = library.get_interval_estimates(
        {"xy": (x, y)},
        metrics.probability_of_improvement,
        reps=1000,
        random_state=np.random.RandomState(0),
    )
    low, high = np.ravel(intervals["xy"])
    ours = statistics.improvement_interval(x, y, resamples=20_000)
    assert ours.low == pytest.approx(low, abs=0.15 * (high - low))
    assert ours.high == pytest.approx(high, abs=0.15 * (high - low))


def test_wrong_scores_are_named() -> None:
    with pytest.raises(vapor.InputError, match=r"scores: must have 2 dimensions, has shape \(3,\)"):
        statistics.mean([1.0, 2.0, 3.0])
    with pytest.raises(vapor.InputError, match=r"scores\[1, 0\]: must be finite"):
        statistics.mean([[1.0], [np.nan]])
    with pytest.raises(vapor.InputError, match="task"):
        statistics.probability_of_improvement(np.ones((3, 2)), np.ones((3, 1)))
