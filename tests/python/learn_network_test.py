"""vapor.learn where observations cannot be counted: networks, with the same words."""

from pathlib import Path

import gymnasium
import numpy as np
import pytest

import vapor

SMALL = "vapor-lite:hidden=16,layers=1,batch=4,unroll=8"


def test_networks_learn_where_observations_cannot_be_counted(tmp_path: Path) -> None:
    learned = vapor.learn("CartPole-v1", SMALL, frames=1600, out=tmp_path, seed=2)
    assert learned.run is not None and learned.run.folder == tmp_path / "seed-2"
    assert learned.returns.sum() == learned.lengths.sum() > 1000  # a pole pays 1 a step
    assert isinstance(learned.policy, vapor.deep.Policy)
    env = gymnasium.make("CartPole-v1")
    assert learned.act(env.reset(seed=1)[0]) in (0, 1)
    evaluation = learned.evaluate(4, seed=5)
    assert evaluation.returns.shape == (4,) and evaluation.returns.min() >= 5.0
    for loaded in (vapor.load(tmp_path), vapor.load(tmp_path / "seed-2", env)):
        assert np.array_equal(loaded.evaluate(4, seed=5).returns, evaluation.returns)
    learned.save(tmp_path / "kept")
    assert np.array_equal(
        vapor.load(tmp_path / "kept").evaluate(4, seed=5).returns, evaluation.returns
    )


def test_without_out_nothing_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    heard: list[int] = []
    learned = vapor.learn(
        lambda: gymnasium.make("CartPole-v1"),
        SMALL,
        frames=800,
        progress=lambda episode, _: heard.append(episode),
    )
    assert list(tmp_path.iterdir()) == [] and learned.run is None
    assert heard and heard == sorted(set(heard))
    assert learned.evaluate(2).mean >= 5.0


def test_networks_can_be_asked_for(tmp_path: Path) -> None:
    learned = vapor.learn("FrozenLake-v1", SMALL, networks=True, frames=400, out=tmp_path)
    assert learned.act(3) in range(4)
    assert vapor.load(tmp_path).evaluate(3).returns.shape == (3,)


def test_settings_of_the_other_kind_are_refused() -> None:
    with pytest.raises(vapor.InputError, match="episodes: does not go with networks"):
        vapor.learn("CartPole-v1", episodes=10)
    with pytest.raises(vapor.InputError, match="frames: does not go with FrozenLake-v1"):
        vapor.learn("FrozenLake-v1", frames=10)
    with pytest.raises(vapor.InputError, match="env: networks play in many at once"):
        vapor.learn(gymnasium.make("CartPole-v1"), frames=100)
