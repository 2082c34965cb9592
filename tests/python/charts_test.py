"""Pictures: what shows itself in a notebook is a valid Vega-Lite chart of the right numbers."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vapor
from vapor.charts import MIME, occupancy_chart, problem_chart, runs_chart


def values(spec: dict[str, Any], panel: int) -> list[dict[str, float]]:
    rows: list[dict[str, float]] = spec["hconcat"][panel]["data"]["values"]
    return rows


def test_an_occupancy_is_drawn_state_by_state() -> None:
    sea = vapor.Environment("deep_sea:depth=6")
    solution = vapor.solve(vapor.Belief.about(sea).problem)
    bundle = solution._repr_mimebundle_()
    assert "Solution(solved" in bundle["text/plain"]
    rows = values(bundle[MIME], 0)
    assert len(rows) == 21  # 1 + 2 + ... + 6 states
    for row in rows:
        layer = solution.occupancy[int(row["layer"])]
        assert row["occupancy"] == pytest.approx(layer[int(row["state"])].sum())


def test_a_problem_with_ragged_actions_is_drawn() -> None:
    ragged = vapor.Problem(
        reward_mean=[[[1.0, -2.0]], [[-3.0], [4.0, 5.0]]],
        sigma=[[[0.1, 0.2]], [[0.3], [0.4, 0.5]]],
        transitions=[[[[1.0, 0.0], [0.0, 1.0]]]],
    )
    spec = problem_chart(ragged).spec
    assert [row["reward"] for row in values(spec, 0)] == [1.0, -3.0, 5.0]
    assert [row["sigma"] for row in values(spec, 1)] == [0.2, 0.3, 0.5]


def test_large_maps_are_drawn_in_blocks() -> None:
    solution = vapor.solve(vapor.random_problem(layers=3, states=500, actions=2))
    rows = values(occupancy_chart(solution).spec, 0)
    assert len(rows) == 3 * 100
    most = max(float(layer.sum(axis=1).max()) for layer in solution.occupancy)
    assert max(row["occupancy"] for row in rows) == pytest.approx(most)


def test_runs_are_drawn_and_saved(tmp_path: Path) -> None:
    runs = vapor.run("deep_sea:depth=5", "vapor", episodes=900, seeds=2, out=tmp_path / "runs")
    chart = runs_chart(runs)
    rows = chart.spec["data"]["values"]
    assert len(rows) == 150  # a line of the mean, not a line a seed
    totals = [run.episodes["regret"].sum() for run in runs]
    assert rows[-1]["episode"] == 900
    assert rows[-1]["total"] == pytest.approx(np.mean(totals))
    assert rows[-1]["high"] - rows[-1]["low"] == pytest.approx(4 * np.std(totals, ddof=1) / 2**0.5)
    assert MIME in runs[0]._repr_mimebundle_()
    chart.save(tmp_path / "chart.html")
    page = (tmp_path / "chart.html").read_text()
    assert "vegaEmbed" in page
    assert "http://" not in page.replace("http://www.w3.org", "")[:2000]
    chart.save(tmp_path / "chart.json")
    with pytest.raises(vapor.InputError, match="must end in"):
        chart.save(tmp_path / "chart.png")
    with pytest.raises(vapor.InputError, match="column: must be one of"):
        runs_chart(runs, "reward")


def test_lines_of_runs_are_told_apart_and_coloured_as_in_a_report(tmp_path: Path) -> None:
    runs = []
    for agent in ("vapor", "thompson"):
        for belief in ("tabular", "tabular:transform=paper"):
            out = tmp_path / agent / belief
            runs += vapor.run("deep_sea:depth=3", agent, episodes=5, belief=belief, out=out)
    colour = runs_chart(runs).spec["encoding"]["color"]["scale"]
    assert len(colour["domain"]) == len(set(colour["range"])) == 4
    assert "vapor, transform=paper" in colour["domain"]
    alone = runs_chart([runs[0], runs[2]]).spec["encoding"]["color"]["scale"]
    assert alone == {"domain": ("vapor", "thompson"), "range": ("#d55e00", "#0072b2")}


def test_numbers_are_finite_in_every_chart() -> None:
    problem = vapor.random_problem(layers=4, states=3, zero_sigma_share=0.5)
    for chart in (problem_chart(problem), occupancy_chart(vapor.solve(problem))):
        for panel in chart.spec["hconcat"]:
            for row in panel["data"]["values"]:
                assert np.isfinite(list(row.values())).all()
