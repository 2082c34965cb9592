"""Six agents in six environments: returns against the optimum, as docs/gymnasium.md shows them.

python examples/gymnasium_table.py          checks the optima and one cell, writes nothing
python examples/gymnasium_table.py --write  makes all of it, and writes the numbers and the page
"""

from __future__ import annotations

import json
import sys
import time
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import gymnasium
import numpy as np
from gymnasium import spaces

import vapor

HERE = Path(__file__).resolve().parent
NUMBERS, PAGE = HERE / "gymnasium_table.json", HERE.parent / "docs" / "gymnasium.md"
BEGIN, END = "<!-- gymnasium_table: begin -->", "<!-- gymnasium_table: end -->"


class Ladder(gymnasium.Env[int, int]):
    """Five rungs. Up succeeds in four of five tries and pays on the top rung alone; to stay below
    pays a little, for certain. Its table P lets regrets be told."""

    observation_space = spaces.Discrete(5)
    action_space = spaces.Discrete(2)
    initial_state_distrib = np.eye(5)[0]
    P = {
        rung: {
            0: [(1.0, rung, 0.05, False)],
            1: [(0.8, min(rung + 1, 4), float(rung == 4), False), (0.2, 0, 0.0, False)],
        }
        for rung in range(5)
    }

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[int, dict[str, Any]]:
        super().reset(seed=seed)
        self.rung = 0
        return 0, {}

    def step(self, action: int) -> tuple[int, float, bool, bool, dict[str, Any]]:
        outcomes = self.P[self.rung][int(action)]
        drawn = self.np_random.choice(len(outcomes), p=[outcome[0] for outcome in outcomes])
        _, self.rung, reward, over = outcomes[drawn]
        return self.rung, reward, over, False, {}


class Row(NamedTuple):
    """An environment, how long it is learned, and the constants of the agents that count."""

    title: str
    env: Any
    horizon: int
    episodes: int
    seeds: int
    # Of the bonuses of ucbvi and optimistic-q: the best power of ten on seeds 11 and 12 (Taxi: 11;
    # those of the dry lake are not tuned).
    scale: float
    c: float
    range: str = ""  # of rewards, for these two
    vapor: str = "vapor"


TAXI = max(name for name in gymnasium.registry if name.startswith("Taxi-v"))
ROWS = [
    Row("FrozenLake, dry", "FrozenLake-v1:is_slippery=False", 20, 200, 3, 0.01, 0.001),
    Row("FrozenLake, slippery", "FrozenLake-v1", 100, 600, 3, 0.0001, 0.00001),
    Row("CliffWalking", "CliffWalking-v1", 30, 200, 3, 0.0001, 0.00001, ",low=-100,high=0"),
    Row("Taxi", TAXI, 20, 600, 1, 0.0001, 0.01, ",low=-10,high=20", "vapor:tolerance=0.01"),
    Row("Blackjack", "Blackjack-v1", 10, 1000, 2, 0.001, 0.0001, ",low=-1,high=1"),
    Row("Ladder, five states", Ladder, 20, 200, 3, 0.01, 0.001),
]
AGENTS = ["vapor", "vapor-lite", "thompson", "k-learning", "ucbvi", "optimistic-q"]


def spec_of(agent: str, row: Row) -> str:
    """What an agent is called in a row: theory's constants are far too careful to learn by."""
    tuned = {"vapor": row.vapor, "ucbvi": f"ucbvi:scale={row.scale:g}{row.range}",
             "optimistic-q": f"optimistic-q:c={row.c:g}{row.range}"}  # fmt: skip
    return tuned.get(agent, agent)


def command_of(row: Row, agent: str, seed: str) -> str:
    name = row.env if isinstance(row.env, str) else row.env.__name__
    name = repr(name) if isinstance(row.env, str) else name
    return (
        f"vapor.learn({name}, {agent}, horizon={row.horizon}, episodes={row.episodes}, seed={seed})"
    )


def late_return(row: Row, agent: str, seed: int) -> float:
    """The mean of the last fifth of the episodes."""
    learned = vapor.learn(
        row.env, spec_of(agent, row), horizon=row.horizon, episodes=row.episodes, seed=seed
    )
    return float(learned.returns[-(row.episodes // 5) :].mean())


def optimum_of(row: Row) -> float:
    """From the table P of an environment; Blackjack has none."""
    if row.title == "Blackjack":
        return blackjack_optimum()
    env = row.env() if callable(row.env) else vapor.gymnasium.making.made_by_id(row.env)
    return float(vapor.converters.from_toy_text(env, horizon=row.horizon).optimal_value())


def blackjack_optimum() -> float:
    """Cards from an endless deck; the dealer draws to 17; a natural wins unless both have one."""
    cards = [(card, 4 / 13 if card == 10 else 1 / 13) for card in range(1, 11)]

    def add(hard: int, ace: bool, card: int) -> tuple[int, bool]:
        return hard + card, ace or card == 1  # aces count 1 here, one of them 11 below

    def total(hard: int, ace: bool) -> int:
        return hard + 10 if ace and hard + 10 <= 21 else hard

    @cache
    def dealer(hard: int, ace: bool, held: int) -> dict[int, float]:
        """What the dealer ends with: 22 for a natural, 0 for a bust."""
        now = total(hard, ace)
        if held >= 2 and now >= 17:
            return {22 if held == 2 and now == 21 else now if now <= 21 else 0: 1.0}
        ends: dict[int, float] = {}
        for card, chance in cards:
            for end, more in dealer(*add(hard, ace, card), held + 1).items():
                ends[end] = ends.get(end, 0.0) + chance * more
        return ends

    @cache
    def value(hard: int, ace: bool, shown: int, natural: bool) -> float:
        mine = total(hard, ace)
        stick = sum(
            chance * (float(end != 22) if natural else np.sign(mine - min(end, 21)))
            for end, chance in dealer(shown, shown == 1, 1).items()
        )
        hit = sum(
            chance * (-1.0 if hard + card > 21 else value(*add(hard, ace, card), shown, False))
            for card, chance in cards
        )
        return max(stick, hit)

    return float(sum(
        p * q * r * value(first + second, 1 in (first, second), shown,
                          {first, second} == {1, 10})
        for first, p in cards for second, q in cards for shown, r in cards
    ))  # fmt: skip


def made() -> dict[str, Any]:
    rows = []
    for row in ROWS:
        cells = {}
        for agent in AGENTS:
            begin = time.process_time()
            returns = [late_return(row, agent, seed) for seed in range(1, row.seeds + 1)]
            seconds = (time.process_time() - begin) / row.seeds
            cells[agent] = {"spec": spec_of(agent, row), "returns": returns, "seconds": seconds}
            print(f"{row.title:22} {cells[agent]['spec']:40} {np.mean(returns):8.2f} "
                  f"{seconds:7.1f} s a seed", flush=True)  # fmt: skip
        seeds = "1" if row.seeds == 1 else f"1..{row.seeds}"
        rows.append({"title": row.title, "command": command_of(row, "AGENT", seeds),
                     "optimum": optimum_of(row), "agents": cells})  # fmt: skip
    return {"command": "python examples/gymnasium_table.py --write", "rows": rows}


def page_of(numbers: dict[str, Any]) -> str:
    """The table as the page has it."""
    lines = ["| environment | optimum | " + " | ".join(AGENTS) + " |",
             "| --- " * (len(AGENTS) + 2) + "|"]  # fmt: skip
    for row in numbers["rows"]:
        means = [f"{np.mean(row['agents'][agent]['returns']):.2f}" for agent in AGENTS]
        lines.append(f"| {row['title']} | {row['optimum']:.2f} | " + " | ".join(means) + " |")
    lines += ["", "Each row's command, AGENT being in turn:", "```"]
    for row in numbers["rows"]:
        lines += [row["command"], "    " + " ".join(c["spec"] for c in row["agents"].values())]
    lines.append("```")
    return "\n".join(lines)


def main() -> None:
    if "--write" in sys.argv:
        numbers = made()
        NUMBERS.write_text(json.dumps(numbers, indent=1) + "\n")
        before, rest = PAGE.read_text().split(BEGIN)
        PAGE.write_text(f"{before}{BEGIN}\n{page_of(numbers)}\n{END}{rest.split(END)[1]}")
        return
    stored = json.loads(NUMBERS.read_text())["rows"]
    for row, there in zip(ROWS, stored, strict=True):
        assert abs(optimum_of(row) - there["optimum"]) < 1e-9
    found = late_return(ROWS[0], "vapor", 1)
    print(f"{command_of(ROWS[0], repr('vapor'), '1')}: {found:.3f} of {optimum_of(ROWS[0]):.3f}")
    assert found > 0.8 * optimum_of(ROWS[0])


if __name__ == "__main__":
    main()
