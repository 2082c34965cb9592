"""Joining a Ray cluster, or saying within seconds why that is not possible."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Iterator
from types import ModuleType

from ..errors import InputError, wrong

PROBE_SECONDS = 5.0  # for an answer from the address
_PLACE = "address"
# HTTP/2, over which a cluster is spoken to: what a client opens with, and the answer's first frame
# (RFC 9113, sections 3.4 and 6.5).
_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
_SETTINGS = 4


def import_ray() -> ModuleType:
    """The package ray, which the engine alone needs."""
    try:
        import ray
    except ImportError as error:
        raise InputError(
            f"--engine ray: {error}; install it with pip install 'ray>=2.40'"
        ) from error
    return ray


def probe(address: str) -> None:
    """Raises InputError unless what may be a Ray cluster answers at HOST:PORT.

    Ray itself would try for a minute, and then end the process.
    """
    host, colon, port = address.rpartition(":")
    if address.startswith("ray://"):
        raise wrong(_PLACE, "must be HOST:PORT of the cluster, from a machine that is part of it")
    if not colon or not host or not port.isdigit() or not 0 < int(port) < 65536:
        raise wrong(_PLACE, f'must be HOST:PORT, e.g. 10.0.0.1:6379, or auto, got "{address}"')
    try:
        with socket.create_connection((host.strip("[]"), int(port)), PROBE_SECONDS) as opened:
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


@contextlib.contextmanager
def joined(address: str | None) -> Iterator[ModuleType]:
    """A cluster for the time of the block: the one at ``address``, or one of this machine alone.

    A connection that the process has already is used, and left as it is.
    """
    if address is not None and address != "auto":
        probe(address)  # first, since ray takes seconds to import
    ray = import_ray()
    if ray.is_initialized():
        yield ray
        return
    _join(ray, address)
    try:
        yield ray
    finally:
        ray.shutdown()
