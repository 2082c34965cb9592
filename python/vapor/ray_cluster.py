"""Joining a Ray cluster, or saying within seconds why that is not possible."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
import threading
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from .errors import wrong

PROBE_SECONDS = 5.0  # for an answer from the address
_PLACE = "address"
# HTTP/2, over which a cluster is spoken to: what a client opens with, and the answer's first frame
# (RFC 9113, sections 3.4 and 6.5).
_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
_SETTINGS = 4


class _Joined:
    """A connection that was made here, and how many use it."""

    def __init__(self, identity: tuple[str, str]) -> None:
        self.identity = identity
        self.users = 0


_lock = threading.RLock()  # a collected environment may leave while another enters
_ours: _Joined | None = None


@contextlib.contextmanager
def joined(address: str | None) -> Iterator[ModuleType]:
    """The package ray, joined to a cluster for the time of the block.

    That is the one at ``address`` (``HOST:PORT``, or ``auto``), or with None the one that the
    process is connected to, or else one of this machine alone. A connection that the process has
    already is used, unless ``address`` names another cluster, and left as it is; one that was made
    here ends with the last block that uses it. Raises InputError within seconds.
    """
    ray, mine = _enter(address)
    try:
        yield ray
    finally:
        if mine is not None:
            _leave(ray, mine)


def _enter(address: str | None) -> tuple[ModuleType, _Joined | None]:
    """The package, and what to leave; None if the connection is the caller's own."""
    global _ours
    named = address is not None and address != "auto"
    if named:
        _split(str(address))
    with _lock:
        if not _is_connected():
            if named:
                _probe(str(address))  # first, since ray takes seconds to import
            ray = _import_ray()
            _join(ray, address)
            _ours = _Joined(_identity(ray))
        else:
            ray = _import_ray()
            if named:
                _expect_same(str(address), ray.get_runtime_context().gcs_address)
        if _ours is None or _ours.identity != _identity(ray):
            return ray, None
        _ours.users += 1
        return ray, _ours


def _leave(ray: ModuleType, mine: _Joined) -> None:
    global _ours
    with _lock:
        mine.users -= 1
        if mine.users > 0:
            return
        if ray.is_initialized() and _identity(ray) == mine.identity:
            ray.shutdown()
        if _ours is mine:
            _ours = None


def _is_connected() -> bool:
    return "ray" in sys.modules and bool(_import_ray().is_initialized())


def _identity(ray: ModuleType) -> tuple[str, str]:
    """The cluster, and this connection to it: every one is another job."""
    context = ray.get_runtime_context()
    return str(context.gcs_address), str(context.get_job_id())


def _import_ray() -> ModuleType:
    try:
        import ray
    except ImportError as error:
        raise wrong("ray", f"{error}; install it with pip install 'ray>=2.40'") from error
    return ray


def _split(address: str) -> tuple[str, int]:
    if address.startswith("ray://"):
        raise wrong(_PLACE, "must be HOST:PORT of the cluster, from a machine that is part of it")
    host, _, port = address.rpartition(":")
    if not host or not (port.isascii() and port.isdigit()) or not 0 < int(port) < 65536:
        raise wrong(_PLACE, f'must be HOST:PORT, e.g. 10.0.0.1:6379, or auto, got "{address}"')
    return host.strip("[]"), int(port)


def _expect_same(address: str, mine: str) -> None:
    """Raises InputError unless both are one cluster, whose host may have several names."""

    def resolved(name: str) -> set[tuple[Any, ...]]:
        with contextlib.suppress(OSError):
            return {found[4][:2] for found in socket.getaddrinfo(*_split(name))}
        return set()

    if address != mine and not resolved(address) & resolved(mine):
        raise wrong(_PLACE, f"is {address}, and this process is connected to {mine}")


def _probe(address: str) -> None:
    """Raises InputError unless what may be a Ray cluster answers at HOST:PORT.

    Ray itself would try for a minute, and then end the process.
    """
    try:
        with socket.create_connection(_split(address), PROBE_SECONDS) as opened:
            if os.environ.get("RAY_USE_TLS", "0") == "0":
                _expect_http2(opened, address)
    except OSError as error:
        raise wrong(
            _PLACE, f"no Ray cluster answers at {address}: {error}; start one with ray start --head"
        ) from error


def _expect_http2(opened: socket.socket, address: str) -> None:
    opened.settimeout(PROBE_SECONDS)
    opened.sendall(_PREFACE)
    head = opened.recv(9)
    if len(head) < 4 or head[3] != _SETTINGS:
        raise wrong(_PLACE, f"what answers at {address} is not a Ray cluster")


def _join(ray: ModuleType, address: str | None) -> None:
    common = {"log_to_driver": False, "logging_level": "ERROR"}
    try:
        if address is None:
            ray.init(
                address="local",
                num_cpus=os.cpu_count(),
                include_dashboard=False,
                object_store_memory=200 * 2**20,
                **common,
            )
        else:
            ray.init(address=address, **common)
    except (ConnectionError, RuntimeError, ValueError, OSError) as error:
        said = str(error).strip().splitlines() or [type(error).__name__]
        where = "of this machine" if address is None else f"at {address}"
        raise wrong(_PLACE, f"cannot join the Ray cluster {where}: {said[0]}") from error
