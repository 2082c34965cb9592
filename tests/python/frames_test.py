"""Records as frames of pandas and polars."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

import vapor


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("records")
    for agent in ("vapor", "epsilon-greedy"):
        vapor.run("deep_sea:depth=5", agent, episodes=12, seeds=2, out=out / "sea" / agent)
    vapor.run("river_swim:horizon=5", "thompson", episodes=7, out=out / "river")
    return out


FIELDS = ["env", "agent", "belief", "episodes", "seed", "stop", "snapshot_every", "tolerance"]
COLUMNS = ["folder", "finished", "episode", "return", "value", "regret", "success", "seconds"]


def test_every_run_below_a_folder_is_read_once(folder: Path) -> None:
    records = vapor.read_records(folder)
    assert len(records) == 5
    assert records.left_out == []
    twice = vapor.read_records([folder, folder / "sea", str(folder / "river")])
    assert [run.folder for run in twice] == [run.folder for run in records]
    with pytest.raises(vapor.InputError, match="no such folder"):
        vapor.read_records(folder / "no such folder")


def test_pandas_has_a_row_an_episode(folder: Path) -> None:
    frame = vapor.read_records(folder).to_pandas()
    assert list(frame.columns) == FIELDS + COLUMNS
    assert len(frame) == 4 * 12 + 7
    assert frame.seed.dtype == np.int64
    assert frame.episode.dtype == np.int64
    assert frame.finished.all()
    assert (frame.seconds >= 0).all()
    for run in vapor.read_records(folder):
        rows = frame[frame.folder == str(run.folder)]
        assert rows.episode.tolist() == list(range(1, len(rows) + 1))
        assert rows["return"].tolist() == run.episodes["return"].tolist()
        assert set(rows.agent) == {run.definition["agent"]}
    by_agent = frame[frame.env == "deep_sea:depth=5"].groupby("agent").regret.sum()
    assert by_agent["vapor"] < by_agent["epsilon-greedy"]


def test_polars_has_the_same_rows(folder: Path) -> None:
    records = vapor.read_records(folder)
    frame, other = records.to_polars(), records.to_pandas()
    assert frame.columns == list(other.columns)
    for name in frame.columns:
        # Fields that only some runs have are NaN elsewhere.
        np.testing.assert_array_equal(frame[name].to_list(), other[name].tolist())


def test_a_run_without_a_column_has_nothing_there(folder: Path) -> None:
    one, two = vapor.read_records(folder / "river")[0], vapor.read_records(folder / "sea")[0]
    shorter = vapor.Run(
        one.folder,
        {"env": "elsewhere", "return": [1, 2]},
        one.command,
        one.version,
        False,
        {"episode": one.episodes["episode"], "return": one.episodes["return"]},
        {},
    )
    frame = vapor.Records([shorter, two]).to_pandas()
    assert frame["regret"].isna().tolist() == [True] * 7 + [False] * 12
    assert frame["agent"].isna().tolist() == [True] * 7 + [False] * 12
    assert frame["definition.return"].tolist()[:7] == ["[1, 2]"] * 7
    assert vapor.Records([shorter, two]).to_polars()["regret"].is_nan().sum() == 7


def test_numbers_of_the_definition_are_numbers_also_where_some_are_missing(folder: Path) -> None:
    one, two = vapor.read_records(folder)[:2]

    def made_of(run: vapor.Run, **definition: object) -> vapor.Run:
        return dataclasses.replace(run, definition=definition)

    records = vapor.Records(
        [
            made_of(one, seed=3, rate=0.5, both=1, frames=200, word="a", gone=None, flag=True),
            made_of(two, seed=4, rate=0.25, both=0.5, gone=None),
        ]
    )
    columns, frame = records.columns(), records.to_pandas()
    counts = len(one.episodes["episode"]), len(two.episodes["episode"])
    kinds = {name: str(columns[name].dtype) for name in list(columns)[:7]}
    assert kinds == {
        "seed": "int64", "rate": "float64", "both": "float64", "frames": "float64",
        "word": "object", "gone": "object", "flag": "object",
    }  # fmt: skip
    assert frame.rate.tolist() == [0.5] * counts[0] + [0.25] * counts[1]
    assert frame.frames.iloc[: counts[0]].tolist() == [200.0] * counts[0]
    assert np.isnan(frame.frames.iloc[counts[0] :]).all()
    assert columns["word"].tolist() == ["a"] * counts[0] + [None] * counts[1]
    assert str(records.to_polars()["frames"].dtype) == "Float64"


def test_no_runs_are_no_rows(tmp_path: Path) -> None:
    records = vapor.read_records(tmp_path)
    assert records == []
    assert len(records.to_pandas()) == len(records.to_polars()) == 0


def test_what_cannot_be_read_is_listed(folder: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad"
    bad.mkdir()
    (bad / "run.json").write_text("{")
    records = vapor.read_records([folder / "river", tmp_path])
    assert len(records) == 1
    ((path, reason),) = records.left_out
    assert path == str(bad)
    assert "run.json" in reason
