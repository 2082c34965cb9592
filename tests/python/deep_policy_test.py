"""Policies of deep trainings, asked from Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vapor
import vapor.deep

SMALL = "vapor-lite:replay=2000,hidden=16"


def test_the_policy_of_a_table_is_asked_by_state(tmp_path: Path) -> None:
    run = vapor.deep.train("deep_sea:depth=5", episodes=120, seed=2, out=tmp_path)
    policy = vapor.deep.Policy.read(run.folder)
    environment = vapor.Environment("deep_sea:depth=5", seed=2)
    states = int(environment.model.layout.states.sum())
    probabilities = policy.act(np.arange(states))
    assert probabilities.shape == (states, 2)
    assert policy.act(np.empty(0, np.int64)).shape == (0, 2)
    # It plays as it was trained to: to the goal, mostly.
    rows = vapor.Layered(probabilities.reshape(-1), environment.model.layout)
    assert environment.value(rows) > 0.5 * environment.optimal_value()
    with pytest.raises(vapor.InputError, match="there is no state"):
        policy.act([states])
    with pytest.raises(vapor.InputError, match="is not a run"):
        vapor.deep.Policy.read(tmp_path)


def test_an_agent_with_memory_begins_anew(tmp_path: Path) -> None:
    run = vapor.deep.train("catch:rows=6", SMALL + ",lstm=8", frames=200, out=tmp_path)
    policy = vapor.deep.Policy.read(run.folder)
    images = np.random.default_rng(1).integers(0, 2, (2, 1, 6, 5), dtype=np.uint8)
    first = policy.act(images)
    second = policy.act(images)
    assert not np.array_equal(first, second)
    policy.begin([0])
    third = policy.act(images)
    assert np.array_equal(third[0], first[0])
    assert not np.array_equal(third[1], first[1])


@pytest.fixture(scope="module")
def boot_dqn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("boot-dqn")
    agent = "boot-dqn:replay=2000,hidden=16"
    return vapor.deep.train("catch:rows=6", agent, frames=200, out=out).folder


IMAGES = np.ones((8, 1, 6, 5), dtype=np.uint8)


def test_the_heads_of_the_first_episodes_are_drawn_by_the_seed(boot_dqn: Path) -> None:
    def first(seed: int) -> Any:
        policy = vapor.deep.Policy.read(boot_dqn)
        policy.begin(range(8), seed=seed)
        return policy.act(IMAGES)

    again = vapor.deep.Policy.read(boot_dqn)
    again.act(IMAGES)
    for seed in (5, 6):
        again.begin(range(8), seed=seed)
        assert np.array_equal(first(seed), again.act(IMAGES))
    assert not np.array_equal(first(5), first(6))
    # Places that were not begun do so when they are played, and the others go on.
    one = vapor.deep.Policy.read(boot_dqn)
    one.begin([7], seed=5)
    alone = one.act(IMAGES)
    other = vapor.deep.Policy.read(boot_dqn)
    assert np.array_equal(alone[:7], other.act(IMAGES[:7]))
    other.begin([7], seed=5)
    assert np.array_equal(alone, other.act(IMAGES))


def test_places_that_are_none_are_refused(boot_dqn: Path) -> None:
    policy = vapor.deep.Policy.read(boot_dqn)
    for place in (-1, 1024, 2**40):
        with pytest.raises(vapor.InputError, match=rf"places: must be 0\.\.1023, got {place}$"):
            policy.begin([0, place])
    assert policy.act(IMAGES).shape == (8, 3)


def test_a_policy_is_in_use_from_the_moment_that_it_looks(boot_dqn: Path) -> None:
    """Another call would put its observations where the first one's are."""
    policy = vapor.deep.Policy.read(boot_dqn)
    bytes_seen = IMAGES.reshape(-1)
    refused: list[str] = []

    class Looking:
        """Asks the policy while it is looked at."""

        def __dlpack__(self, **options: Any) -> Any:
            with pytest.raises(RuntimeError) as caught:
                policy.act(IMAGES)
            refused.append(str(caught.value))
            return bytes_seen.__dlpack__()

    assert policy.native.act(Looking()).size == 24
    assert refused and all("another thread" in reason for reason in refused)
    assert policy.act(IMAGES).shape == (8, 3)
