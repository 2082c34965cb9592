"""Every reader of the package, and the arrays and bytes that go into its library, fed with what
nobody would write: InputError (or TypeError, of a wrong type) is all that may come out, and what is
read is written and read again to the same bits.

A mutator of our own rather than a coverage-guided one: what an NPZ archive holds is behind a CRC
and a compression, which random bytes do not get past, and what matters lies in the zip directory,
in the text of an array's header and in the numbers. Under `./test full` the same runs with the
library built with the address and undefined-behaviour sanitisers (sanitised/python)."""

import io
import os
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import vapor._core as _core

import vapor

ROUNDS = int(os.environ.get("VAPOR_FUZZ_ROUNDS", "400"))
Random = np.random.Generator
EXTREMES = [0, -1, 1, 2, -0.0, 1e-320, 1e300, -1e300, np.inf, -np.inf, np.nan, 2**31 - 1, 2**53]
DTYPES = ["f8", ">f8", "f4", "i4", "i8", "u8", "u1", "?", "c16", "M8[s]", "U3", "S2", "V4"]


def ragged(random: Random) -> vapor.Problem:
    return vapor.random_problem(
        layers=int(random.integers(1, 4)),
        states=int(random.integers(1, 4)),
        actions=2,
        successors=1,
        base_weight=float(random.choice([0.0, 0.4])),
        seed=int(random.integers(1, 100)),
    )


def changed_array(random: Random, array: Any) -> Any:
    array = np.array(array)
    kind = random.integers(0, 7)
    if kind == 0 and array.size:
        flat = array.reshape(-1)
        with np.errstate(all="ignore"):
            value = np.array(EXTREMES[random.integers(0, len(EXTREMES))])
            flat[random.integers(0, flat.size)] = value.astype(array.dtype)
        return array
    if kind == 1:
        with np.errstate(all="ignore"):
            try:
                return array.astype(DTYPES[random.integers(0, len(DTYPES))])
            except (TypeError, ValueError):
                return np.zeros(0)
    if kind == 2:
        return array[: random.integers(0, array.size + 1)] if array.ndim else array
    if kind == 3:
        return np.concatenate([array.reshape(-1)] * int(random.integers(2, 4)))
    if kind == 4:
        return array.reshape((1,) * int(random.integers(0, 3)) + array.shape)
    if kind == 5:
        return array[::-1] if array.ndim else array
    raw = bytearray(array.tobytes())
    if raw and not array.dtype.hasobject:
        raw[random.integers(0, len(raw))] ^= 1 << random.integers(0, 8)
        return np.frombuffer(bytes(raw), dtype=array.dtype).reshape(array.shape)
    return array


def npy(random: Random, array: Any, lie: bool) -> bytes:
    """An array as a member of an archive; with a lie its header or its data are other than it."""
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, np.asarray(array), allow_pickle=False)
    content = buffer.getvalue()
    kind = random.integers(0, 9) if lie else -1
    header_bytes = struct.unpack("<H", content[8:10])[0]
    header, data = content[10 : 10 + header_bytes].decode("latin1"), content[10 + header_bytes :]
    lies = {
        0: ("'shape': (", f"'shape': ({2 ** int(random.integers(20, 62))}, "),
        1: ("'shape': (", "'shape': (-1, "),
        2: ("'fortran_order': False", "'fortran_order': True"),
        3: ("'descr': '", "'descr': '|O"),
        4: ("{", "__import__('os').abort() or {"),
        5: ("'shape'", "'shapes'"),
        6: ("<", "|"),
    }
    if kind in lies:
        header = header.replace(*lies[int(kind)])
    if kind == 7:
        data = data[: len(data) // 2]
    if kind == 8:
        data += b"\0" * 100
    return content[:8] + struct.pack("<H", len(header)) + header.encode("latin1") + data


def archive_of(random: Random, arrays: dict[str, Any]) -> bytes:
    """The arrays as an NPZ archive with correct checksums, after some changes or none."""
    names = list(arrays)
    for _ in range(random.integers(0, 3)):
        name = names[random.integers(0, len(names))]
        arrays = {**arrays, name: changed_array(random, arrays[name])}
    liar = names[random.integers(0, len(names))] if random.random() < 0.3 else ""
    members = [(f"{name}.npy", npy(random, array, name == liar)) for name, array in arrays.items()]
    kind = random.integers(0, 9)
    at = int(random.integers(0, len(members)))
    if kind == 0:
        members.append(members[at])
    if kind == 1:
        members.append(("../../outside.npy", members[at][1]))
    if kind == 2:
        members[at] = ("/" + members[at][0], members[at][1])
    if kind == 3:
        members[at] = (members[at][0], random.bytes(random.integers(0, 100)))
    if kind == 4:
        del members[at]
    buffer = io.BytesIO()
    with np.errstate(all="ignore"), zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(zipfile.ZipInfo(name), content)
    content = bytearray(buffer.getvalue())
    if kind == 5:
        content[random.integers(0, len(content))] ^= 1 << random.integers(0, 8)
    if kind == 6:
        content = content[: random.integers(0, len(content))]
    return bytes(content)


def attempt(read: Callable[[], Any]) -> Any:
    """What is read, or None if it is refused; anything else comes out."""
    try:
        return read()
    except vapor.InputError as error:
        assert str(error)
        return None


@pytest.mark.filterwarnings("ignore")
def test_npz_archives(tmp_path: Path) -> None:
    random = np.random.default_rng(1)
    path, again = tmp_path / "in.npz", tmp_path / "again.npz"
    read = 0
    for _ in range(ROUNDS):
        ragged(random).write(path)
        with np.load(path) as archive:
            arrays = dict(archive)
        path.write_bytes(archive_of(random, arrays))
        problem = attempt(lambda: vapor.Problem.read(path))
        if problem is None:
            continue
        read += 1
        problem.write(again)
        for mine, theirs in zip(problem.tables, vapor.Problem.read(again).tables, strict=True):
            assert mine.tobytes() == theirs.tobytes()
        assert vapor.solve(problem, max_iterations=1).gap >= 0
    assert ROUNDS // 20 < read < ROUNDS  # neither all of it nor nothing
    assert sorted(file.name for file in tmp_path.iterdir()) == ["again.npz", "in.npz"]
    assert not (tmp_path.parent.parent / "outside.npy").exists()


@pytest.mark.filterwarnings("ignore")
def test_policies(tmp_path: Path) -> None:
    random = np.random.default_rng(2)
    learned = vapor.learn("FrozenLake-v1", horizon=5, episodes=3, seed=1, out=tmp_path / "run")
    del learned
    path = next((tmp_path / "run").glob("**/policy.npz"))
    with np.load(path) as archive:
        arrays = dict(archive)
    read = 0
    for _ in range(ROUNDS // 2):
        path.write_bytes(archive_of(random, arrays))
        policy = attempt(lambda: vapor.load(path.parent))
        read += policy is not None
    assert 0 < read < ROUNDS // 2


@pytest.mark.filterwarnings("ignore")
def test_arrays_into_the_library() -> None:
    random = np.random.default_rng(3)
    made = 0
    for _ in range(ROUNDS):
        tables: dict[str, Any] = {
            "reward_mean": random.normal(size=(2, 3, 2)),
            "sigma": random.random((2, 3, 2)),
            "transitions": np.full((1, 3, 2, 3), 1 / 3),
            "initial": np.full(3, 1 / 3),
        }
        name = list(tables)[random.integers(0, len(tables))]
        tables[name] = changed_array(random, tables[name])
        start = changed_array(random, np.full((2, 3, 2), 0.5))
        try:
            problem = vapor.Problem(**tables)
            made += 1
            vapor.solve(problem, max_iterations=1, warm_start=start)
        except (vapor.InputError, TypeError) as error:
            assert str(error)
    assert ROUNDS // 20 < made < ROUNDS


def test_states_as_bytes() -> None:
    random = np.random.default_rng(4)
    problem = ragged(random)
    solution = vapor.solve(problem)
    state = solution.native.save()
    for _ in range(ROUNDS):
        content = bytearray(state)
        for _ in range(random.integers(1, 4)):
            content[random.integers(0, len(content))] ^= 1 << random.integers(0, 8)
        cut = content[: random.integers(0, len(content) + 1)] if random.random() < 0.3 else content
        native = attempt(lambda content=cut: _core.solution_of(bytes(content)))
        if native is not None:
            assert native.save() == bytes(cut)


def test_specs_and_names() -> None:
    random = np.random.default_rng(5)
    words = ["deep_sea", ":", "depth", "=", "3", ",", "\0", "é", "\u202e", "-1", "1e9", " ", "{x}"]
    for _ in range(ROUNDS):
        text = "".join(random.choice(words, size=random.integers(0, 8)))
        if "33" in text or "1e9" in text:  # sizes, not texts
            continue
        attempt(lambda text=text: vapor.Environment(text))


@pytest.mark.full
def test_npz_archives_for_longer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "ROUNDS", 20_000)
    test_npz_archives(tmp_path)
