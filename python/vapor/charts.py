"""Pictures for notebooks: Vega-Lite charts of problems, solutions and runs."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from .errors import wrong
from .layered import Doubles, Layered

if TYPE_CHECKING:
    from .problem import Problem
    from .records import Run
    from .solver import Solution

MIME = "application/vnd.vegalite.v5+json"
MOST_CELLS = 120  # on either side of a map; larger ones are drawn in blocks
MOST_POINTS = 150  # of a curve


class Chart:
    """A Vega-Lite chart: shows itself in Jupyter, is saved as JSON or as a page of its own."""

    def __init__(self, spec: dict[str, Any], words: str) -> None:
        self.spec = {"$schema": "https://vega.github.io/schema/vega-lite/v5.json", **spec}
        self.words = words

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes ``.json``, or ``.html`` that needs no network."""
        name = os.fspath(path)
        if name.endswith(".html"):
            text = _core.chart_page(self.words, json.dumps(self.spec))
        elif name.endswith(".json"):
            text = json.dumps(self.spec, indent=1)
        else:
            raise wrong("path", f"must end in .html or .json, got {name}")
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        return {MIME: self.spec, "text/plain": self.words}

    def __repr__(self) -> str:
        return f"Chart({self.words})"


def problem_chart(problem: Problem) -> Chart:
    """Mean rewards and sigmas by layer and state, the largest over the actions."""
    reward, sigma = (
        _state_map(table, np.maximum) for table in (problem.reward_mean, problem.sigma)
    )
    panels = [
        _map_panel(_rows(reward, "reward"), "reward", "largest E r", "redblue"),
        _map_panel(_rows(sigma, "sigma"), "sigma", "largest sigma", "cividis"),
    ]
    return Chart({"hconcat": panels, "resolve": {"scale": {"color": "independent"}}},
                 repr(problem))  # fmt: skip


def occupancy_chart(solution: Solution) -> Chart:
    """How likely each state is to be passed, and how undecided its policy is."""
    mass = _state_map(solution.occupancy, np.add)
    policy = np.nan_to_num(solution.policy.flat)
    logs = np.log(np.where(policy > 0.0, policy, 1.0))
    entropy = _state_map(Layered(-policy * logs, solution.policy.layout), np.add)
    panels = [
        _map_panel(_rows(mass, "occupancy"), "occupancy", "occupancy of the state", "cividis",
                   root=True),
        _map_panel(_rows(entropy, "entropy"), "entropy", "entropy of its policy", "cividis"),
    ]  # fmt: skip
    return Chart({"hconcat": panels, "resolve": {"scale": {"color": "independent"}}},
                 repr(solution))  # fmt: skip


def runs_chart(runs: Sequence[Run], column: str | None = None) -> Chart:
    """A column of runs over their episodes, summed up: regret where it is known, else return.

    Runs that differ in their seeds alone are one line, their mean, with a band of two standard
    errors on either side, as far as all of them have come; agents have the colours of a report.
    """
    if len(runs) == 0:
        raise wrong("runs", "are none")
    known = set.intersection(*(set(run.episodes) for run in runs)) - {"episode"}
    column = column or ("regret" if "regret" in known else "return")
    if column not in known:
        raise wrong("column", f"must be one of {', '.join(sorted(known))}, got {column}")
    lines: dict[str, list[Run]] = {}
    for name, run in zip(_line_names(runs), runs, strict=True):
        lines.setdefault(name, []).append(run)
    rows: list[dict[str, Any]] = []
    for name, seeds in lines.items():
        length = min(len(run.episodes[column]) for run in seeds)
        totals = np.array([np.cumsum(run.episodes[column][:length]) for run in seeds])
        mean = totals.mean(axis=0)
        band = (
            2.0 * totals.std(axis=0, ddof=1) / len(seeds) ** 0.5 if len(seeds) > 1 else 0.0 * mean
        )
        rows += [
            {
                "agent": name,
                "episode": int(seeds[0].episodes["episode"][at]),
                "total": float(mean[at]),
                "low": float(mean[at] - band[at]),
                "high": float(mean[at] + band[at]),
                "seeds": len(seeds),
            }
            for at in _thinned(length)
        ]
    agents, colours = zip(*_core.agent_colours(list(lines)), strict=True)
    colour = {
        "field": "agent",
        "type": "nominal",
        "title": None,
        "scale": {"domain": agents, "range": colours},
        "legend": {"symbolOpacity": 1, "labelLimit": 320, "orient": "top", "columns": 2},
    }
    title = f"total {column}"
    x = {"field": "episode", "type": "quantitative", "title": "episodes", "scale": {"nice": False}}
    y = {"field": "total", "type": "quantitative", "title": title}
    spec = {
        "data": {"values": rows},
        "encoding": {
            "x": x,
            "color": colour,
            "tooltip": [{"field": name} for name in ("agent", "episode", "total", "seeds")],
        },
        "layer": [
            {
                "mark": {"type": "area", "opacity": 0.16},
                "encoding": {"y": {**y, "field": "low"}, "y2": {"field": "high"}},
            },
            {"mark": {"type": "line", "strokeWidth": 2}, "encoding": {"y": y}},
        ],
        "width": 420,
        "height": 260,
    }
    return Chart(spec, f"{title} of {len(runs)} runs")


def _line_names(runs: Sequence[Run]) -> list[str]:
    """The agent of each run, with its environment and belief where they differ."""
    names = [str(run.definition.get("agent", "")) for run in runs]
    for key in ("env", "belief"):
        of_runs = [str(run.definition.get(key, "")) for run in runs]
        specs = sorted(set(of_runs))
        if len(specs) > 1:
            short = dict(zip(specs, _core.short_names(specs), strict=True))
            names = [f"{name}, {short[of]}" for name, of in zip(names, of_runs, strict=True)]
    return names


def _state_map(table: Layered, over_actions: np.ufunc) -> Doubles:
    """A number for each layer and state ``(layers, most states)``; NaN where there is no state.

    Large ones are shrunk to blocks, each the largest number in it.
    """
    layout = table.layout
    by_state = over_actions.reduceat(np.nan_to_num(table.flat), layout.first_pair[:-1])
    full = np.full((layout.layers, int(layout.states.max())), np.nan)
    full[np.arange(full.shape[1]) < layout.states[:, None]] = by_state
    return _blocks(full)


def _blocks(full: Doubles) -> Doubles:
    row_step, column_step = (-(-size // MOST_CELLS) for size in full.shape)
    if row_step == column_step == 1:
        return full
    rows = range(0, full.shape[0], row_step)
    columns = range(0, full.shape[1], column_step)
    blocks = np.full((len(rows), len(columns)), np.nan)
    for i, row in enumerate(rows):
        for j, column in enumerate(columns):
            block = full[row : row + row_step, column : column + column_step]
            if not np.isnan(block).all():
                blocks[i, j] = np.nanmax(block)
    return blocks


def _rows(table: Doubles, name: str) -> list[dict[str, float]]:
    return [
        {"layer": int(layer), "state": int(state), name: float(table[layer, state])}
        for layer, state in np.argwhere(~np.isnan(table))
    ]


def _map_panel(
    rows: list[dict[str, float]], field: str, title: str, scheme: str, root: bool = False
) -> dict[str, Any]:
    scale: dict[str, Any] = {"scheme": scheme}
    scale |= {"domainMid": 0} if scheme == "redblue" else {"domainMin": 0}
    if root:
        scale |= {"type": "sqrt"}
    return {
        "data": {"values": rows},
        "title": title,
        "mark": {"type": "rect"},
        "width": 260,
        "height": 260,
        "encoding": {
            "x": {"field": "state", "type": "ordinal", "axis": {"labelOverlap": True}},
            "y": {"field": "layer", "type": "ordinal", "axis": {"labelOverlap": True}},
            "color": {"field": field, "type": "quantitative", "scale": scale, "title": None},
            "tooltip": [{"field": "layer"}, {"field": "state"}, {"field": field, "format": ".4g"}],
        },
    }


def _thinned(count: int) -> list[int]:
    if count <= MOST_POINTS:
        return list(range(count))
    return sorted({round(at) for at in np.linspace(0, count - 1, MOST_POINTS)})
