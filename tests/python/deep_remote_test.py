"""Environments on Ray actors: the places of one machine, and a training that outlives its nodes."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import counting_env
import numpy as np
import pytest
import ray
from counting_env import counting
from gymnasium.vector import AutoresetMode, VectorWrapper
from ray.cluster_utils import Cluster

import vapor
import vapor.deep
from vapor.deep.gymnasium_ids import make_by_id
from vapor.ray_cluster import joined

SMALL = "vapor-lite:replay=2000,hidden=16"
NODE: dict[str, Any] = {"include_dashboard": False, "object_store_memory": 80_000_000}


# The nodes do not have this folder.
ray.cloudpickle.register_pickle_by_value(counting_env)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """Two nodes: the driver's, and one that can be killed."""
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 2, **NODE})
    cluster.add_node(num_cpus=2, resources={"second": 1}, **NODE)
    ray.init(address=cluster.address, log_to_driver=False)
    yield cluster
    ray.shutdown()
    cluster.shutdown()



@pytest.mark.full
@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_remote_places_are_those_of_one_environment(cluster: Cluster, mode: AutoresetMode) -> None:
    """Two workers of two places are, step for step, two environments of two places here."""
    remote = vapor.deep.RemoteVectorEnv(
        lambda places: counting(places, mode), 2, 2, cluster.address, cpus=0.5
    )
    here = [counting(2, mode), counting(2, mode)]
    assert remote.num_envs == 4
    assert remote.metadata["autoreset_mode"] == mode
    assert remote.single_observation_space == here[0].single_observation_space
    shown, _ = remote.reset(seed=3)
    assert np.array_equal(shown, np.concatenate([env.reset(seed=3)[0] for env in here]))
    over = np.zeros(4, dtype=np.bool_)
    for number in range(20):
        if mode == AutoresetMode.DISABLED and over.any():
            shown, _ = remote.reset(options={"reset_mask": over})
            # Both have places that count alike, so both masks are the same here.
            local = [env.reset(options={"reset_mask": over[:2]})[0] for env in here]
            assert np.array_equal(shown, np.concatenate(local))
        actions = np.array([5, 6, 5, 6]) if number % 2 else np.array([6, 5, 6, 5])
        step = remote.step(actions)
        steps = [env.step(actions[2 * i : 2 * i + 2]) for i, env in enumerate(here)]
        for field in range(4):
            assert np.array_equal(step[field], np.concatenate([s[field] for s in steps]))
        over = step[2] | step[3]
        if mode == AutoresetMode.SAME_STEP and over.any():
            mine = np.stack(list(step[4]["final_obs"][over]))
            theirs = np.concatenate([np.stack(list(s[4]["final_obs"])) for s in steps])
            assert np.array_equal(mine, theirs)
    remote.close()


@pytest.mark.full
def test_what_an_environment_raises_arrives_as_itself(cluster: Cluster) -> None:
    class Failing(VectorWrapper[Any, Any, Any, Any, Any]):
        def step(self, actions: Any) -> Any:
            raise LookupError("of the environment")

    remote = vapor.deep.RemoteVectorEnv(
        lambda places: Failing(counting(places)), 1, 1, cluster.address, cpus=0.5
    )
    remote.reset(seed=1)
    with pytest.raises(LookupError, match="of the environment"):
        remote.step(np.array([5]))
    remote.close()

    def unmakeable(places: int) -> Any:
        raise LookupError("while it is made")

    with pytest.raises(LookupError, match="while it is made"):
        vapor.deep.RemoteVectorEnv(unmakeable, 1, 1, cluster.address, cpus=0.5)
    with pytest.raises(vapor.InputError, match="no node has 64 CPU free"):
        vapor.deep.RemoteVectorEnv(counting, 1, 1, cluster.address, cpus=64, patience=1.0)


def test_a_killed_actor_is_lost_and_replaced(cluster: Cluster) -> None:
    class Dying(VectorWrapper[Any, Any, Any, Any, Any]):
        def step(self, actions: Any) -> Any:
            if actions[0] == 6:
                os._exit(1)
            return super().step(actions)

    remote = vapor.deep.RemoteVectorEnv(
        lambda places: Dying(counting(places)), 2, 1, cluster.address, cpus=0.5
    )
    remote.reset(seed=1)
    with pytest.raises(vapor.deep.EnvironmentLost, match="worker 1"):
        remote.step(np.array([5, 6]))
    with pytest.raises(vapor.deep.EnvironmentLost, match="reset makes a new one"):
        remote.step(np.array([5, 5]))
    shown, _ = remote.reset(seed=1)
    assert shown.shape == (2, 3)
    assert remote.step(np.array([5, 5]))[0][:, 2].tolist() == [1.0, 1.0]
    remote.close()


def test_a_training_is_fed_by_the_cluster(cluster: Cluster, tmp_path: Path) -> None:
    run = vapor.deep.train(
        vapor.deep.remote(counting, workers=2, address=cluster.address, cpus=0.5), SMALL,
        frames=400, places=4, actors=1, out=tmp_path,
    )  # fmt: skip
    assert run.finished
    assert run.definition["env"] == "remote(counting)"
    assert set(run.episodes["length"].astype(int)) == {1, 2, 3, 5}


@pytest.mark.full
@pytest.mark.parametrize("actors", [0, 2])
def test_a_training_goes_on_when_a_node_is_killed(tmp_path: Path, actors: int) -> None:
    ray.shutdown()
    own = Cluster(initialize_head=True, head_node_args={"num_cpus": 2, **NODE})
    second = own.add_node(num_cpus=2, **NODE)
    ray.init(address=own.address, log_to_driver=False)
    killed: list[int] = []
    lost: list[int] = []

    def kill_a_node(p: vapor.RunProgress) -> None:
        lost.append(p.environments_lost)
        if p.frames >= 600 and not killed:
            killed.append(p.frames)
            own.remove_node(second, allow_graceful=False)

    try:
        # Four workers on two nodes, spread: two are lost with the second.
        run = vapor.deep.train(
            vapor.deep.remote(counting, workers=4 // max(1, actors), cpus=0.5), SMALL,
            frames=2000, places=4, actors=actors, checkpoint_frames=200, progress=kill_a_node,
            out=tmp_path,
        )  # fmt: skip
    finally:
        ray.shutdown()
        own.shutdown()
    assert killed and run.finished
    assert lost[0] == 0 and 1 <= lost[-1] <= 4
    assert run.episodes["frames"][-1] > 1900


class Watched:
    """The package ray, and what was got by it."""

    def __init__(self) -> None:
        self.got: list[Any] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(ray, name)

    def get(self, answer: Any, **options: Any) -> Any:
        self.got.append(answer)
        return ray.get(answer, **options)


def test_one_that_hangs_is_waited_for_once_and_costs_no_other(cluster: Cluster) -> None:
    class Hanging(VectorWrapper[Any, Any, Any, Any, Any]):
        def step(self, actions: Any) -> Any:
            if actions[0] == 6:
                time.sleep(600)
            return super().step(actions)

    remote = vapor.deep.RemoteVectorEnv(
        lambda places: Hanging(counting(places)), 2, 1, cluster.address, cpus=0.5
    )
    remote.reset(seed=np.int64(1))  # a whole number, whoever's
    healthy = remote._workers[1]
    remote._patience = 3.0
    remote._ray = watched = Watched()
    with pytest.raises(vapor.deep.EnvironmentLost) as caught:
        remote.step(np.array([6, 5]))
    assert str(caught.value).startswith("worker 0: no answer within 3 s")
    assert "worker 1" not in str(caught.value)
    assert len(watched.got) == 1  # not of the one that hangs: that would be a second wait
    assert remote._workers == [None, healthy]
    remote._patience = 60.0
    assert remote.reset(seed=1)[0].shape == (2, 3)
    remote.close()


@pytest.mark.parametrize("env", ["MinAtar/Breakout-v1", "ALE/Pong-v5"])
def test_games_by_id_are_those_of_a_training_here(cluster: Cluster, env: str) -> None:
    remote = vapor.deep.RemoteVectorEnv(env, 1, 2, cluster.address, cpus=0.5)
    here = make_by_id(env)(2)
    for _ in range(2):  # what follows a seed follows from it alone
        for envs in (remote, here):
            envs.reset(seed=4)
        for number in range(8):
            actions = np.array([number % 3, 2])
            assert np.array_equal(remote.step(actions)[0], here.step(actions)[0])
    remote.close()
    here.close()


@pytest.mark.parametrize("env", ["CartPole-v1", "MinAtar/Breakout-v1", "ALE/Pong-v5"])
def test_what_makes_an_id_needs_no_vapor_where_it_is_called(tmp_path: Path, env: str) -> None:
    (tmp_path / "make").write_bytes(ray.cloudpickle.dumps(make_by_id(env)))
    program = (
        "import pickle, sys; sys.modules['vapor'] = None; "
        "env = pickle.load(open(sys.argv[1], 'rb'))(3); env.reset(seed=1); print(env.num_envs)"
    )
    said = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "make")],
        check=True, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert said.stdout.splitlines()[-1] == "3"


def test_another_cluster_than_that_of_the_process_is_refused(cluster: Cluster) -> None:
    mine = str(cluster.address)
    with joined(mine), joined("auto"), joined(None):
        pass
    assert ray.is_initialized()  # it was there before, and stays
    for other in ("127.0.0.1:9", "no-such-host.invalid:6379"):
        with (
            pytest.raises(vapor.InputError, match=f"is {other}, and this .* connected to {mine}"),
            joined(other),
        ):
            pass


def test_a_cluster_of_this_machine_ends_with_its_last_user() -> None:
    ray.shutdown()
    first, second = (vapor.deep.RemoteVectorEnv(counting, 1, 1, cpus=0.1) for _ in range(2))
    first.close()
    assert ray.is_initialized()
    second.reset(seed=1)
    second.close()
    assert not ray.is_initialized()

    def unmakeable(places: int) -> Any:
        raise LookupError

    with pytest.raises(LookupError):
        vapor.deep.RemoteVectorEnv(unmakeable, 1, 1, cpus=0.1)
    assert not ray.is_initialized()


def test_a_dead_address_is_named() -> None:
    ray.shutdown()
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))  # nobody listens there
        address = f"127.0.0.1:{bound.getsockname()[1]}"
        with pytest.raises(vapor.InputError, match=f"no Ray cluster answers at {address}"):
            vapor.deep.RemoteVectorEnv(counting, 1, 1, address)
    for wrong in ("nonsense", "host:", "127.0.0.1:99999999", "ray://127.0.0.1:10001"):
        with pytest.raises(vapor.InputError, match="address: must be HOST:PORT"):
            vapor.deep.RemoteVectorEnv(counting, 1, 1, wrong)
