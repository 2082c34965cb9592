"""TensorBoard's event files, read from their formats alone: TFRecord and event.proto."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple


class Point(NamedTuple):
    """A number of a curve."""

    step: int
    tag: str
    value: float


def crc32c(data: bytes) -> int:
    """Castagnoli's polynomial, bit by bit."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def masked(data: bytes) -> int:
    crc = crc32c(data)
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def records(path: Path) -> Iterator[bytes]:
    """The records of a TFRecord file, their checksums checked."""
    data = path.read_bytes()
    at = 0
    while at < len(data):
        head = data[at : at + 8]
        (size,) = struct.unpack("<Q", head)
        body = data[at + 12 : at + 12 + size]
        checks = struct.unpack("<I", data[at + 8 : at + 12]), struct.unpack(
            "<I", data[at + 12 + size : at + 16 + size]
        )
        assert checks == ((masked(head),), (masked(body),))
        yield body
        at += 16 + size


def fields(message: bytes) -> Iterator[tuple[int, Any]]:
    """The fields of a protobuf message, by number."""
    at = 0

    def varint() -> int:
        nonlocal at
        value, shift = 0, 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(message):
        key = varint()
        kind = key & 7
        if kind == 0:
            yield key >> 3, varint()
            continue
        size = {1: 8, 5: 4}[kind] if kind != 2 else varint()
        yield key >> 3, message[at : at + size]
        at += size


def points(folder: Path) -> list[Point]:
    """All numbers of the event files of a folder, in their order."""
    found: list[Point] = []
    for path in sorted(folder.glob("events.out.tfevents.*")):
        for record in records(path):
            event = dict(fields(record))
            for number, value in fields(event.get(5, b"")):
                assert number == 1
                parts = dict(fields(value))
                (amount,) = struct.unpack("<f", parts[2])
                found.append(Point(event.get(2, 0), parts[1].decode(), amount))
    return found
