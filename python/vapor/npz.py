"""Problems as NPZ files: NumPy's archive of named arrays, for problems too large for JSON.

============== ======== ============== ===========================================================
array          dtype    shape          meaning
============== ======== ============== ===========================================================
format         unicode  ()             ``vapor-problem``
format_version int64    ()             1
states         int32    (layers,)      how many states a layer has
actions        int32    (states,)      how many actions a state has, over all layers
initial        float64  (states of the first layer,)
reward_mean    float64  (pairs,)       by pair, numbered through all states
sigma          float64  (pairs,)
begin          int64    (pairs + 1,)   the successors of pair p are the entries begin[p], ...
next_state     int32    (entries,)     numbered within its layer
probability    float64  (entries,)
base_weight    float64  (pairs,)       P = sparse part + base_weight x base (docs/problem-file.md)
base           float64  (states,)
============== ======== ============== ===========================================================

A problem with constraints has also, all of them or none:

======================= ======== =============== ==================================================
constraint_name         unicode  (constraints,)
constraint_sense        unicode  (constraints,)  ``<=``, ``>=`` or ``=``
constraint_bound        float64  (constraints,)
constraint_terms        int64    (constraints,)  how many terms a constraint has
constraint_pair         int32    (terms,)        of all constraints, in order
constraint_coefficient  float64  (terms,)
======================= ======== =============== ==================================================

A stationary problem has also:

======================= ======== =============== ==================================================
discount                float64  (1,)            its states are one layer, which leads to itself
======================= ======== =============== ==================================================

The arrays are those of :attr:`vapor.Problem.tables`, and are read back to the same bits.
"""

from __future__ import annotations

import os
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from .errors import InputError, refuse_other_than_file, wrong
from .problem import Problem, Stated, Tables, problem_of_tables

_FORMAT = "vapor-problem"
_VERSION = 1
_MOST_ARRAYS = 1000
_DTYPES: dict[str, type[np.generic]] = {
    "states": np.int32,
    "actions": np.int32,
    "initial": np.float64,
    "reward_mean": np.float64,
    "sigma": np.float64,
    "begin": np.int64,
    "next_state": np.int32,
    "probability": np.float64,
    "base_weight": np.float64,
    "base": np.float64,
}

_CONSTRAINT_DTYPES: dict[str, type[np.generic]] = {
    "constraint_name": np.str_,
    "constraint_sense": np.str_,
    "constraint_bound": np.float64,
    "constraint_terms": np.int64,
    "constraint_pair": np.int32,
    "constraint_coefficient": np.float64,
}


_DISCOUNT_DTYPES: dict[str, type[np.generic]] = {"discount": np.float64}


def write_npz(path: str | os.PathLike[str], problem: Problem) -> None:
    """Writes a problem, beside the file first, so that a reader never sees a part of it."""
    problem.refuse_families("NPZ")
    arrays: dict[str, npt.NDArray[Any]] = dict(zip(_DTYPES, problem.tables, strict=True))
    if problem.discount is not None:
        arrays["discount"] = np.array([problem.discount])
    stated = problem.stated_constraints
    if stated:
        names, senses, bounds, pairs, coefficients = zip(*stated, strict=True)
        columns = (
            np.array(names),
            np.array(senses),
            np.array(bounds, dtype=np.float64),
            np.array([len(each) for each in pairs], dtype=np.int64),
            np.concatenate(pairs),
            np.concatenate(coefficients),
        )
        arrays.update(zip(_CONSTRAINT_DTYPES, columns, strict=True))
    write_arrays(path, _FORMAT, arrays)


def write_arrays(
    path: str | os.PathLike[str], kind: str, arrays: dict[str, npt.NDArray[Any]]
) -> None:
    """Writes a file of named arrays with its ``format`` and version, aside first."""
    name = os.fspath(path)
    aside = f"{name}.{os.getpid()}.tmp"
    named: dict[str, Any] = dict(arrays)
    try:
        with open(aside, "wb") as file:
            np.savez_compressed(
                file,
                allow_pickle=False,
                format=np.array(kind),
                format_version=np.array(_VERSION),
                **named,
            )
        os.replace(aside, name)
    except OSError as error:
        raise wrong(name, f"cannot be written: {error.strerror}") from None
    finally:
        if os.path.exists(aside):
            os.remove(aside)


def read_npz(path: str | os.PathLike[str]) -> Problem:
    """Reads a problem; raises :class:`vapor.InputError` that names the file and the array."""
    name = os.fspath(path)
    _, tables = read_arrays(name, _FORMAT, (), _DTYPES, _DISCOUNT_DTYPES, _CONSTRAINT_DTYPES)
    gamma = tables.pop("discount", None)
    if gamma is not None and (len(gamma) != 1 or len(tables["states"]) != 1):
        raise wrong(f"{name}: discount", "must be one number and stand with one layer")
    stated = _constraints_of(name, {key: tables.pop(key) for key in list(tables)[len(_DTYPES) :]})
    _check_sizes(name, tables, gamma is not None)
    discount = None if gamma is None else float(gamma[0])
    try:
        return problem_of_tables(cast(Tables, tuple(tables.values())), stated, discount)
    except InputError as error:
        raise wrong(name, str(error)) from None


def read_arrays(
    name: str,
    kind: str,
    words: Sequence[str],
    dtypes: Mapping[str, type[np.generic]],
    *optional: Mapping[str, type[np.generic]],
) -> tuple[dict[str, str], dict[str, npt.NDArray[Any]]]:
    """The words and the arrays ``(n,)`` of a file of this format, which has these and no others.

    The optional ones of a group are there all together or not at all.
    """
    arrays = _arrays_of(name)
    _check_version(name, kind, arrays)
    for group in optional:
        if not set(arrays).isdisjoint(group):
            dtypes = {**dtypes, **group}
    tables = {key: _table(name, arrays, key, np.dtype(dtypes[key])) for key in dtypes}
    unknown = sorted(set(arrays) - set(dtypes) - set(words) - {"format", "format_version"})
    if unknown:
        part_of = kind.removeprefix("vapor-")
        raise wrong(name, f"has arrays that are no part of a {part_of}: {', '.join(unknown)}")
    return {key: _word(name, arrays, key) for key in words}, tables


def _word(name: str, arrays: dict[str, npt.NDArray[Any]], key: str) -> str:
    if key not in arrays or arrays[key].shape != () or arrays[key].dtype.kind != "U":
        raise wrong(f"{name}: {key}", "must be a word")
    return str(arrays[key])


def _machine_memory() -> int:
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def _expect_room(name: str, archive: zipfile.ZipFile) -> None:
    """Refuses what would not fit: sizes are what the archive says, and zlib gives no more."""
    total = sum(member.file_size for member in archive.infolist())
    if total > _machine_memory() // 2:
        raise wrong(name, f"unpacks to {total} bytes, more than half the memory of this machine")
    if len(archive.infolist()) > _MOST_ARRAYS:
        raise wrong(name, f"holds {len(archive.infolist())} files, more than {_MOST_ARRAYS}")


def _arrays_of(name: str) -> dict[str, npt.NDArray[Any]]:
    refuse_other_than_file(name)
    try:
        with open(name, "rb") as file:
            if file.read(6) == b"\x93NUMPY":  # before its header can ask for memory
                raise wrong(name, "is a single array, not an NPZ archive")
        archive = np.load(name, allow_pickle=False)
        if not isinstance(archive, np.lib.npyio.NpzFile):
            raise wrong(name, "is a single array, not an NPZ archive")
        with archive:
            if archive.zip is not None:
                _expect_room(name, archive.zip)
            return {key: _loaded(name, archive, key) for key in archive.files}
    except OSError as error:
        raise wrong(name, f"cannot be read: {error.strerror or error}") from None
    except (zipfile.BadZipFile, EOFError, NotImplementedError):
        raise wrong(name, "is damaged: not a whole NPZ archive") from None
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise wrong(name, "is not an NPZ archive") from None


def _loaded(name: str, archive: Any, key: str) -> npt.NDArray[Any]:
    try:
        value = archive[key]
    except Exception as error:  # whatever a damaged header leads zipfile, zlib and NumPy to
        raise wrong(f"{name}: {key}", f"cannot be read: {error}") from None
    if not isinstance(value, np.ndarray):
        raise wrong(f"{name}: {key}", "is not an array")
    return value


def _check_version(name: str, kind: str, arrays: dict[str, npt.NDArray[Any]]) -> None:
    there = arrays.get("format")
    if there is None or there.shape != () or there.dtype.kind != "U" or str(there) != kind:
        raise wrong(f"{name}: format", f"must be {kind}; is it such a file?")
    version = arrays.get("format_version")
    if version is None or version.shape != () or version.dtype.kind not in "iu":
        raise wrong(f"{name}: format_version", "must be a whole number")
    if not 1 <= int(version) <= _VERSION:
        raise wrong(f"{name}: format_version", f"is {int(version)}; this version reads {_VERSION}")


def _table(
    name: str, arrays: dict[str, npt.NDArray[Any]], key: str, dtype: np.dtype[Any]
) -> npt.NDArray[Any]:
    if key not in arrays:
        raise wrong(f"{name}: {key}", "is missing")
    array = arrays[key]
    if array.dtype.newbyteorder("=") != dtype and not array.dtype.kind == dtype.kind == "U":
        raise wrong(f"{name}: {key}", f"must be of dtype {dtype}, is {array.dtype}")
    if array.ndim != 1:
        raise wrong(f"{name}: {key}", f"must have one dimension, has shape {array.shape}")
    native = np.ascontiguousarray(array, dtype=None if dtype.kind == "U" else dtype)
    if dtype.kind == "f" and not np.isfinite(native).all():
        at = int(np.flatnonzero(~np.isfinite(native))[0])
        raise wrong(f"{name}: {key}[{at}]", f"must be finite, got {native[at]}")
    return native


def _constraints_of(name: str, tables: dict[str, npt.NDArray[Any]]) -> Stated | None:
    """The constraints of a file that has any."""
    if not tables:
        return None
    names, senses, bounds, terms, pairs, coefficients = tables.values()
    sizes = {"constraint_sense": len(names), "constraint_bound": len(names),
             "constraint_terms": len(names), "constraint_coefficient": len(pairs)}  # fmt: skip
    for key, size in sizes.items():
        if len(tables[key]) != size:
            raise wrong(f"{name}: {key}", f"must have {size} entries, has {len(tables[key])}")
    if (terms < 0).any() or terms.sum() != len(pairs):
        raise wrong(f"{name}: constraint_terms", f"must be >= 0 and sum to {len(pairs)}")
    end = np.cumsum(terms)
    return [
        (str(names[i]), str(senses[i]), float(bounds[i]),
         pairs[end[i] - terms[i] : end[i]], coefficients[end[i] - terms[i] : end[i]])
        for i in range(len(names))
    ]  # fmt: skip


def _check_sizes(name: str, tables: dict[str, npt.NDArray[Any]], stationary: bool) -> None:
    """All that the library relies on when it takes the arrays apart."""
    states, actions, begin = tables["states"], tables["actions"], tables["begin"]
    for key in ("states", "actions"):
        if len(tables[key]) == 0 or tables[key].min() < 1:
            raise wrong(f"{name}: {key}", "must have entries, all >= 1")
    pairs = int(actions.sum(dtype=np.int64))
    sizes = {
        "actions": int(states.sum(dtype=np.int64)),
        "initial": int(states[0]),
        "reward_mean": pairs,
        "sigma": pairs,
        "begin": pairs + 1,
        "probability": len(tables["next_state"]),
        "base_weight": pairs,
        "base": len(actions),
    }
    for key, size in sizes.items():
        if len(tables[key]) != size:
            raise wrong(f"{name}: {key}", f"must have {size} entries, has {len(tables[key])}")
    if begin[0] != 0 or begin[-1] != len(tables["next_state"]) or (np.diff(begin) < 0).any():
        raise wrong(
            f"{name}: begin", f"must rise from 0 to the {len(tables['next_state'])} entries"
        )
    after = states if stationary else np.append(states[1:], 0)  # by layer: of the next one
    following = np.repeat(np.repeat(np.repeat(after, states), actions), np.diff(begin))
    outside = (tables["next_state"] < 0) | (tables["next_state"] >= following)
    if outside.any():
        at = int(np.flatnonzero(outside)[0])
        raise wrong(
            f"{name}: next_state[{at}]",
            f"is {tables['next_state'][at]}; the next layer has {following[at]} states",
        )
