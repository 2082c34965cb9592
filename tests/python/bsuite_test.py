"""DeepSea against bsuite's, step for step, and bsuite's own scoring of our logs."""

import collections
import collections.abc
import warnings
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pandas
import pytest

import vapor
from vapor import bsuite_log

SIZES = [1, 2, 5, 10, 17]
MAPPING_SEEDS = [0, 1, 42, 2**32 - 1]


@pytest.fixture
def bsuite(monkeypatch: pytest.MonkeyPatch) -> Any:
    """bsuite 0.3.5 as it is, on packages that have since renamed or dropped what it uses."""
    import matplotlib.style

    # Renamed in matplotlib 3.6, dropped from Python 3.10 and from pandas 2.
    poster = matplotlib.style.library["seaborn-v0_8-poster"]
    monkeypatch.setitem(matplotlib.style.library, "seaborn-poster", poster)
    whitegrid = matplotlib.style.library["seaborn-v0_8-whitegrid"]
    monkeypatch.setitem(matplotlib.style.library, "seaborn-whitegrid", whitegrid)
    monkeypatch.setattr(collections, "Mapping", collections.abc.Mapping, raising=False)
    monkeypatch.setattr(
        pandas.Series, "append", lambda self, other: pandas.concat([self, other]), raising=False
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import bsuite.environments.deep_sea
        import bsuite.experiments.deep_sea.analysis
        import bsuite.experiments.deep_sea_stochastic.analysis
        import bsuite.logging.csv_load
        import bsuite.logging.csv_logging
    return bsuite


def theirs(bsuite: Any, size: int, mapping_seed: int, deterministic: bool = True) -> Any:
    return bsuite.environments.deep_sea.DeepSea(
        size, deterministic=deterministic, mapping_seed=mapping_seed, seed=0
    )


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("mapping_seed", MAPPING_SEEDS)
def test_deep_sea_equals_bsuites_step_for_step(
    bsuite: Any, size: int, mapping_seed: int
) -> None:
    env = gymnasium.make(
        "vapor/DeepSea-v0", size=size, mapping_seed=mapping_seed, observation="grid"
    )
    sea = theirs(bsuite, size, mapping_seed)
    random = np.random.default_rng(size)
    for _ in range(20):
        observation, _ = env.reset(seed=1)
        timestep = sea.reset()
        assert np.array_equal(observation, timestep.observation)
        assert observation.dtype == timestep.observation.dtype
        terminated = False
        while not terminated:
            # Mostly to the right, so that some episodes find the treasure.
            right = sea._action_mapping[sea._row, sea._column]
            action = int(right) if random.random() < 0.8 else int(random.integers(2))
            observation, reward, terminated, truncated, _ = env.step(action)
            timestep = sea.step(action)
            assert np.array_equal(observation, timestep.observation)
            assert reward == timestep.reward
            assert terminated == timestep.last()
            assert not truncated


@pytest.mark.parametrize("size", [2, 5, 10])
def test_the_stochastic_sea_moves_and_pays_as_bsuites_on_average(bsuite: Any, size: int) -> None:
    """The draws come from other generators, so what can be compared is their law.

    Under "always right" the distribution of the last column and of the return: two samples of 4000
    episodes, two-sample Kolmogorov-Smirnov at 1e-4.
    """
    from scipy.stats import ks_2samp

    episodes = 4000
    places = 500
    env = gymnasium.make_vec(
        "vapor/DeepSea-v0", num_envs=places, size=size, mapping_seed=3, stochastic=True
    )
    sea = theirs(bsuite, size, 3, deterministic=False)
    right = np.zeros(size * (size + 1) // 2 + 1, dtype=np.int64)
    cells = [(row, column) for row in range(size) for column in range(row + 1)]
    right[:-1] = [sea._action_mapping[cell] for cell in cells]

    ours: dict[str, list[float]] = {"return": [], "column": []}
    states, _ = env.reset(seed=1)
    for _ in range(episodes // places):
        returns = np.zeros(places)
        for row in range(size):
            if row == size - 1:
                ours["column"] += [cells[state][1] for state in states]
            states, rewards, _, _, _ = env.step(right[states])
            returns += rewards
        ours["return"] += returns.tolist()
        states, _, _, _, _ = env.step(right[states])  # which begins the next episodes

    bsuites: dict[str, list[float]] = {"return": [], "column": []}
    for _ in range(episodes):
        sea.reset()
        total = 0.0
        for row in range(size):
            if row == size - 1:
                bsuites["column"].append(sea._column)
            total += sea.step(sea._action_mapping[row, sea._column]).reward
        bsuites["return"].append(total)
    for name in ("return", "column"):
        assert ks_2samp(ours[name], bsuites[name]).pvalue > 1e-4


def test_the_stochastic_sea_equals_bsuites_under_the_same_draws(bsuite: Any) -> None:
    """bsuite's generator is replaced by one whose numbers decide every step as ours was decided."""
    size = 8
    env = gymnasium.make(
        "vapor/DeepSea-v0", size=size, mapping_seed=5, stochastic=True, observation="grid"
    )
    sea = theirs(bsuite, size, 5, deterministic=False)

    class Draws:
        """Moves where ours moved; adds the noise that ours added."""

        moved = True
        noise = 0.0

        def rand(self) -> float:
            return 1.0 if self.moved else 0.0

        def randn(self) -> float:
            return self.noise

    draws = Draws()
    sea._rng = draws
    env.reset(seed=2)
    random = np.random.default_rng(1)
    failures = 0
    for _ in range(300):
        env.reset()
        sea.reset()
        terminated = False
        while not terminated:
            row, column = sea._row, sea._column
            right = bool(random.random() < 0.9)
            action = int(sea._action_mapping[row, column]) if right else int(
                1 - sea._action_mapping[row, column]
            )
            observation, reward, terminated, _, _ = env.step(action)
            if not terminated:
                draws.moved = bool(observation[row + 1, min(column + 1, size - 1)])
                failures += right and not draws.moved
            treasure = 1.0 if right and column == size - 1 else 0.0
            draws.noise = reward - treasure + (0.01 / size if right else 0.0)
            timestep = sea.step(action)
            assert np.array_equal(observation, timestep.observation)
            # (1 - cost) + z against (1 + z) - cost: the last bits may differ.
            assert reward == pytest.approx(timestep.reward, rel=0, abs=1e-15)
            if not (row == size - 1 and column in (0, size - 1)):
                assert draws.noise == pytest.approx(0.0, abs=1e-15)
    assert failures > 50


def run_of(
    out: Path, env: str, episodes: int = 300, agent: str = "vapor", seed: int = 1
) -> vapor.Run:
    (run,) = vapor.run(env, agent, episodes=episodes, seeds=[seed], out=out)
    return run


def test_bsuites_scoring_runs_on_our_logs(bsuite: Any, tmp_path: Path) -> None:
    runs = [
        run_of(tmp_path / str(size), f"deep_sea:depth={size},mapping_seed=42")
        for size in (10, 12)
    ]
    paths = bsuite_log.write(runs, tmp_path / "logs")
    assert [path.name for path in paths] == [
        "bsuite_id_-_deep_sea-0.csv",
        "bsuite_id_-_deep_sea-1.csv",
    ]
    table, sweep_variables = bsuite.logging.csv_load.load_bsuite(str(tmp_path / "logs"))
    assert sweep_variables == ["agent_name"]
    assert sorted(set(table["size"])) == [10, 12]
    assert bsuite.experiments.deep_sea.analysis.score(table) == 1.0
    solved = bsuite.experiments.deep_sea.analysis.find_solution(table)
    assert solved.solved.all()

    # An agent that never gets there scores 0.
    lost = run_of(tmp_path / "lost", "deep_sea:depth=20,mapping_seed=42", agent="epsilon-greedy")
    bsuite_log.write(lost, tmp_path / "lost-logs")
    table, _ = bsuite.logging.csv_load.load_bsuite(str(tmp_path / "lost-logs"))
    assert bsuite.experiments.deep_sea.analysis.score(table) == 0.0


def replayed_log(bsuite: Any, run: vapor.Run, size: int, folder: Path) -> pandas.DataFrame:
    """The log that bsuite writes when its own sea is played with the actions of a run."""
    seed = run.definition["seed"]
    environment = vapor.Environment(run.definition["env"], seed)
    belief = vapor.Belief.about(environment, run.definition["belief"])
    agent = vapor.Agent(run.definition["agent"], belief, environment)
    random = vapor.RandomStream(seed)
    sea = bsuite.logging.csv_logging.wrap_environment(
        theirs(bsuite, size, 42), "deep_sea/0", str(folder)
    )
    for number in range(1, len(run.episodes["return"]) + 1):
        policy = agent.policy(random.split("agent").split(number))
        episode = environment.play(policy, random.split("play").split(number))
        agent.observe(episode)
        sea.reset()
        for pair in episode.pairs:
            sea.step(int(pair) % 2)
    return pandas.read_csv(folder / "bsuite_id_-_deep_sea-0.csv")


@pytest.mark.parametrize("agent", ["vapor", "epsilon-greedy"])
def test_a_log_is_the_one_that_bsuite_writes(bsuite: Any, tmp_path: Path, agent: str) -> None:
    run = run_of(tmp_path / "run", "deep_sea:depth=10,mapping_seed=42", 130, agent)
    (path,) = bsuite_log.write(run, tmp_path / "ours")
    wanted = replayed_log(bsuite, run, 10, tmp_path / "theirs")
    ours = pandas.read_csv(path)
    assert list(ours.columns) == list(wanted.columns)
    assert ours.dtypes.tolist() == wanted.dtypes.tolist()
    tens = [10, 12, 14, 17, 20, 25, 30, 40, 50, 60, 70, 80, 90]
    assert ours.episode.tolist() == [*range(1, 10), *tens, 100, 120]
    # bsuite adds rewards one by one over all episodes, we add the returns of episodes.
    pandas.testing.assert_frame_equal(ours, wanted, check_exact=False, rtol=1e-12)
    whole = ["steps", "episode", "episode_len", "total_bad_episodes", "denoised_return"]
    assert ours[whole].equals(wanted[whole])


def test_the_stochastic_sea_is_logged_by_making_the_run_again(
    bsuite: Any, tmp_path: Path
) -> None:
    run = run_of(
        tmp_path / "run", "deep_sea:depth=10,mapping_seed=42,stochastic=true", 400, "vapor-lite"
    )
    (path,) = bsuite_log.write(run, tmp_path / "logs")
    assert path.name == "bsuite_id_-_deep_sea_stochastic-0.csv"
    table, _ = bsuite.logging.csv_load.load_bsuite(str(tmp_path / "logs"))
    last = table.iloc[-1]
    # Bad luck is not a bad episode: fewer are bad than miss the treasure.
    assert last.total_bad_episodes < last.episode - last.denoised_return
    assert 0.0 <= bsuite.experiments.deep_sea_stochastic.analysis.score(table) <= 1.0


def test_what_is_none_of_bsuites_experiments_is_refused(tmp_path: Path) -> None:
    for spec, message in (
        ("deep_sea:depth=11,mapping_seed=42", "sizes 10, 12, ..., 50, not 11"),
        ("deep_sea:depth=10,mapping_seed=7", "mapping_seed is 42, not 7"),
        ("deep_sea:depth=10", "mapping_seed is 42, not 1"),
        ("deep_sea:depth=10,mapping_seed=42,move_cost=0.1", "move_cost is 0.01, not 0.1"),
        ("river_swim", "deep_sea alone"),
    ):
        run = run_of(tmp_path / spec, spec, 2, "epsilon-greedy")
        with pytest.raises(vapor.InputError, match=message):
            bsuite_log.write(run, tmp_path / "logs")
    assert not (tmp_path / "logs").exists()


def test_logs_are_not_overwritten_by_accident(tmp_path: Path) -> None:
    one, two = (
        run_of(tmp_path / str(seed), "deep_sea:depth=10,mapping_seed=42", 3, "epsilon-greedy", seed)
        for seed in (1, 2)
    )
    with pytest.raises(vapor.InputError, match="the same experiment as .*: use two folders"):
        bsuite_log.write([one, two], tmp_path / "logs")
    bsuite_log.write(one, tmp_path / "logs")
    with pytest.raises(vapor.InputError, match="is there already"):
        bsuite_log.write(two, tmp_path / "logs")
    bsuite_log.write(two, tmp_path / "logs", overwrite=True)
