"""The environments in Gymnasium, checked by Gymnasium's own checkers."""

import json
import pickle
import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import vapor

KINDS = [kind for kind, _, _ in vapor._core.environment_kinds()]
IDS = [spec for spec in gymnasium.registry if spec.startswith("vapor/")]


def as_class(kind: str) -> str:
    return "".join(part.capitalize() for part in kind.split("_"))


def test_every_environment_is_registered() -> None:
    assert sorted(IDS) == sorted(f"vapor/{as_class(kind)}-v0" for kind in KINDS)


@pytest.mark.parametrize("name", IDS)
@pytest.mark.filterwarnings("error")
def test_gymnasiums_checker_passes(name: str) -> None:
    check_env(gymnasium.make(name).unwrapped)


@pytest.mark.parametrize("name", IDS)
@pytest.mark.parametrize("mode", ["ansi", "rgb_array"])
@pytest.mark.filterwarnings("error")
def test_gymnasiums_checker_passes_with_pictures(name: str, mode: str) -> None:
    check_env(gymnasium.make(name, observation="grid", render_mode=mode).unwrapped)


VARIANTS: list[tuple[str, dict[str, Any]]] = [
    ("vapor/DeepSea-v0", {"size": 6, "stochastic": True, "mapping_seed": 3}),
    ("vapor/DeepSea-v0", {"size": 5, "observation": "grid"}),
    ("vapor/RiverSwim-v0", {"noise": 0.5, "horizon": 7}),
    ("vapor/GridWorld-v0", {"size": 4, "slip": 0.3, "seed": 5}),
    ("vapor/RandomMdp-v0", {"layers": 3, "seed": 9}),
    ("vapor/FourRooms-v0", {"size": 5}),
    ("vapor/ToyChain-v0", {"length": 4, "one_action": True}),
    ("vapor/Bandit-v0", {"arms": 3, "seed": 2}),
]


@pytest.mark.parametrize("autoreset", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize(("name", "settings"), VARIANTS)
def test_the_vector_environment_equals_gymnasiums_of_single_ones(
    name: str, settings: dict[str, Any], autoreset: AutoresetMode
) -> None:
    ours = gymnasium.make_vec(name, num_envs=4, autoreset_mode=autoreset, **settings)
    theirs = gymnasium.make_vec(
        name,
        num_envs=4,
        vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": autoreset},
        **settings,
    )
    assert isinstance(theirs, SyncVectorEnv)
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    assert ours.metadata["autoreset_mode"] is autoreset
    ours.action_space.seed(1)
    seen_ends = 0
    for seed in (11, None, [5, 5, None, 6]):
        assert data_equivalence(ours.reset(seed=seed), theirs.reset(seed=seed), exact=True)
        for _ in range(30):
            actions = ours.action_space.sample()
            mine, other = ours.step(actions), theirs.step(actions)
            assert data_equivalence(mine, other, exact=True), (mine, other)
            seen_ends += int(mine[2].sum())
    assert seen_ends > 0


def test_a_place_without_autoreset_waits_for_its_reset() -> None:
    env = gymnasium.make_vec(
        "vapor/DeepSea-v0", num_envs=3, size=2, autoreset_mode=AutoresetMode.DISABLED
    )
    env.reset(seed=1)
    env.step(np.zeros(3, dtype=np.int64))
    _, _, terminated, _, _ = env.step(np.zeros(3, dtype=np.int64))
    assert terminated.all()
    with pytest.raises(vapor.InputError, match=r"actions\[0\]: the episode of this place is over"):
        env.step(np.zeros(3, dtype=np.int64))
    mask = np.array([False, True, False])
    observations, infos = env.reset(options={"reset_mask": mask})
    assert observations.tolist() == [3, 0, 3]
    assert infos["_layer"].tolist() == mask.tolist()
    with pytest.raises(vapor.InputError, match=r"actions\[0\]"):
        env.step(np.zeros(3, dtype=np.int64))


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_a_place_plays_only_after_its_first_reset(mode: AutoresetMode) -> None:
    env = gymnasium.make_vec("vapor/DeepSea-v0", num_envs=2, size=3, autoreset_mode=mode)
    actions = np.zeros(2, dtype=np.int64)
    with pytest.raises(vapor.InputError, match=r"actions\[0\]: this place has no episode yet"):
        env.step(actions)
    env.reset(options={"reset_mask": np.array([True, False])})
    with pytest.raises(vapor.InputError, match=r"actions\[1\]: this place has no episode yet"):
        env.step(actions)
    env.reset(options={"reset_mask": np.array([False, True])})
    assert env.step(actions)[4]["layer"].tolist() == [1, 1]


def test_places_that_are_reset_one_after_the_other_have_draws_of_their_own() -> None:
    env = gymnasium.make_vec("vapor/RiverSwim-v0", num_envs=3, noise=0.5, horizon=7)
    env.reset(options={"reset_mask": np.array([True, False, False])})
    env.reset(options={"reset_mask": np.array([False, True, True])})
    rewards = np.array([env.step(np.ones(3, dtype=np.int64))[1] for _ in range(7)])
    assert len({tuple(column) for column in rewards.T}) == 3


def test_wrong_actions_leave_the_places_as_they_are() -> None:
    env = gymnasium.make_vec("vapor/DeepSea-v0", num_envs=2, size=4)
    env.reset(seed=1)
    for actions, message in (
        (np.array([0, 2]), r"actions\[1\]: must be in 0..1, got 2"),
        (np.array([0]), "actions: must have 2 entries, has 1"),
        (np.array([0.0, 1.0]), "actions: must be whole numbers"),
    ):
        with pytest.raises(vapor.InputError, match=message):
            env.step(actions)
    _, _, _, _, infos = env.step(np.array([0, 0]))
    assert infos["layer"].tolist() == [1, 1]


def test_an_episode_is_seeded_by_reset() -> None:
    env = gymnasium.make("vapor/DeepSea-v0", size=8, stochastic=True)

    def rewards(seed: int | None) -> list[float]:
        env.reset(seed=seed)
        return [float(env.step(1)[1]) for _ in range(8)]

    first, second = rewards(3), rewards(None)
    assert first != second
    assert rewards(3) == first
    assert rewards(None) == second
    assert rewards(4) != first


def test_success_is_told() -> None:
    env = gymnasium.make("vapor/DeepSea-v0", size=3, randomise_actions=False)
    _, info = env.reset(seed=0)
    assert info == {"layer": 0, "success": False}
    for action in (1, 1):
        env.step(action)
    observation, reward, terminated, truncated, info = env.step(1)
    assert (observation, terminated, truncated) == (6, True, False)
    assert reward == pytest.approx(1.0 - 0.01 / 3)
    assert info == {"layer": 3, "success": True}


def test_settings_that_are_wrong_are_named() -> None:
    with pytest.raises(vapor.InputError, match="depth: must be in 1..2000, got 0"):
        gymnasium.make("vapor/DeepSea-v0", size=0)
    with pytest.raises(vapor.InputError, match="sizze"):
        gymnasium.make("vapor/GridWorld-v0", sizze=4)
    with pytest.raises(vapor.InputError, match="observation: must be state or grid"):
        gymnasium.make("vapor/DeepSea-v0", observation="picture")
    with pytest.raises(vapor.InputError, match="size|depth"):
        gymnasium.make("vapor/DeepSea-v0", size="4,stochastic=true")


def test_pictures_show_the_agent_and_the_goal() -> None:
    env = gymnasium.make("vapor/DeepSea-v0", size=3, randomise_actions=False, render_mode="ansi")
    env.reset(seed=0)
    env.step(1)
    assert env.render() == ".\n.A\n..G\n"
    picture_env = gymnasium.make("vapor/DeepSea-v0", size=3, render_mode="rgb_array")
    picture_env.reset(seed=0)
    picture: Any = picture_env.render()
    assert picture.shape == (72, 72, 3)
    blue, yellow, ground = picture[12, 12], picture[60, 60], picture[2, 60]
    assert blue[2] > 200 > blue[0]
    assert yellow[0] > 200 > yellow[2]
    assert ground.max() < 60


def test_environments_are_pickled() -> None:
    env = gymnasium.make("vapor/DeepSea-v0", size=4, mapping_seed=7, stochastic=True)
    again = pickle.loads(pickle.dumps(env))
    for one in (env, again):
        one.reset(seed=5)
    assert [env.step(1)[:3] for _ in range(4)] == [again.step(1)[:3] for _ in range(4)]


IMPORTS = [
    "import vapor, gymnasium",
    "import gymnasium, vapor",
    "import vapor; from gymnasium.spaces import Discrete; import gymnasium",
    "import vapor, importlib; importlib.reload(vapor); import gymnasium",
    # Asking whether it is there, as many packages do, imports nothing.
    "import vapor, importlib.util; importlib.util.find_spec('gymnasium'); import gymnasium",
    # An import that fails, here for want of a module, is tried again.
    """
import sys, vapor
sys.modules["gymnasium.core"] = None
try:
    import gymnasium
    raise SystemExit("was imported")
except ImportError:
    del sys.modules["gymnasium.core"]
import gymnasium
""",
]


@pytest.mark.parametrize("imports", IMPORTS)
def test_import_registers_in_any_order(imports: str) -> None:
    script = (
        f"{imports}\n"
        "env = gymnasium.make('vapor/DeepSea-v0', size=20, mapping_seed=17)\n"
        "print(env.observation_space.n)"
    )
    result = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert result.stdout == "211\n"
    assert result.stderr == ""


def test_gymnasium_imports_the_package_by_name() -> None:
    script = (
        "import gymnasium, sys\n"
        "assert 'vapor' not in sys.modules\n"
        "print(gymnasium.make('vapor:vapor/RiverSwim-v0', states=4).observation_space.n)"
    )
    result = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert result.stdout == "81\n"


def test_import_of_the_package_does_not_import_gymnasium() -> None:
    script = (
        "import json, sys, vapor\n"
        "heavy = {'gymnasium', 'pandas', 'polars', 'scipy', 'ray', 'torch', 'matplotlib'}\n"
        "print(json.dumps(sorted(heavy & set(sys.modules))))"
    )
    result = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert json.loads(result.stdout) == []


def test_actions_of_another_kind_are_refused() -> None:
    env = gymnasium.make("vapor/DeepSea-v0", size=4).unwrapped
    env.reset(seed=1)
    for action in (0.7, "1", None):
        with pytest.raises(vapor.InputError, match="action: must be a whole number"):
            env.step(action)
