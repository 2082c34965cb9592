"""Stable-Baselines3's checker of environments, in a Python of its own that has torch."""

import os
import subprocess
from pathlib import Path

import pytest

import vapor

pytestmark = pytest.mark.full

ROOT = Path(__file__).parents[2]

CHECK = """
import warnings
warnings.simplefilter("error")
warnings.filterwarnings("ignore", category=DeprecationWarning)
import gymnasium
import vapor
warnings.resetwarnings()
from stable_baselines3.common.env_checker import check_env
warnings.simplefilter("error")

names = [name for name in gymnasium.registry if name.startswith("vapor/")]
for name in names:
    for settings in ({}, {"render_mode": "rgb_array"}):
        check_env(gymnasium.make(name, **settings).unwrapped, warn=True)
print(len(names))
"""

LEARN = """
import gymnasium
import vapor
from stable_baselines3 import DQN

env = gymnasium.make("vapor/DeepSea-v0", size=4, observation="grid")
model = DQN("MlpPolicy", env, learning_starts=10, seed=1)
model.learn(total_timesteps=200)
print(model.num_timesteps)
"""


def run(script: str) -> str:
    subprocess.run([ROOT / "scripts" / "setup-sb3"], check=True)
    folder = Path(vapor.__file__).parents[1]
    result = subprocess.run(
        [ROOT / "build" / "sb3" / "bin" / "python", "-c", script],
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_stable_baselines_checker_passes_for_every_environment() -> None:
    assert run(CHECK) == f"{len(vapor.environment_kinds())}\n"


def test_an_agent_of_stable_baselines_learns_in_deep_sea() -> None:
    assert run(LEARN) == "200\n"
