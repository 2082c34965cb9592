"""Problems as NPZ files: the same bits back, and errors that name file and array."""

import os
import pickle
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vapor
import vapor.npz


def ragged() -> vapor.Problem:
    return vapor.Problem(
        reward_mean=[[[0.1, 0.2]], [[1.0], [0.5, -0.5, 1 / 3]]],
        sigma=[[[0.0, 2.0]], [[1.0], [0.5, 0.5, 1e-9]]],
        transitions=[np.array([[[0.9, 0.1], [0.3, 0.7]]])],
    )


@pytest.mark.parametrize(
    "problem",
    [
        ragged(),
        vapor.random_problem(layers=1),
        vapor.random_problem(seed=2),
        vapor.random_problem(base_weight=0.3, zero_sigma_share=0.5, seed=3),
        vapor.random_problem(layers=40, states=12, base_weight=1 / 3, seed=4),
    ],
)
def test_a_problem_is_read_back_to_the_same_bits(problem: vapor.Problem, tmp_path: Path) -> None:
    path = tmp_path / "problem.npz"
    problem.write(path)
    again = vapor.Problem.read(path)
    for mine, theirs in zip(problem.tables, again.tables, strict=True):
        assert mine.dtype == theirs.dtype
        assert mine.tobytes() == theirs.tobytes()
    assert vapor.solve(again).value == vapor.solve(problem).value
    assert [file.name for file in tmp_path.iterdir()] == ["problem.npz"]


def arrays(tmp_path: Path) -> dict[str, Any]:
    path = tmp_path / "good.npz"
    ragged().write(path)
    with np.load(path) as archive:
        return dict(archive)


CHANGES: list[tuple[str, Any, str]] = [
    ("sigma", None, "sigma: is missing"),
    ("more", np.zeros(1), "has arrays that are no part of a problem: more"),
    ("sigma", np.zeros(6, dtype=np.float32), "sigma: must be of dtype float64, is float32"),
    ("sigma", np.zeros((3, 2)), r"sigma: must have one dimension, has shape \(3, 2\)"),
    ("sigma", np.zeros(5), "sigma: must have 6 entries, has 5"),
    ("sigma", np.array([0, 1, 2, np.nan, 4, 5.0]), r"sigma\[3\]: must be finite, got nan"),
    ("sigma", -np.ones(6), "sigma"),
    ("initial", np.array([0.5]), "initial"),
    ("states", np.array([1, -2], dtype=np.int32), "states: must have entries, all >= 1"),
    ("states", np.array([], dtype=np.int32), "states: must have entries"),
    ("actions", np.array([2**31 - 1] * 3, dtype=np.int32), "reward_mean: must have"),
    ("begin", np.array([0, 2, 1, 4, 4, 4, 4]), "begin: must rise from 0 to the 4 entries"),
    ("begin", np.array([0, 0, 0, 0, 2, 4, 4]), r"next_state\[0\]: is 0; the next layer has 0"),
    (
        "next_state",
        np.array([0, 1, 0, 2**31 - 1], dtype=np.int32),
        r"next_state\[3\]: is 2147483647; the next layer has 2 states",
    ),
    ("probability", np.array([0.9, 0.3, 0.3, 0.7]), "sum"),
    ("format", np.array("something"), "format: must be vapor-problem"),
    ("format", None, "format: must be vapor-problem"),
    ("format_version", np.array(2), "format_version: is 2; this version reads 1"),
    ("format_version", np.array("1"), "format_version: must be a whole number"),
    ("sigma", np.array([{}] * 6, dtype=object), "sigma: cannot be read: Object arrays"),
]


@pytest.mark.parametrize(("name", "value", "message"), CHANGES)
def test_what_is_wrong_is_named(name: str, value: Any, message: str, tmp_path: Path) -> None:
    changed = arrays(tmp_path)
    if value is None:
        del changed[name]
    else:
        changed[name] = value
    path = tmp_path / "bad.npz"
    np.savez(path, allow_pickle=True, **changed)
    with pytest.raises(vapor.InputError, match=rf"bad\.npz: .*{message}"):
        vapor.Problem.read(path)


def test_a_cut_file_is_an_error_at_every_length(tmp_path: Path) -> None:
    whole = tmp_path / "whole.npz"
    ragged().write(whole)
    content = whole.read_bytes()
    path = tmp_path / "cut.npz"
    for length in range(0, len(content), 7):
        path.write_bytes(content[:length])
        with pytest.raises(vapor.InputError, match=r"cut\.npz"):
            vapor.Problem.read(path)


def test_a_changed_byte_never_gives_another_problem(tmp_path: Path) -> None:
    whole = tmp_path / "whole.npz"
    problem = ragged()
    problem.write(whole)
    content = whole.read_bytes()
    path = tmp_path / "changed.npz"
    for at in range(0, len(content), 5):
        path.write_bytes(content[:at] + bytes([content[at] ^ 0x55]) + content[at + 1 :])
        try:
            again = vapor.Problem.read(path)
        except vapor.InputError:
            continue
        # A byte that means nothing, such as a date: the arrays have checksums.
        for mine, theirs in zip(problem.tables, again.tables, strict=True):
            assert mine.tobytes() == theirs.tobytes()


def test_files_that_are_something_else_are_refused(tmp_path: Path) -> None:
    text, one, pickled = (tmp_path / f"{name}.npz" for name in ("text", "one", "pickled"))
    text.write_text("states: 3")
    with open(one, "wb") as file:
        np.save(file, np.zeros(3))
    pickled.write_bytes(pickle.dumps({"states": 3}))
    zipped = tmp_path / "zipped.npz"
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.writestr("states.npy", "not an array")
    for path in (text, one, pickled, zipped, tmp_path / "none.npz", tmp_path):
        with pytest.raises(vapor.InputError, match=path.name):
            vapor.npz.read_npz(path)
    with pytest.raises(vapor.InputError, match="cannot be written"):
        ragged().write(tmp_path / "no such folder" / "problem.npz")


class Trap:
    """Makes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return Path.touch, (self.path,)


def test_a_pickle_in_an_archive_is_not_opened(tmp_path: Path) -> None:
    sprung, path = tmp_path / "sprung", tmp_path / "bad.npz"
    trap = np.array([Trap(sprung)] * 6, dtype=object)
    np.savez(path, allow_pickle=True, **{**arrays(tmp_path), "sigma": trap})
    with pytest.raises(vapor.InputError, match=r"sigma: cannot be read"):
        vapor.Problem.read(path)
    path.write_bytes(pickle.dumps(Trap(sprung)))
    with pytest.raises(vapor.InputError, match="is not an NPZ archive"):
        vapor.Problem.read(path)
    assert not sprung.exists()
    pickle.loads(path.read_bytes())
    assert sprung.exists()  # the trap works


def test_sizes_are_refused_before_they_are_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = tmp_path / "one.npz"
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000000,), }\n"
    one.write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header)
    with pytest.raises(vapor.InputError, match="is a single array"):
        vapor.Problem.read(one)
    bomb = tmp_path / "bomb.npz"
    np.savez_compressed(bomb, **{**arrays(tmp_path), "sigma": np.zeros(1_000_000)})
    assert bomb.stat().st_size < 20_000
    monkeypatch.setattr(vapor.npz, "_machine_memory", lambda: 4_000_000)
    with pytest.raises(vapor.InputError, match="unpacks to 80.* bytes, more than half"):
        vapor.Problem.read(bomb)
    monkeypatch.setattr(vapor.npz, "_machine_memory", lambda: 2**40)
    with pytest.raises(vapor.InputError, match="sigma: must have 6 entries, has 1000000"):
        vapor.Problem.read(bomb)


def test_a_pipe_in_place_of_a_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.npz")
    with pytest.raises(vapor.InputError, match=r"pipe\.npz: is not a regular file"):
        vapor.npz.read_arrays(str(tmp_path / "pipe.npz"), "vapor-policy", (), {})


def test_families_are_refused_and_not_dropped(tmp_path: Path) -> None:
    file = tmp_path / "arms.json"
    file.write_text(
        '{"format": "vapor-problem", "version": 1, "initial": [1], "layers": [{'
        '"reward_mean": [[0.5, 0.25]], "sigma": [[0.5, null]],'
        '"belief": [[null, {"family": "beta", "alpha": 1, "beta": 3}]]}]}'
    )
    problem = vapor.Problem.read(file)
    with pytest.raises(vapor.InputError, match="belief: NPZ has no place for families"):
        problem.write(tmp_path / "arms.npz")
    assert not (tmp_path / "arms.npz").exists()
    with pytest.raises(vapor.InputError, match="belief: a pickle has no place for families"):
        pickle.dumps(problem)
    problem.write(tmp_path / "again.json")
    again = vapor.Problem.read(tmp_path / "again.json")
    assert vapor.solve(again).value == pytest.approx(vapor.solve(problem).value, rel=2e-9)
