"""Deep training from Python: the bytes of the command, and environments of one's own."""

from __future__ import annotations

import os
import pickle
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from counting_env import LENGTHS, counting
from event_files import points
from gymnasium.vector import AutoresetMode

import vapor
import vapor.deep
from vapor.records import Run

COMMAND = Path(os.environ.get("VAPOR_COMMAND", Path(vapor.__file__).parents[2] / "bin/vapor"))
SMALL = "vapor-lite:replay=2000,hidden=16"


def same_record(one: Path, other: Path) -> None:
    """All that the promise of same bytes covers: timing and wall times of logs are outside."""
    for name in ("run.json", "episodes.csv", "policy"):
        assert (one / name).read_bytes() == (other / name).read_bytes(), name


def command(*words: str) -> None:
    subprocess.run([COMMAND, "train", "--quiet", *words], check=True, stdout=subprocess.DEVNULL)


def test_episodes_are_the_bytes_of_the_command(tmp_path: Path) -> None:
    run = vapor.deep.train(
        "deep_sea:depth=8", "vapor-lite:hidden=32", episodes=150, seed=3, stop_when_solved=True,
        out=tmp_path / "python",
    )  # fmt: skip
    command(
        "--env", "deep_sea:depth=8", "--agent", "vapor-lite:hidden=32", "--episodes", "150",
        "--seed", "3", "--stop-when-solved", "--out", str(tmp_path / "command"),
    )  # fmt: skip
    same_record(run.folder, tmp_path / "command/seed-3")
    assert run.finished
    assert run.episodes["success"].any()


def test_catch_is_the_bytes_of_the_command(tmp_path: Path) -> None:
    run = vapor.deep.train(
        "catch:rows=6", SMALL, frames=1500, places=4, checkpoint_frames=500, clip_rewards=False,
        out=tmp_path / "python",
    )  # fmt: skip
    command(
        "--env", "catch:rows=6", "--agent", SMALL, "--frames", "1500", "--places", "4",
        "--checkpoint-frames", "500", "--unclipped-rewards", "--out", str(tmp_path / "command"),
    )  # fmt: skip
    same_record(run.folder, tmp_path / "command/seed-1")


def test_an_interrupted_training_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    def to_the_end(out: Path, progress: Any = None) -> Run:
        return vapor.deep.train(
            "deep_sea:depth=6", "vapor-lite:hidden=16", episodes=60, out=out, progress=progress
        )

    whole = to_the_end(tmp_path / "whole")
    seen: list[vapor.RunProgress] = []

    def stop_at_25(p: vapor.RunProgress) -> bool:
        seen.append(p)
        return p.episodes < 25

    part = to_the_end(tmp_path / "parts", stop_at_25)
    assert not part.finished and len(part.episodes["return"]) == 25
    assert [p.episodes for p in seen] == list(range(26))
    assert seen[-1].episode_return == whole.episodes["return"][24]
    same_record(to_the_end(tmp_path / "parts").folder, whole.folder)


# The step of a user's environment is where Ctrl-C mostly arrives.
class Pressing(gymnasium.vector.VectorWrapper[Any, Any, Any, Any, Any]):
    """Presses Ctrl-C in the middle of a step."""

    pressed = False
    steps = 0

    def step(self, actions: Any) -> Any:
        Pressing.steps += 1
        if Pressing.steps == 200:
            Pressing.pressed = True
            os.kill(os.getpid(), signal.SIGINT)
        return super().step(actions)


def test_control_c_within_a_step_writes_the_policy_and_the_run_goes_on(tmp_path: Path) -> None:
    def train(make: Any, out: Path) -> Any:
        return vapor.deep.train(
            make, SMALL, frames=1200, places=4, checkpoint_frames=400, name="counting", out=out
        )

    handler = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        train(lambda places: Pressing(counting(places)), tmp_path / "parts")
    assert Pressing.pressed
    assert signal.getsignal(signal.SIGINT) is handler
    assert (tmp_path / "parts/seed-1/policy").exists()
    policy = vapor.deep.Policy.read(tmp_path / "parts/seed-1")
    assert policy.act(np.zeros((2, 3))).shape == (2, 2)
    assert policy.act(np.zeros((0, 3))).shape == (0, 2)
    whole = train(counting, tmp_path / "whole")
    same_record(train(counting, tmp_path / "parts").folder, whole.folder)


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("actors", [0, 2])
def test_the_record_has_the_episodes_of_the_environment(
    tmp_path: Path, mode: AutoresetMode, actors: int
) -> None:
    run = vapor.deep.train(
        lambda places: counting(places, mode), SMALL, frames=600, places=2, actors=actors,
        out=tmp_path,
    )  # fmt: skip
    lengths = run.episodes["length"].astype(int).tolist()
    assert set(lengths) == set(LENGTHS)
    for kind in LENGTHS:  # each as often as the others, but for what was under way at the end
        assert abs(lengths.count(kind) * 4 - len(lengths)) <= 16
    # The reward of step t is t + 0.5 or t + 0.6.
    returns = run.episodes["return"]
    for length, total in zip(lengths, returns, strict=True):
        least = length * (length + 1) / 2 + 0.5 * length
        assert least - 1e-4 <= total <= least + 0.1 * length + 1e-4
    assert run.episodes["frames"][-1] >= 600 - 5 * 2 * max(1, actors)
    assert run.command.startswith("vapor.deep.train(")


class FailingError(Exception):
    """Of a user's environment."""


class Failing(gymnasium.vector.VectorWrapper[Any, Any, Any, Any, Any]):
    """Fails at its 100th step."""

    steps = 0

    def step(self, actions: Any) -> Any:
        self.steps += 1
        if self.steps == 100:
            raise FailingError("at step 100")
        return super().step(actions)


@pytest.mark.parametrize("actors", [0, 1])
def test_an_exception_of_the_environment_arrives_as_itself(tmp_path: Path, actors: int) -> None:
    def train(make: Any, out: Path) -> Any:
        return vapor.deep.train(
            make, SMALL, frames=800, places=4, checkpoint_frames=200, actors=actors,
            name="counting", out=out,
        )  # fmt: skip

    with pytest.raises(FailingError, match="at step 100"):
        train(lambda places: Failing(counting(places)), tmp_path / "parts")
    resumed = train(counting, tmp_path / "parts")
    assert resumed.finished
    if actors == 0:
        same_record(resumed.folder, train(counting, tmp_path / "whole").folder)


def test_an_exception_of_progress_arrives(tmp_path: Path) -> None:
    def fail(p: vapor.RunProgress) -> None:
        if p.frames > 100:
            raise LookupError(f"at {p.frames}")

    with pytest.raises(LookupError, match="at 104"):
        vapor.deep.train("catch", SMALL, frames=800, places=8, progress=fail, out=tmp_path)


def test_lost_environments_are_replaced_and_counted(tmp_path: Path) -> None:
    made: list[int] = []

    class Fragile(gymnasium.vector.VectorWrapper[Any, Any, Any, Any, Any]):
        steps = 0

        def step(self, actions: Any) -> Any:
            self.steps += 1
            if len(made) == 1 and self.steps == 60:
                raise vapor.deep.EnvironmentLost("the cable was pulled")
            return super().step(actions)

    def make(places: int) -> Any:
        made.append(places)
        return Fragile(counting(places))

    lost: list[int] = []
    run = vapor.deep.train(
        make, SMALL, frames=600, places=4, checkpoint_frames=200, name="counting",
        progress=lambda p: lost.append(p.environments_lost), out=tmp_path / "lost",
    )  # fmt: skip
    assert run.finished and made == [4, 4] and lost[0] == 0 and lost[-1] == 1
    whole = vapor.deep.train(
        counting, SMALL, frames=600, places=4, checkpoint_frames=200, out=tmp_path / "whole"
    )
    same_record(run.folder, whole.folder)


def test_environments_that_are_always_lost_are_an_error(tmp_path: Path) -> None:
    class Gone(gymnasium.vector.VectorWrapper[Any, Any, Any, Any, Any]):
        def step(self, actions: Any) -> Any:
            raise vapor.deep.EnvironmentLost("the cable was pulled")

    with pytest.raises(vapor.deep.EnvironmentLost, match=r"6 times .*the cable was pulled"):
        vapor.deep.train(
            lambda places: Gone(counting(places)), SMALL, frames=100, places=1, out=tmp_path
        )


@pytest.mark.parametrize(
    ("env", "frames", "places"),
    [("MinAtar/Breakout-v1", 2000, 4), ("MinAtar/Seaquest-v1", 400, 4), ("ALE/Pong-v5", 240, 2)],
)
def test_games_train_and_go_on_to_the_same_bytes(
    tmp_path: Path, env: str, frames: int, places: int
) -> None:
    def train(out: Path, progress: Any = None) -> Any:
        return vapor.deep.train(
            env, "vapor-lite:replay=2000", frames=frames, places=places,
            checkpoint_frames=frames // 4, out=out, progress=progress,
        )  # fmt: skip

    whole = train(tmp_path / "whole")
    assert whole.finished
    train(tmp_path / "parts", lambda p: p.frames < 3 * frames // 5)
    same_record(train(tmp_path / "parts").folder, whole.folder)
    policy = vapor.deep.Policy.read(whole.folder)
    shape = (3, 4, 84, 84) if env.startswith("ALE") else (3, *policy_source(policy))
    assert policy.act(np.ones(shape, dtype=np.uint8)).sum(axis=1) == pytest.approx(1.0)


def policy_source(policy: vapor.deep.Policy) -> tuple[int, ...]:
    assert policy.layout is not None
    assert policy.layout.element == "flag"
    return policy.layout.source


def test_a_discrete_observation_is_trained_on(tmp_path: Path) -> None:
    run = vapor.deep.train("FrozenLake-v1", SMALL, frames=2000, out=tmp_path)
    assert run.finished and len(run.episodes["return"]) > 50
    policy = vapor.deep.Policy.read(run.folder)
    assert policy.act(np.arange(16)).shape == (16, 4)
    again = pickle.loads(pickle.dumps(policy))
    assert np.array_equal(again.act(np.arange(16)), policy.act(np.arange(16)))


def test_cart_pole_is_learned_and_played(tmp_path: Path) -> None:
    run = vapor.deep.train("CartPole-v1", frames=30_000, out=tmp_path)
    returns = run.episodes["return"]
    assert returns[:50].mean() < 35.0
    assert returns[-30:].mean() > 100.0
    # The policy back in Python, on places that are numbered afresh: it is the one that was trained.
    policy = vapor.deep.Policy.read(run.folder)
    env = gymnasium.make_vec("CartPole-v1", num_envs=8)
    random = np.random.default_rng(1)
    observations, _ = env.reset(seed=5)
    total, over = np.zeros(8), np.zeros(8, dtype=bool)
    for _ in range(500):
        probabilities = policy.act(observations)
        actions = (random.random(8) > probabilities[:, 0]).astype(np.int64)
        observations, rewards, ended, cut, _ = env.step(actions)
        total += rewards * ~over
        over |= ended | cut
    assert total.mean() > 80.0


def test_the_page_about_it_trains_in_an_environment_of_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    page = Path(__file__).parents[2] / "docs/python-deep.md"
    programs = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    (program,) = (text for text in programs if "class Corridor" in text)
    names: dict[str, Any] = {}
    exec(program, names)
    assert names["returns"][-100:].mean() > 0.9
    assert names["policy"].act(np.arange(9))[:, 1].min() > 0.5


def test_tensorboard_logs_are_read_by_another_reader(tmp_path: Path) -> None:
    run = vapor.deep.train("CartPole-v1", SMALL, frames=1500, out=tmp_path)
    logged = points(run.folder / "tensorboard")
    for column, tag in (("return", "return"), ("length", "length"), ("value_loss", "losses/value")):
        curve = [p for p in logged if p.tag == tag]
        assert [p.step for p in curve] == run.episodes["frames"].astype(int).tolist()
        assert [p.value for p in curve] == pytest.approx(run.episodes[column].tolist(), rel=1e-6)


def test_the_interpreter_is_free_meanwhile(tmp_path: Path) -> None:
    begun, seen = threading.Event(), threading.Event()

    def until_seen(p: vapor.RunProgress) -> bool:
        begun.set()
        return not seen.is_set()

    thread = threading.Thread(
        target=lambda: vapor.deep.train(
            "deep_sea:depth=12", episodes=3000, out=tmp_path, progress=until_seen
        )
    )
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1000.0)  # so that `progress`, which is Python, lets nobody else in
    try:
        thread.start()
        begun.wait()
        seen.set()  # if training held the interpreter, this would come after it
        thread.join()
    finally:
        sys.setswitchinterval(usual)
    assert not Run.read(tmp_path / "seed-1").finished


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(f.relative_to(folder)): f.read_bytes() for f in folder.rglob("*") if f.is_file()}


def test_a_refused_training_leaves_the_record_of_another(tmp_path: Path) -> None:
    """It wrote its own layout of observations there, and the policy could not be read again."""
    run = vapor.deep.train("CartPole-v1", SMALL, frames=200, out=tmp_path)
    before = files_of(tmp_path)
    with pytest.raises(vapor.InputError, match="CartPole-v1"):
        vapor.deep.train("Acrobot-v1", SMALL, frames=200, out=tmp_path)
    assert files_of(tmp_path) == before
    assert vapor.deep.Policy.read(run.folder).act(np.zeros((1, 4))).shape == (1, 2)


def test_other_observations_under_the_same_name_are_refused(tmp_path: Path) -> None:
    def train(env: str) -> Run:
        return vapor.deep.train(
            lambda places: gymnasium.make_vec(env, num_envs=places), SMALL, frames=400, places=4,
            checkpoint_frames=100, name="mine", progress=lambda p: p.frames < 200, out=tmp_path,
        )  # fmt: skip

    assert not train("CartPole-v1").finished
    before = files_of(tmp_path)
    with pytest.raises(vapor.InputError, match=r"env: makes .* was trained on .*another name"):
        train("Acrobot-v1")
    assert files_of(tmp_path) == before


def test_an_exception_of_progress_leaves_a_policy_that_can_be_read(tmp_path: Path) -> None:
    def fail(p: vapor.RunProgress) -> None:
        if p.frames > 100:
            raise LookupError

    with pytest.raises(LookupError):
        vapor.deep.train("CartPole-v1", SMALL, frames=800, progress=fail, out=tmp_path)
    policy = vapor.deep.Policy.read(tmp_path / "seed-1")
    assert policy.act(np.zeros((3, 4))).shape == (3, 2)


def test_what_an_interrupt_costs(tmp_path: Path) -> None:
    """As docs/python-deep.md has it: by frames with actors=0 all since the last checkpoint."""

    def first_frames(actors: int, checkpoint_frames: int) -> int:
        out = tmp_path / f"{actors}-{checkpoint_frames}"
        first: list[int] = []

        def watch(p: vapor.RunProgress) -> bool:
            first.append(p.frames)
            return p.frames < 250

        for _ in range(2):
            first.clear()
            vapor.deep.train(
                counting, SMALL, frames=100_000, places=4, actors=actors,
                checkpoint_frames=checkpoint_frames, progress=watch, out=out,
            )  # fmt: skip
        return first[0]

    assert first_frames(0, 1000) == 0
    assert first_frames(0, 200) == 200
    assert first_frames(1, 1000) >= 250


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"env": "deep_see:depth=4"}, "env: .*did you mean deep_sea"),
        ({"env": "deep_sea:depth=4", "agent": "vapor-light"}, "agent: .*did you mean vapor-lite"),
        ({"env": "deep_sea:depth=4", "episodes": 0}, "episodes: must be 1"),
        ({"env": "deep_sea:depth=4", "frames": 10}, "frames: does not go with"),
        ({"env": "deep_sea:depth=4", "seed": -1}, "seed: must be 0"),
        ({"env": "deep_sea:depth=4", "places": 8}, "places: does not go with"),
        ({"env": "deep_sea:depth=4", "actors": 0}, "actors: does not go with"),
        ({"env": "deep_sea:depth=4", "clip_rewards": False}, "clip_rewards: does not go with"),
        ({"env": "deep_sea:depth=4", "checkpoint_frames": 9}, "checkpoint_frames: does not go"),
        ({"env": "deep_sea:depth=4", "name": "sea"}, "name: does not go with"),
        ({"env": "CartPole-v1", "name": "pole"}, "name: does not go with"),
        ({"env": "catch", "episodes": 10}, "episodes: does not go with"),
        ({"env": "catch", "stop_when_solved": True}, "stop_when_solved: does not go with"),
        ({"env": counting, "checkpoint_every": 5}, "checkpoint_every: does not go with"),
        ({"env": "catch", "places": 0}, "places: must be 1"),
        ({"env": counting, "places": 0}, "places: must be >= 1"),
        ({"env": counting, "actors": 1000}, "actors: must be 0"),
        ({"env": counting(2)}, "env: must be a spec, .* got SyncVectorEnv"),
        ({"env": "Pendulum-v1"}, "action_space: must be Discrete, got Box"),
        ({"env": "Blackjack-v1"}, "observation_space: .*Tuple"),
        ({"env": "CartPole-v1", "agent": "vapor-lite:torso=small"}, "torso: .*choose torso=mlp"),
    ],
)
def test_bad_input_is_named_and_leaves_nothing(
    tmp_path: Path, arguments: dict[str, Any], named: str
) -> None:
    with pytest.raises(vapor.InputError, match=named):
        vapor.deep.train(out=tmp_path / "out", **arguments)
    assert not (tmp_path / "out").exists()


def test_agents_have_settings_and_summaries() -> None:
    kinds = {kind.name: kind for kind in vapor.deep.agents()}
    assert {"vapor-lite", "vapor-lite-closed", "ersac", "boot-dqn", "dqn"} <= set(kinds)
    assert kinds["vapor-lite"].settings["sigma_scale"] == "0.005"
    assert all(kind.summary for kind in kinds.values())
