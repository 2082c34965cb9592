"""Sweeps: the file, the local engine, and records in parts."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from sweep_files import LONG, SMALL, VAPOR, make_with_program, parts_of, promised_files, write

import vapor
from vapor import _core
from vapor.sweeps import read_sweep
from vapor.sweeps.parts import CollectedRecord


def test_cells_are_those_of_the_program(tmp_path: Path) -> None:
    file = write(tmp_path, SMALL)
    said = subprocess.run(
        [VAPOR, "sweep", file, "--out", tmp_path, "--dry-run", "--json"],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    rows = json.loads(said.stdout)["cells"]
    cells = read_sweep(file)
    assert [str(tmp_path / cell.folder) for cell in cells] == [row["folder"] for row in rows]
    names = ("env", "agent", "belief", "episodes", "seed", "stop", "snapshot_every", "tolerance")
    assert [cell.definition for cell in cells] == [
        {name: row[name] for name in names if name in row} for row in rows
    ]
    assert all(cell.definition["tolerance"] == 0.01 for cell in cells if cell.definition["agent"] == "vapor")
    assert cells[0].varied == {"depth": "4"}


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
        assert result.run.definition["seed"] == result.cell.definition["seed"]
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


def test_the_absence_of_the_program_is_told_before_the_work(
    tmp_path: Path, no_program: None
) -> None:
    said = r"vapor: a sweep of this machine .*VAPOR_COMMAND.* PATH; pip installs it .* \./run"
    with pytest.raises(vapor.InputError, match=said):
        vapor.sweep(write(tmp_path, SMALL), out=tmp_path / "out")
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


def test_a_cell_that_another_process_makes_is_waited_for(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path, SMALL.replace('"river_swim"', '"toy_chain"'))
    cell = read_sweep(file)[0]
    held = CollectedRecord(tmp_path / "out" / cell.folder)
    threading.Timer(3.0, held.close).start()
    results = vapor.sweep(file, out=tmp_path / "out")
    assert [result.status for result in results] == ["finished"] * 12
    said = capfd.readouterr().err
    assert f"{cell.folder}: is in use by another process; waiting for it" in said


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
    said = subprocess.run(
        [VAPOR, "sweep", file, "--out", out, "--quiet", "--json"], capture_output=True, text=True
    )
    if difference:
        assert said.returncode == 2 and difference in said.stderr
        for engine in ("local", "ray"):
            with pytest.raises(vapor.InputError, match=re.escape(difference)):
                vapor.sweep(file, out=out, engine=engine)
    else:
        (row,) = json.loads(said.stdout)["cells"]
        assert row["was_finished"]
        (result,) = vapor.sweep(file, out=out)
        assert result.status == "was_finished"
    assert promised_files(out) == kept


def test_a_training_by_frames_is_known_to_be_finished(tmp_path: Path) -> None:
    """With every setting that `vapor train` writes; of another one it is not."""
    cell = read_sweep(
        write(tmp_path, TRAINING.replace("deep_sea:depth=4", "minatar:game=breakout"))
    )[0]
    folder = tmp_path / cell.folder
    folder.mkdir(parents=True)
    definition = {
        "env": "minatar:game=breakout", "agent": "vapor-lite:hidden=8", "frames": 1_000_000, "seed": 1, "places": 8,
        "actors": 0, "clip_rewards": True, "checkpoint_frames": 50_000,
    }  # fmt: skip
    run = {"format": "vapor-run", "format_version": 2, "version": _core.version()}
    text = json.dumps(run | {"command": "", "status": "finished", "definition": definition})
    (folder / "run.json").write_text(text)
    assert cell.is_finished(tmp_path)
    (folder / "run.json").write_text(text.replace('"places": 8', '"places": 4'))
    with pytest.raises(vapor.InputError, match="places: is 4 in this run, 8 was asked for"):
        cell.is_finished(tmp_path)


def test_cells_end_with_the_process_that_started_them(tmp_path: Path) -> None:
    file = write(tmp_path, TRAINING + "episodes = 1000000\ncheckpoint_every = 1000000")
    code = "import sys, vapor; vapor.sweep(sys.argv[1], out=sys.argv[2])"
    parent = subprocess.Popen([sys.executable, "-c", code, file, tmp_path / "out"])
    deadline = time.monotonic() + 120
    folder = tmp_path / "out" / read_sweep(file)[0].folder
    while not (folder / "episodes.csv").exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    children = Path(f"/proc/{parent.pid}/task/{parent.pid}/children").read_text().split()
    parent.kill()
    parent.communicate()
    assert children
    for child in children:
        status = Path("/proc") / child / "status"
        while status.exists() and "State:\tZ" not in status.read_text():
            assert time.monotonic() < deadline
            time.sleep(0.05)


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
