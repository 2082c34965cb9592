"""The table of docs/gymnasium.md is that of the stored numbers."""

import importlib.util
import json
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

ROOT = Path(__file__).parents[2]


def script() -> Any:
    spec = importlib.util.spec_from_file_location("table", ROOT / "examples/gymnasium_table.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_has_the_stored_numbers_and_commands() -> None:
    table = script()
    numbers = json.loads((ROOT / "examples/gymnasium_table.json").read_text())
    page = (ROOT / "docs/gymnasium.md").read_text()
    assert f"{table.BEGIN}\n{table.page_of(numbers)}\n{table.END}" in page
    # The numbers are those of what the script would make today.
    for row, stored in zip(table.ROWS, numbers["rows"], strict=True):
        seeds = "1" if row.seeds == 1 else f"1..{row.seeds}"
        assert stored["command"] == table.command_of(row, "AGENT", seeds)
        for agent in table.AGENTS:
            assert stored["agents"][agent]["spec"] == table.spec_of(agent, row)
            assert len(stored["agents"][agent]["returns"]) == row.seeds


def test_the_optimum_of_blackjack_is_what_its_best_play_returns() -> None:
    """The best hits and sticks, as tables for players have them, played in Gymnasium itself."""
    env = gymnasium.make("Blackjack-v1")
    returns = []
    observation, _ = env.reset(seed=1)
    while len(returns) < 30000:
        mine, dealer, usable = observation
        if usable:
            hit = mine <= 17 or (mine == 18 and dealer in (1, 9, 10))
        else:
            hit = mine < 12 or (mine == 12 and dealer not in (4, 5, 6))
            hit = hit or (13 <= mine < 17 and dealer not in (2, 3, 4, 5, 6))
        observation, reward, over, _, _ = env.step(int(hit))
        if over:
            returns.append(float(reward))
            observation, _ = env.reset()
    error = np.std(returns) / np.sqrt(len(returns))
    assert abs(np.mean(returns) - script().blackjack_optimum()) < 3 * error
