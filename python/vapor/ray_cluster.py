"""The Ray cluster that a call is to use."""

from __future__ import annotations

import socket
from typing import Any

from .errors import wrong

SECONDS = 5.0  # that an address has to answer


def connect(address: str | None = None) -> Any:
    """The module ray, connected.

    ``address`` is ``HOST:PORT`` or ``ray://HOST:PORT``; None: the cluster that this process is
    connected to, or else one of this machine alone. Raises InputError within seconds if nobody
    answers there.
    """
    try:
        import ray
    except ImportError:
        raise wrong("ray", "is not installed; pip install vapor-rl[ray]") from None
    if ray.is_initialized():
        mine = ray.get_runtime_context().gcs_address
        if address is not None and address not in {mine, "auto"} and "://" not in address:
            raise wrong("address", f"is {address}, and this process is connected to {mine}")
        return ray
    if address is None:
        ray.init(address="local", include_dashboard=False, log_to_driver=False)
        return ray
    if address != "auto":
        _expect_an_answer(address)
    try:
        ray.init(address=address, log_to_driver=False)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise wrong("address", f"there is no Ray cluster at {address}: {error}") from None
    return ray


def _expect_an_answer(address: str) -> None:
    host, _, port = address.rpartition("://")[2].rpartition(":")
    if not host or not port.isdigit():
        raise wrong("address", f"must be HOST:PORT or ray://HOST:PORT, got {address}")
    try:
        socket.create_connection((host, int(port)), timeout=SECONDS).close()
    except (OSError, OverflowError) as error:
        raise wrong("address", f"nobody answers at {address}: {error}") from None
