#!/usr/bin/env python3
"""Records bsuite's DeepSea, for the test that replays it: writes deep_sea.json beside this file.

    generate_deep_sea.py [--check]      --check: is the stored file what bsuite gives?

Each record is a sea (size, stochastic or not, mapping seed) and a few episodes of it. A step is
[row, column, action, uniform or null, normal or null, reward, next row, next column]: where the
observation is hot, the action, the numbers that bsuite drew, and what came of it; the next row and
column are -1 at the end of the episode, where the observation is all 0.
"""

from __future__ import annotations

import importlib.util
import json
import sys
import types
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True
STORED = Path(__file__).resolve().parent / "deep_sea.json"
SIZES = (5, 10, 30)
MAPPING_SEEDS = (0, 1, 42, 4294967295)
EPISODES = {5: 8, 10: 6, 30: 3}


def bsuite_deep_sea():
    """bsuite.environments.deep_sea without bsuite/__init__.py, which imports its plots."""
    root = Path(importlib.util.find_spec("bsuite").origin).parent
    package = types.ModuleType("bsuite")
    package.__path__ = [str(root)]
    sys.modules["bsuite"] = package
    from bsuite.environments import deep_sea

    return deep_sea


class RecordingState(np.random.RandomState):
    """Remembers what it draws."""

    def __init__(self, seed):
        super().__init__(seed)
        self.uniform_drawn = None
        self.normal_drawn = None

    def forget(self):
        self.uniform_drawn = self.normal_drawn = None

    def rand(self):
        self.uniform_drawn = float(super().rand())
        return self.uniform_drawn

    def randn(self):
        self.normal_drawn = float(super().randn())
        return self.normal_drawn


def hot_cell(observation):
    cells = np.argwhere(observation)
    return [-1, -1] if len(cells) == 0 else [int(x) for x in cells[0]]


def play(sea, right_probability, actor):
    """One episode that goes right with this probability; deep cells need a high one."""
    steps = []
    timestep = sea.reset()
    while not timestep.last():
        row, column = hot_cell(timestep.observation)
        right = int(sea._action_mapping[row, column])
        action = right if actor.rand() < right_probability else 1 - right
        sea._rng.forget()
        timestep = sea.step(action)
        steps.append(
            [row, column, action, sea._rng.uniform_drawn, sea._rng.normal_drawn,
             float(timestep.reward), *hot_cell(timestep.observation)]
        )
    return steps


def record(module, size, stochastic, mapping_seed):
    sea = module.DeepSea(size, deterministic=not stochastic, mapping_seed=mapping_seed)
    sea._rng = RecordingState(size + mapping_seed % 1000)
    actor = np.random.RandomState(7)
    # From almost always right, which finds the treasure, to almost always left, which clips.
    chances = np.linspace(1.0, 0.1, EPISODES[size])
    return {
        "size": size,
        "stochastic": stochastic,
        "mapping_seed": mapping_seed,
        "mapping": ["".join(str(int(x)) for x in row) for row in sea._action_mapping],
        "episodes": [play(sea, chance, actor) for chance in chances],
    }


def main():
    module = bsuite_deep_sea()
    records = [
        record(module, size, stochastic, seed)
        for size in SIZES
        for stochastic in (False, True)
        for seed in MAPPING_SEEDS
    ]
    lines = ",\n".join(json.dumps(r, separators=(",", ":")) for r in records)
    text = f"[\n{lines}\n]\n"
    if "--check" in sys.argv[1:]:
        sys.exit(0 if STORED.read_text() == text else "deep_sea.json differs")
    STORED.write_text(text)


if __name__ == "__main__":
    main()
