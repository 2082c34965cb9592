"""vapor.learn: records, what was learned, and environments by id, object and function."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces

import vapor

DRY = "FrozenLake-v1:is_slippery=False"


class Dice(gymnasium.Env[int, int]):
    """Five squares; all luck follows from the seed of a reset. It has no table of its rules."""

    observation_space = spaces.Discrete(5)
    action_space = spaces.Discrete(2)

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[int, dict[str, Any]]:
        super().reset(seed=seed)
        self.at = 0
        return 0, {}

    def step(self, action: int) -> tuple[int, float, bool, bool, dict[str, Any]]:
        forward = self.np_random.random() < (0.8 if action else 0.3)
        self.at = min(self.at + 1, 4) if forward else max(self.at - 1, 0)
        return self.at, float(self.at == 4), False, False, {}


def files_of(folder: Path) -> dict[str, bytes]:
    """Those whose bytes are promised; wall times are not."""
    return {
        file.name: file.read_bytes()
        for file in folder.iterdir()
        if file.name not in ("timing.csv", "lock")
    }


def test_a_record_is_that_of_the_library(tmp_path: Path) -> None:
    learned = vapor.learn(DRY, horizon=12, episodes=60, seed=3, out=tmp_path)
    run = learned.run
    assert run is not None and run.finished and run.folder == tmp_path / "seed-3"
    assert list(run.episodes) == ["episode", "return", "length", "value", "regret"]
    assert run.definition["env"] == DRY and run.definition["belief"] == "normal-gamma"
    # On dry ice the optimum is 1 and the value of a policy its probability of success.
    assert run.episodes["value"] + run.episodes["regret"] == pytest.approx(np.ones(60))
    assert run.episodes["regret"][-1] < 0.05
    assert np.array_equal(learned.returns, run.episodes["return"])
    without = vapor.learn(DRY, horizon=12, episodes=60, seed=3)
    assert np.array_equal(without.returns, learned.returns)
    assert np.array_equal(without.policy.flat, learned.policy.flat)


@pytest.mark.parametrize("agent", ["vapor", "thompson", "optimistic-q:c=0.1"])
def test_what_was_stopped_goes_on_to_the_same_bytes(tmp_path: Path, agent: str) -> None:
    def learn(out: Path, **more: Any) -> vapor.Learned:
        return vapor.learn(Dice, agent, horizon=8, episodes=30, seed=2, out=out, **more)

    whole = learn(tmp_path / "whole")
    stopped = learn(tmp_path / "parts", progress=lambda episode, _: episode < 11)
    assert stopped.run is not None and not stopped.run.finished
    assert len(stopped.returns) == 11
    heard: list[int] = []
    again = learn(tmp_path / "parts", progress=lambda episode, _: heard.append(episode))
    assert heard == list(range(12, 31))
    assert again.run is not None and whole.run is not None
    assert files_of(again.run.folder) == files_of(whole.run.folder)
    # A third call finds all of it done, its agent included.
    found = learn(tmp_path / "parts")
    assert np.array_equal(found.policy.flat, whole.policy.flat)
    assert found.agent is not None and whole.agent is not None
    assert np.array_equal(
        found.agent.belief.problem.sigma.flat, whole.agent.belief.problem.sigma.flat
    )


PROGRAM = """
    import sys, vapor
    sys.path.insert(0, {tests!r})
    from learn_record_test import Dice
    told = False
    def begin(episode, _):
        global told
        if not told:
            print("begun", flush=True)
        told = True
    try:
        vapor.learn(Dice, horizon=8, episodes={episodes}, out={out!r}, progress=begin)
        print("whole")
    except KeyboardInterrupt:
        print("stopped")
"""


def begun(out: Path, episodes: int) -> subprocess.Popen[str]:
    script = out.parent / f"{out.name}.py"
    script.write_text(
        textwrap.dedent(PROGRAM).format(
            tests=str(Path(__file__).parent), episodes=episodes, out=str(out)
        )
    )
    process = subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, text=True, env=os.environ
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    return process


def test_ctrl_c_saves_and_a_kill_costs_little(tmp_path: Path) -> None:
    process = begun(tmp_path / "out", 400)
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate(timeout=120)
    assert rest == "stopped\n"
    run = vapor.Run.read(tmp_path / "out" / "seed-1")
    assert not run.finished and 0 < len(run.episodes["return"]) < 400
    assert vapor.load(tmp_path / "out", Dice).act(0, step=0) in (0, 1)
    process = begun(tmp_path / "out", 400)
    process.kill()
    process.wait()
    for out in ("out", "unbroken"):
        vapor.learn(Dice, horizon=8, episodes=400, out=tmp_path / out)
    assert files_of(tmp_path / "out" / "seed-1") == files_of(tmp_path / "unbroken" / "seed-1")


def test_another_learning_is_not_mixed_in(tmp_path: Path) -> None:
    vapor.learn(DRY, horizon=12, episodes=5, out=tmp_path)
    for other in ({"horizon": 13}, {"agent": "thompson"}, {"belief": {"reward_range": (0, 1)}}):
        with pytest.raises(vapor.InputError, match=next(iter(other))):
            settings: dict[str, Any] = {"horizon": 12, **other}
            vapor.learn(DRY, episodes=5, out=tmp_path, **settings)
    with pytest.raises(vapor.InputError, match="FrozenLake-v1"):
        vapor.learn("FrozenLake-v1", horizon=12, episodes=5, out=tmp_path)


def test_environments_by_id_object_and_function_are_one() -> None:
    env = gymnasium.make("FrozenLake-v1", is_slippery=False)
    ways = [DRY, env, lambda: gymnasium.make("FrozenLake-v1", is_slippery=False)]
    first, *others = [vapor.learn(way, horizon=12, episodes=20).returns.tolist() for way in ways]
    assert all(other == first for other in others)
    env.reset()  # what was given is not closed
    with pytest.raises(vapor.InputError, match="env: must be a Gymnasium id"):
        vapor.learn(3)
    with pytest.raises(vapor.InputError, match="env: must make an environment, made int"):
        vapor.learn(lambda: 3)
    with pytest.raises(vapor.InputError, match="env: Gymnasium does not make FrozenLack-v1"):
        vapor.learn("FrozenLack-v1")


def test_a_policy_acts_is_evaluated_saved_and_loaded(tmp_path: Path) -> None:
    learned = vapor.learn(DRY, horizon=12, episodes=100)
    env = gymnasium.make("FrozenLake-v1", is_slippery=False)
    observation, _ = env.reset(seed=1)
    total = 0.0
    for step in range(12):
        observation, reward, over, _, _ = env.step(learned.act(observation, step=step))
        total += float(reward)
        if over:
            break
    assert total == 1.0
    evaluation = learned.evaluate(50, seed=4)
    assert evaluation.returns.shape == (50,) and evaluation.mean > 0.9
    assert evaluation.standard_error == pytest.approx(
        evaluation.returns.std(ddof=1) / np.sqrt(50.0)
    )
    learned.save(tmp_path / "kept")
    loaded = vapor.load(tmp_path / "kept")
    assert np.array_equal(loaded.evaluate(50, seed=4).returns, evaluation.returns)
    assert np.array_equal(loaded.policy.flat, learned.policy.flat)
    with pytest.raises(vapor.InputError, match="step: is needed"):
        loaded.act(0)
    with pytest.raises(vapor.InputError, match=r"step: must be in 0\.\.11, got 12"):
        loaded.act(0, step=12)
    with pytest.raises(vapor.InputError, match="observation: 16 is not in"):
        loaded.act(16, step=0)
    with pytest.raises(vapor.InputError, match="holds no policy, and 0 seeds"):
        vapor.load(tmp_path)


def test_what_is_not_a_policy_file_is_refused(tmp_path: Path) -> None:
    vapor.learn(DRY, horizon=5, episodes=2).save(tmp_path)
    path = tmp_path / "policy.npz"
    with np.load(path) as archive:
        arrays = dict(archive)
    for key, bad, message in [
        ("policy", arrays["policy"][1:], "policy: must be .* probabilities"),
        ("policy", arrays["policy"].astype(object), "policy: cannot be read"),
        ("sizes", np.array([3]), "sizes: must be those of the states of a layer"),
        ("layers", np.array("space"), "layers: must be time or own"),
        ("format", np.array("vapor-problem"), "format: must be vapor-policy"),
    ]:
        np.savez(path, **{**arrays, key: bad})
        with pytest.raises(vapor.InputError, match=message):
            vapor.load(tmp_path)


def test_our_environments_tell_the_step_by_themselves(tmp_path: Path) -> None:
    env = "vapor/DeepSea-v0:size=6,mapping_seed=2"
    learned = vapor.learn(env, episodes=40, out=tmp_path)
    assert learned.run is not None
    assert learned.run.episodes["regret"][-1] == pytest.approx(0.0, abs=0.05)
    loaded = vapor.load(tmp_path)
    assert loaded.evaluate(5).mean == pytest.approx(0.99, abs=0.01)
    assert loaded.act(0) in (0, 1)


def test_no_regret_is_told_of_what_a_wrapper_may_have_changed(tmp_path: Path) -> None:
    env = gymnasium.make("FrozenLake-v1")
    doubled = gymnasium.wrappers.TransformReward(env, lambda reward: 2.0 * float(reward))
    learned = vapor.learn(doubled, horizon=8, episodes=3, out=tmp_path / "wrapped")
    assert learned.run is not None
    assert list(learned.run.episodes) == ["episode", "return", "length"]

    class Fickle(Dice):
        """Its table says that nothing is ever paid."""

        P = {s: {a: [(1.0, s, 0.0, False)] for a in range(2)} for s in range(5)}
        initial_state_distrib = np.eye(5)[0]

    with pytest.raises(vapor.InputError, match="its table P does not have"):
        vapor.learn(Fickle(), horizon=8, episodes=3)


def test_reports_show_two_environments_that_are_not_ours(tmp_path: Path) -> None:
    for seed in (1, 2):
        for agent in ("vapor", "thompson"):
            vapor.learn(DRY, agent, horizon=12, episodes=30, seed=seed, out=tmp_path / agent)
            vapor.learn(
                Dice, agent, horizon=8, episodes=30, seed=seed, out=tmp_path / f"dice-{agent}"
            )
    page = vapor.report(tmp_path, tmp_path / "report")
    text = (tmp_path / "report" / "index.html").read_text()
    assert page is not None
    for word in ("FrozenLake-v1", "Dice", "thompson"):
        assert word in text
    runs = vapor.read_records(tmp_path)
    assert len(runs) == 8 and not runs.left_out
    known = [run for run in runs if "regret" in run.episodes]
    assert len(known) == 4 and "regret" in repr(vapor.charts.runs_chart(known))
    assert "return" in repr(vapor.charts.runs_chart(runs))
