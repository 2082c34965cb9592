"""Beliefs, environments, agents and runs as in C++."""

import pickle
from pathlib import Path

import numpy as np
import pytest

import vapor


def test_a_normal_gamma_belief_is_the_students_t_of_its_rewards() -> None:
    """Two rewards, 1 and 0: mean 1/3, variance (level + (1/2 + 1/6) / 2) / 3, times `scale`."""
    layout = vapor.random_problem(layers=1, states=1, actions=2, successors=1)
    belief = vapor.Belief.normal_gamma(layout, reward_range=(0.0, 1.0))
    assert belief.problem.sigma[0].ravel() == pytest.approx([np.sqrt(0.5)] * 2)
    for reward in (1.0, 0.0):
        belief.update(
            vapor.Episode(np.zeros(1, np.int32), np.array([reward]), np.array([-1], np.int32))
        )
    # The one pair seen twice is noisy, at its own 1/2, with odds of 8000 to 1.
    spread = (0.5 + 1.0 / 6.0) / 2.0
    odds = (0.5 / 1e-5) * ((1e-5 + spread) / (0.5 + spread)) ** 2
    variance = (odds * (0.5 + spread) + 1e-5 + spread) / (1.0 + odds) / 3.0
    assert belief.problem.reward_mean[0][0, 0] == pytest.approx(1.0 / 3.0)
    assert belief.problem.sigma[0][0, 0] == pytest.approx(np.sqrt(0.5 * variance))
    with pytest.raises(vapor.InputError, match="reward_range"):
        vapor.Belief.normal_gamma(layout, reward_range=(1.0, 1.0, 2.0))  # type: ignore[arg-type]
    with pytest.raises(vapor.InputError, match="counts: pooled asks for places"):
        vapor.Belief.normal_gamma(layout, counts="pooled")
    assert {c.setting for c in vapor.belief_choices()} >= {"reward=normal-gamma", "counts=pooled"}


def test_a_gaussian_belief_is_the_conjugate_posterior() -> None:
    bandit = vapor.Problem([[[0.0, 0.0]]], [[[0.0, 0.0]]])
    belief = vapor.Belief.gaussian(
        bandit, mean=1.0, variance=4.0, noise_variance=0.5, transform="reward-only"
    )
    rewards = [0.3, 0.9, 2.0]
    for reward in rewards:
        belief.update(
            vapor.Episode(
                np.array([1], np.int32), np.array([reward]), np.array([-1], np.int32)
            )
        )
    precision = 1 / 4.0 + len(rewards) / 0.5
    posterior = belief.problem
    assert posterior.reward_mean.flat[0] == 1.0
    assert posterior.reward_mean.flat[1] == pytest.approx(
        (1.0 / 4.0 + sum(rewards) / 0.5) / precision
    )
    assert posterior.sigma.flat[1] == pytest.approx(precision**-0.5)


def test_a_finite_belief_is_exact() -> None:
    models = [
        vapor.Problem([[[1.0, 0.0]]], [[[0.0, 0.0]]]),
        vapor.Problem([[[0.0, 1.0]]], [[[0.0, 0.0]]]),
    ]
    belief = vapor.Belief.finite(models, [3.0, 1.0])
    optimality = belief.optimality(vapor.RandomStream(1))
    assert optimality.occupancy[0].tolist() == [[0.75, 0.25]]
    assert optimality.value == 1.0
    belief.update(vapor.Episode(np.array([0], np.int32), np.array([0.0]), np.array([-1], np.int32)))
    assert belief.optimality(vapor.RandomStream(1)).occupancy[0].tolist() == [[0.0, 1.0]]


SAFE = {"opt-cmdp", "optpess-lp", "dope", "safe-psrl"}
WITH_COST = {"factored_cmdp", "inventory", "media_streaming", "lava_grid"}


@pytest.mark.parametrize("kind", vapor.environment_kinds(), ids=lambda kind: kind.name)
def test_every_agent_plays_every_environment(kind: vapor.Kind) -> None:
    environment = vapor.Environment(kind.name)
    random = vapor.RandomStream(3)
    for agent_kind in vapor.agent_kinds():
        if agent_kind.name == "bayes-optimal" and kind.name != "toy_chain":
            continue  # it asks for a finite belief
        if agent_kind.name in SAFE and kind.name not in WITH_COST:
            continue  # they ask for a cost beside the reward
        agent = vapor.Agent(agent_kind.name, vapor.Belief.about(environment), environment)
        policy = agent.policy(random.split(1))
        for layer in range(len(policy)):
            assert np.nansum(policy[layer], axis=1) == pytest.approx(1.0)
        agent.observe(environment.play(policy, random))


def test_agents_beliefs_and_environments_are_pickled_as_they_are() -> None:
    sea = vapor.Environment("deep_sea:depth=6,mapping_seed=2", seed=4)
    agent = vapor.Agent("vapor", vapor.Belief.about(sea))
    random = vapor.RandomStream(5)
    for episode in range(20):
        agent.observe(sea.play(agent.policy(random.split(episode)), random))
    again = pickle.loads(pickle.dumps(agent))
    assert np.array_equal(again.belief.problem.sigma.flat, agent.belief.problem.sigma.flat)
    for episode in range(20, 30):
        stream = random.split(episode)
        mine, theirs = agent.policy(stream), again.policy(stream)
        assert np.array_equal(mine.flat, theirs.flat)
        steps = sea.play(mine, stream)
        agent.observe(steps)
        again.observe(steps)
    copy = pickle.loads(pickle.dumps(sea))
    assert np.array_equal(copy.model.reward_mean.flat, sea.model.reward_mean.flat)


def test_a_run_is_resumed_and_read(tmp_path: Path) -> None:
    seen: list[tuple[int, int, int, int]] = []

    def watch(*state: int) -> None:
        seen.append((state[0], state[1], state[2], state[3]))

    first = vapor.run("deep_sea:depth=6", "vapor", episodes=50, seeds=2, out=tmp_path,
                      progress=watch)  # fmt: skip
    bytes_before = [(run.folder / "episodes.csv").read_bytes() for run in first]
    again = vapor.run("deep_sea:depth=6", "vapor", episodes=50, seeds=2, out=tmp_path)
    assert [(run.folder / "episodes.csv").read_bytes() for run in again] == bytes_before
    assert seen[-1] == (2, 2, 100, 100)
    assert all(run.finished and len(run.episodes["return"]) == 50 for run in again)
    assert first[0].definition["env"] == "deep_sea:depth=6"
    with pytest.raises(vapor.InputError, match="another run|episodes"):
        vapor.run("deep_sea:depth=6", "vapor", episodes=60, seeds=2, out=tmp_path)


def test_bad_specs_are_refused(tmp_path: Path) -> None:
    with pytest.raises(vapor.InputError, match="deep_sea"):
        vapor.Environment("deep_see:depth=4")
    with pytest.raises(vapor.InputError, match="depth"):
        vapor.Environment("deep_sea:depth=-4")
    with pytest.raises(vapor.InputError, match="thompson"):
        vapor.run("deep_sea:depth=4", "thomson", out=tmp_path / "none")
    assert not (tmp_path / "none").exists()
    with pytest.raises(vapor.InputError, match="stop"):
        vapor.run("deep_sea:depth=4", "vapor", stop="sometimes", out=tmp_path / "none")
    with pytest.raises(vapor.InputError, match="transform"):
        vapor.Belief.gaussian(
            vapor.random_problem(), transform="none"  # type: ignore[arg-type]
        )


def test_bad_steps_are_refused_and_change_nothing() -> None:
    sea = vapor.Environment("deep_sea:depth=4")
    belief = vapor.Belief.about(sea)
    before = belief.problem.sigma.flat.copy()
    steps = sea.play(vapor.solve(belief.problem).policy, vapor.RandomStream(1))
    for bad in (
        steps._replace(pairs=steps.pairs + 10000),
        steps._replace(rewards=np.full(4, np.nan)),
        steps._replace(next_states=steps.next_states[:2]),
        steps._replace(pairs=steps.pairs + 0.5),
        steps._replace(pairs=steps.pairs.astype(np.int64) + 2**40),
        "abc",
    ):
        with pytest.raises(vapor.InputError):
            belief.update(bad)  # type: ignore[arg-type]
        for kind in vapor.agent_kinds():
            if kind.name != "bayes-optimal" and kind.name not in SAFE:
                agent = vapor.Agent(kind.name, vapor.Belief.about(sea), sea)
                with pytest.raises(vapor.InputError):
                    agent.observe(bad)  # type: ignore[arg-type]
    assert np.array_equal(belief.problem.sigma.flat, before)
    with pytest.raises(vapor.InputError, match="there is no pair 99"):
        sea.take(99, vapor.RandomStream(1))
    with pytest.raises(vapor.InputError, match="pairs"):
        sea.play(np.ones(3), vapor.RandomStream(1))


def test_a_stream_is_pickled_where_it_is() -> None:
    random = vapor.RandomStream(8)
    random.normal()
    again = pickle.loads(pickle.dumps(random))
    assert [again.uniform() for _ in range(4)] == [random.uniform() for _ in range(4)]


def test_numbers_of_numpy_are_numbers() -> None:
    bandit = vapor.Problem([[[0.0, 0.0]]], [[[0.0, 0.0]]])
    belief = vapor.Belief.gaussian(bandit, variance=np.float32(4.0), transform="reward-only")
    assert belief.problem.sigma.flat.tolist() == [2.0, 2.0]
    environment = vapor.Environment.of_model(bandit, noise=np.float64(0.5))
    assert environment.native.noise.tolist() == [0.5, 0.5]
    with pytest.raises(vapor.InputError, match="goals: there is no pair 2"):
        vapor.Environment.of_model(bandit, goals=(2,))
    with pytest.raises(vapor.InputError, match="noise"):
        vapor.Environment.of_model(bandit, noise=-1.0)


def test_the_bayes_optimal_agent_plans_with_a_finite_belief() -> None:
    # One arm pays 0.5 for certain; the other 1 or 0, each with probability 1/2. With two episodes
    # left it is worth trying (0.5 + (1 + 0.5) / 2 = 1.25 > 1), with one it is no better.
    models = [vapor.Problem([[[0.5, pays]]], [[[0.0, 0.0]]]) for pays in (1.0, 0.0)]
    belief = vapor.Belief.finite(models)
    agent = vapor.Agent("bayes-optimal:episodes=2", belief)
    random = vapor.RandomStream(1)
    assert agent.policy(random)[0].tolist() == [[0.0, 1.0]]
    agent.observe(vapor.Episode(np.array([1], np.int32), np.array([0.0]), np.array([-1], np.int32)))
    assert agent.policy(random)[0].tolist() == [[1.0, 0.0]]
    assert belief.optimality(random).occupancy[0].tolist() == [[1.0, 0.0]]


def test_rewards_of_0_and_1_have_means_between() -> None:
    bandit = vapor.Problem([[[0.5, 1.5]]], [[[0.0, 0.0]]])
    with pytest.raises(vapor.InputError, match=r"mean rewards must be in \[0, 1\]"):
        vapor.Environment.of_model(bandit, bernoulli=True)
    with pytest.raises(vapor.InputError, match="does not apply"):
        vapor.Environment.of_model(vapor.Problem([[[0.5]]], [[[0.0]]]), bernoulli=True, noise=0.1)


def test_bytes_of_a_damaged_record_are_quoted(tmp_path: Path) -> None:
    good, bad = vapor.run("deep_sea:depth=4", "vapor", episodes=5, seeds=2, out=tmp_path)
    with (bad.folder / "episodes.csv").open("ab") as file:
        file.write(b"\xff\xfe,1,1,1,1\n")
    with pytest.raises(vapor.InputError, match="is damaged"):
        vapor.Run.read(bad.folder)
    records = vapor.read_records(tmp_path)
    assert [run.folder for run in records] == [good.folder]
    assert len(records.left_out) == 1


def test_bad_counts_of_runs_write_nothing(tmp_path: Path) -> None:
    out = tmp_path / "none"
    for settings in ({"episodes": 0}, {"threads": -1}, {"seeds": [-1]}, {"snapshot_every": 2**63}):
        with pytest.raises(vapor.InputError, match=next(iter(settings)).removesuffix("s")):
            vapor.run("deep_sea:depth=4", "vapor", out=out, **settings)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="progress must be a function"):
        vapor.run("deep_sea:depth=4", "vapor", out=out, progress=3)  # type: ignore[arg-type]
    assert not out.exists()


def test_certain_successors_are_whole_numbers() -> None:
    sea = vapor.Environment("deep_sea:depth=3").model
    for bad in (np.full(12, 1.9), np.full(12, 2**32 + 1)):
        with pytest.raises(vapor.InputError, match="certain_next"):
            vapor.Belief.gaussian(sea, certain_next=bad)
