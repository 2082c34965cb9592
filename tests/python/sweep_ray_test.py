"""Sweeps on a Ray cluster of two real node processes."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sweep_files import LONG, SMALL, VAPOR, make_with_program, parts_of, promised_files, write

import vapor
from vapor.sweeps import read_sweep
from vapor.sweeps.parts import CollectedRecord


def start_cluster() -> Any:
    """Its tasks have their temporary files in ``folder_of_tasks``."""
    from ray import cluster_utils

    folder = tempfile.mkdtemp(prefix="tasks-")
    node = {"num_cpus": 1, "object_store_memory": 80 * 2**20, "include_dashboard": False}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_TMPDIR", tempfile.gettempdir())
        patch.setenv("TMPDIR", folder)
        cluster = cluster_utils.Cluster(initialize_head=True, head_node_args=node)
        cluster.second_node = cluster.add_node(num_cpus=1, object_store_memory=80 * 2**20)
    cluster.folder_of_tasks = Path(folder)
    return cluster


def shut_down(cluster: Any) -> None:
    cluster.shutdown()
    shutil.rmtree(cluster.folder_of_tasks)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two nodes with one core each; nothing of it is changed by a test."""
    started = start_cluster()
    yield started
    shut_down(started)


def test_ray_equals_local(tmp_path: Path, cluster: Any) -> None:
    file = write(tmp_path, SMALL)
    seen: list[tuple[int, int, int, int]] = []
    out = tmp_path / "ray"
    options: dict[str, Any] = {"engine": "ray", "address": cluster.address, "out": out}
    results = vapor.sweep(file, progress=lambda *now: seen.append(now), **options)
    assert [result.status for result in results] == ["finished"] * 12
    assert seen[-1] == (12, 12, 300, 300)
    assert promised_files(out) == make_with_program(file, tmp_path / "local")
    again = vapor.sweep(file, **options)
    assert {result.status for result in again} == {"was_finished"}


def test_ray_goes_on_with_what_the_program_began_and_says_what_failed(
    tmp_path: Path, cluster: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    file = write(
        tmp_path,
        """
[[sweep]]
envs = "deep_sea:depth=6"
agents = "vapor"
episodes = 200
snapshot_every = 50
[[sweep]]
kind = "train"
envs = "deep_sea:depth=4"
agents = "vapor-lite:hidden=8"
episodes = 12
""",
    )
    local = subprocess.run([VAPOR, "sweep", file, "--out", tmp_path / "local", "--quiet"])
    assert local.returncode == 0
    out = tmp_path / "ray"
    cell = read_sweep(file)[0]
    # Begun by hand, up to episode 70, with a tail beyond the checkpoint that does not stand.
    with CollectedRecord(out / cell.folder) as record:
        for part in parts_of(cell, tmp_path / "made" / "seed-1", lambda episodes: episodes >= 70):
            record.take(part)
    with (out / cell.folder / "episodes.csv").open("ab") as torn:
        torn.write(b"71,0.1,0.2")
    with CollectedRecord(out / read_sweep(file)[1].folder):  # somebody else is writing it
        results = vapor.sweep(file, engine="ray", address=cluster.address, out=out)
    assert [result.status for result in results] == ["finished", "failed"]
    assert "another process is writing this run" in results[1].error
    assert "started again" not in capfd.readouterr().err  # bad input stays bad
    (result,) = vapor.sweep(file, engine="ray", address=cluster.address, out=out)[1:]
    assert result.status == "finished"

    def of_runs(folder: Path) -> dict[str, bytes]:
        files = promised_files(folder)
        return {name: text for name, text in files.items() if "tensorboard" not in name}

    made = of_runs(out)
    assert {name: made[name] for name in of_runs(tmp_path / "local")} == of_runs(tmp_path / "local")


def test_the_command_hands_over_and_ctrl_c_leaves_what_can_be_resumed(
    tmp_path: Path, cluster: Any
) -> None:
    file = write(tmp_path, LONG.format(seeds=2))
    out = tmp_path / "ray"
    command = [VAPOR, "sweep", str(file), "--engine", "ray", "--address", cluster.address]
    process = subprocess.Popen(
        [*command, "--out", str(out)],
        env=os.environ | {"VAPOR_PYTHON": sys.executable},
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    deadline = time.monotonic() + 300
    while not list(out.rglob("checkpoint")):
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "the same command goes on from here" in errors
    whole = make_with_program(file, tmp_path / "local")
    assert make_with_program(file, out) == whole  # the local engine goes on with it


@pytest.mark.parametrize(
    ("address", "complaint"),
    [
        ("127.0.0.1:9", "no Ray cluster answers at 127.0.0.1:9"),
        ("no-such-host.invalid:6379", "no Ray cluster answers"),
        ("127.0.0.1", "must be HOST:PORT"),
        ("127.0.0.1:0", "must be HOST:PORT"),
        ("ray://127.0.0.1:10001", "must be HOST:PORT of the cluster"),
    ],
)
def test_a_dead_address_is_named(tmp_path: Path, address: str, complaint: str) -> None:
    with pytest.raises(vapor.InputError, match=complaint):
        vapor.sweep(
            write(tmp_path, SMALL), engine="ray", address=address, out=tmp_path / "out"
        )
    assert not (tmp_path / "out").exists()


def test_what_is_not_a_cluster_is_named_and_the_command_exits_with_2(tmp_path: Path) -> None:
    server = subprocess.Popen(
        [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    try:
        assert server.stdout is not None
        port = server.stdout.readline().split(" port ")[1].split()[0]
        said = subprocess.run(
            [VAPOR, "sweep", write(tmp_path, SMALL), "--engine", "ray",
             "--address", f"127.0.0.1:{port}", "--out", tmp_path / "out"],
            env=os.environ | {"VAPOR_PYTHON": sys.executable},
            capture_output=True, text=True,
        )  # fmt: skip
    finally:
        server.terminate()
        server.wait()
    assert said.returncode == 2
    assert said.stderr == f"vapor: address: what answers at 127.0.0.1:{port} is not a Ray cluster\n"
    assert said.stdout == ""


@pytest.mark.full
def test_200_cells_on_two_nodes(tmp_path: Path, cluster: Any) -> None:
    file = write(
        tmp_path,
        """
envs = ["deep_sea:depth={depth}", "river_swim"]
agents = ["vapor", "thompson"]
seeds = { first = 11, count = 25 }
episodes = 20
snapshot_every = 10
vary.depth = [3, 4, 5]
""",
    )
    results = vapor.sweep(file, engine="ray", address=cluster.address, out=tmp_path / "ray")
    assert [result.status for result in results] == ["finished"] * 200
    assert promised_files(tmp_path / "ray") == make_with_program(file, tmp_path / "local")


@pytest.mark.full
def test_a_node_that_dies_costs_only_its_unfinished_part(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write(tmp_path, LONG.format(seeds=4))
    out = tmp_path / "ray"
    states: list[dict[str, bytes]] = []
    original = CollectedRecord.state

    def watched(record: CollectedRecord) -> dict[str, bytes]:
        states.append(original(record))
        return states[-1]

    monkeypatch.setattr(CollectedRecord, "state", watched)
    cluster = start_cluster()
    killed = False

    def kill_when_both_work(*now: int) -> None:
        nonlocal killed
        if not killed and len(list(out.rglob("checkpoint"))) == 2:
            cluster.remove_node(cluster.second_node, allow_graceful=False)
            killed = True

    try:
        results = vapor.sweep(
            file, engine="ray", address=cluster.address, out=out, progress=kill_when_both_work
        )
    finally:
        shut_down(cluster)
    assert killed
    assert [result.status for result in results] == ["finished"] * 4
    assert "started again" in capfd.readouterr().err
    assert [bool(state) for state in states].count(True) >= 1  # it went on from a checkpoint
    for result in results:
        assert result.run is not None
        assert result.run.episodes["episode"].tolist() == list(range(1, 10001))
    assert promised_files(out) == make_with_program(file, tmp_path / "local")
