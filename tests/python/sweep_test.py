"""Sweeps: the file, the local engine, and a Ray cluster of two real node processes."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import vapor
from vapor import _core
from vapor.sweeps import Cell, read_sweep
from vapor.sweeps.__main__ import main
from vapor.sweeps.cells import outcomes_before
from vapor.sweeps.parts import CollectedRecord, Part, PartGatherer

VAPOR = os.environ["VAPOR_COMMAND"]

SMALL = """
envs = ["deep_sea:depth={depth}", "river_swim"]
agents = ["vapor", "thompson"]
seeds = 2
episodes = 25
stop = "solved"
snapshot_every = 10
vary.depth = [4, 6]
"""

# Long enough for something to happen to it.
LONG = """
envs = "deep_sea:depth=12"
agents = "vapor"
seeds = {seeds}
episodes = 10000
checkpoint_every = 500
"""


def write(folder: Path, text: str) -> Path:
    file = folder / "sweep.toml"
    file.write_text(text)
    return file


def promised_files(folder: Path) -> dict[str, bytes]:
    """All that a run promises, by path; wall times are outside the promise."""
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file() and file.name not in ("timing.csv", "lock")
    }


def make_with_program(file: Path, out: Path) -> dict[str, bytes]:
    subprocess.run([VAPOR, "sweep", file, "--out", out, "--quiet"], check=True)
    return promised_files(out)


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


def test_cells_are_those_of_the_program(tmp_path: Path) -> None:
    file = write(tmp_path, SMALL)
    said = subprocess.run(
        [VAPOR, "sweep", file, "--out", tmp_path, "--dry-run", "--json"],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    rows = json.loads(said.stdout)["cells"]
    cells = read_sweep(file)
    assert [str(tmp_path / cell.folder) for cell in cells] == [row["folder"] for row in rows]
    names = ("env", "agent", "belief", "episodes", "seed", "stop", "snapshot_every")
    assert [cell.run for cell in cells] == [{name: row[name] for name in names} for row in rows]


def test_errors_of_the_file_name_its_line(tmp_path: Path) -> None:
    with pytest.raises(vapor.InputError, match=r"sweep\.toml:2: agents: .*did you mean vapor\?"):
        vapor.sweep(write(tmp_path, "envs = 'toy_chain'\nagents = 'vapr'"), out=tmp_path / "out")
    with pytest.raises(vapor.InputError, match="no such file"):
        vapor.sweep(tmp_path / "none.toml")
    good = write(tmp_path, SMALL)
    with pytest.raises(vapor.InputError, match="engine: must be local or ray"):
        vapor.sweep(good, engine="dask")
    with pytest.raises(vapor.InputError, match="address: goes with engine ray"):
        vapor.sweep(good, address="1.2.3.4:5")
    with pytest.raises(vapor.InputError, match="processes"):
        vapor.sweep(good, engine="ray", processes=2)
    assert not (tmp_path / "out").exists()


def test_local_engine(tmp_path: Path) -> None:
    seen: list[tuple[int, int, int, int]] = []
    results = vapor.sweep(
        write(tmp_path, SMALL), out=tmp_path / "out", progress=lambda *now: seen.append(now)
    )
    assert [result.status for result in results] == ["finished"] * 12
    assert seen[-1] == (12, 12, 300, 300)
    for result in results:
        assert result.run is not None and result.run.finished
        assert result.run.definition["seed"] == result.cell.seed
    assert promised_files(tmp_path / "out") == make_with_program(
        tmp_path / "sweep.toml", tmp_path / "again"
    )
    again = vapor.sweep(tmp_path / "sweep.toml", out=tmp_path / "out")
    assert {result.status for result in again} == {"was_finished"}


@pytest.fixture
def no_program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As after ``pip install .``: nothing in the variable, beside the interpreter, on the PATH."""
    monkeypatch.delenv("VAPOR_COMMAND")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not (Path(sys.executable).parent / "vapor").exists()


TRAINING = """
kind = "train"
envs = "deep_sea:depth=4"
agents = "vapor-lite:hidden=8"
"""


def test_runs_need_no_program(tmp_path: Path, no_program: None) -> None:
    results = vapor.sweep(write(tmp_path, SMALL), out=tmp_path / "out", processes=2)
    assert [result.status for result in results] == ["finished"] * 12


def test_the_absence_of_the_program_is_told_before_the_work(
    tmp_path: Path, no_program: None, capsys: pytest.CaptureFixture[str]
) -> None:
    said = r"vapor: trainings and the table .* not part .*VAPOR_COMMAND.* PATH; \./run train --help"
    with pytest.raises(vapor.InputError, match=said):
        vapor.sweep(write(tmp_path, TRAINING), out=tmp_path / "out")
    assert main([str(write(tmp_path, SMALL)), "--out", str(tmp_path / "out")]) == 2
    assert "need the program" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_ctrl_c_leaves_what_the_program_can_resume(tmp_path: Path) -> None:
    file = write(tmp_path, LONG.format(seeds=2))
    out = tmp_path / "out"

    def interrupt(*now: int) -> None:
        if list(out.rglob("checkpoint")):
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        vapor.sweep(file, out=out, progress=interrupt, processes=2)
    assert {run.finished for run in vapor.read_records(out)} == {False}
    assert make_with_program(file, out) == make_with_program(file, tmp_path / "whole")


def test_a_cell_that_fails_leaves_the_others(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    text = TRAINING + "episodes = 3\n"
    file = write(tmp_path, text.replace('"vapor-lite:hidden=8"', '["vapor-lit", "vapor-lite"]'))
    results = vapor.sweep(file, out=tmp_path / "out")
    assert [result.status for result in results] == ["failed", "finished"]
    assert "did you mean vapor-lite?" in results[0].error
    assert "started again" not in capfd.readouterr().err  # bad input stays bad


@pytest.mark.parametrize(
    ("before", "now", "difference"),
    [
        ("episodes = 5", "episodes = 6", "episodes: is 5"),
        ("episodes = 5", "", "episodes: is 5 in this run, 1000 was asked for"),
        ("episodes = 5", "episodes = 5\nstop_when_solved = true", 'stop: is "never"'),
        ("episodes = 5", "episodes = 5", ""),
        ("episodes = 5\nstop_when_solved = true", "episodes = 5\nstop_when_solved = true", ""),
    ],
)
def test_the_engines_agree_on_what_a_finished_training_is(
    tmp_path: Path, before: str, now: str, difference: str
) -> None:
    out = tmp_path / "out"
    make_with_program(write(tmp_path, TRAINING + before), out)
    kept = promised_files(out)
    file = write(tmp_path, TRAINING + now)
    (outcome,) = outcomes_before(read_sweep(file), out)  # which is what both engines ask
    said = subprocess.run(
        [VAPOR, "sweep", file, "--out", out, "--quiet", "--json"], capture_output=True, text=True
    )
    (row,) = json.loads(said.stdout)["cells"]
    assert promised_files(out) == kept
    if difference:
        assert (outcome.status, row["status"]) == ("failed", "failed")
        assert difference in outcome.error
        assert outcome.error == row["error"]
    else:
        assert (outcome.status, row["was_finished"]) == ("was_finished", True)


def test_a_training_by_frames_is_known_to_be_finished(tmp_path: Path) -> None:
    """With every setting that `vapor train` writes; of another one it is not."""
    cell = read_sweep(
        write(tmp_path, TRAINING.replace("deep_sea:depth=4", "minatar:game=breakout"))
    )[0]
    folder = tmp_path / cell.folder
    folder.mkdir(parents=True)
    definition = {
        "env": cell.env, "agent": cell.agent, "frames": 1_000_000, "seed": 1, "places": 8,
        "actors": 0, "clip_rewards": True, "checkpoint_frames": 50_000,
    }  # fmt: skip
    run = {"format": "vapor-run", "format_version": 1, "version": _core.version()}
    text = json.dumps(run | {"command": "", "status": "finished", "definition": definition})
    (folder / "run.json").write_text(text)
    assert cell.is_finished(tmp_path)
    (folder / "run.json").write_text(text.replace('"places": 8', '"places": 4'))
    with pytest.raises(vapor.InputError, match="places: is 4 in this run, 8 was asked for"):
        cell.is_finished(tmp_path)


ORPHAN = """
import sys
from pathlib import Path
from vapor.sweeps import read_sweep
from vapor.sweeps.jobs import start

job = start(read_sweep(sys.argv[1])[0], Path(sys.argv[2]) / "seed-1")
print(job._process.pid, flush=True)
job.wait(600)
"""


def test_a_training_ends_with_the_process_that_started_it(tmp_path: Path) -> None:
    file = write(tmp_path, TRAINING + "episodes = 1000000\ncheckpoint_every = 1000000")
    parent = subprocess.Popen(
        [sys.executable, "-c", ORPHAN, file, tmp_path / "out"], stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    training = Path("/proc") / parent.stdout.readline().strip()
    deadline = time.monotonic() + 120
    episodes = tmp_path / "out/seed-1/episodes.csv"
    while not episodes.exists() or episodes.read_bytes().count(b"\n") < 2:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    parent.kill()
    parent.communicate()
    while training.exists() and "State:\tZ" not in (training / "status").read_text():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def parts_of(
    cell: Cell, folder: Path, stop_after: Callable[[int], bool], episodes: int = 0
) -> Iterator[Part]:
    """A record in parts, one after every tenth episode; ``episodes`` stand already."""
    gatherer = PartGatherer(folder)
    while True:
        episodes += 10
        limit = episodes
        end = _core.run_episodes(
            cell.run_settings(), str(folder), lambda now: bool(now < limit), 0
        )
        if end == "finished":
            yield gatherer.last_part()
            return
        assert gatherer.has_new_checkpoint()
        yield gatherer.part()
        if stop_after(episodes):
            return


def test_a_collected_record_can_be_resumed_after_any_part(tmp_path: Path) -> None:
    """By the program, to the bytes of an unbroken run: the driver may be killed at any moment."""
    file = write(tmp_path, SMALL.replace('stop = "solved"', ""))
    whole = make_with_program(file, tmp_path / "whole")
    cell = read_sweep(file)[0]
    for last in (10, 20, 30):
        out = tmp_path / f"collected-{last}"
        with CollectedRecord(out / cell.folder) as record:
            made = tmp_path / f"made-{last}" / "seed-1"
            for part in parts_of(cell, made, last.__le__):
                record.take(part)
            with pytest.raises(vapor.InputError, match="another process"):
                CollectedRecord(out / cell.folder)
        finished = json.loads((out / cell.folder / "run.json").read_text())["status"]
        assert finished == ("finished" if last == 30 else "running")
        assert make_with_program(file, out) == whole


def test_a_record_goes_on_from_its_state(tmp_path: Path) -> None:
    """What is lost with a node is not there twice when another goes on."""
    file = write(tmp_path, SMALL.replace('stop = "solved"', ""))
    whole = make_with_program(file, tmp_path / "whole")
    cell = read_sweep(file)[0]
    with CollectedRecord(tmp_path / "out" / cell.folder) as record:
        assert record.state() == {}
        for part in parts_of(cell, tmp_path / "first" / "seed-1", lambda episodes: episodes >= 10):
            record.take(part)
        second = tmp_path / "second" / "seed-1"
        second.mkdir(parents=True)
        state = record.state()
        assert set(state) == {"run.json", "episodes.csv", "timing.csv", "checkpoint"}
        for name, text in state.items():
            (second / name).write_bytes(text)
        count = 10
        for part in parts_of(cell, second, lambda episodes: False, 10):
            count = part.episodes_after(count)
            record.take(part)
    assert count == 25
    assert promised_files(tmp_path / "out") == {
        name: text for name, text in whole.items() if name.startswith(cell.folder + "/")
    }


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
agents = ["vapor-lite:hidden=8", "vapor-lit"]
episodes = 12
""",
    )
    local = subprocess.run([VAPOR, "sweep", file, "--out", tmp_path / "local", "--quiet"])
    assert local.returncode == 1  # vapor-lit
    out = tmp_path / "ray"
    cell = read_sweep(file)[0]
    # Begun by hand, up to episode 70, with a tail beyond the checkpoint that does not stand.
    with CollectedRecord(out / cell.folder) as record:
        for part in parts_of(cell, tmp_path / "made" / "seed-1", lambda episodes: episodes >= 70):
            record.take(part)
    with (out / cell.folder / "episodes.csv").open("ab") as torn:
        torn.write(b"71,0.1,0.2")
    results = vapor.sweep(file, engine="ray", address=cluster.address, out=out)
    assert [result.status for result in results] == ["finished", "finished", "failed"]
    assert results[2].error.startswith("--agent: must be one of ")
    assert results[2].error.endswith("(did you mean vapor-lite?); see vapor train --help")
    assert "started again" not in capfd.readouterr().err  # bad input stays bad

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
