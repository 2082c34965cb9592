"""Ctrl-C between two steps of an environment, not within one."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def deferred_interrupt() -> Iterator[Callable[[], bool]]:
    """Yields a function that says whether to go on; at the end raises KeyboardInterrupt if not.

    Within it the first Ctrl-C waits, so that whatever is under way ends well; the second is the
    usual one. Handlers of the user's own, and threads that get no signals, stay as they are.
    """
    pressed = threading.Event()
    usual = signal.getsignal(signal.SIGINT)
    mine = (
        threading.current_thread() is threading.main_thread()
        and usual is signal.default_int_handler
    )

    def wait(number: int, frame: Any) -> None:
        if pressed.is_set():
            signal.default_int_handler(number, frame)
        pressed.set()

    if mine:
        signal.signal(signal.SIGINT, wait)
    try:
        yield lambda: not pressed.is_set()
    finally:
        if mine:
            signal.signal(signal.SIGINT, usual)
    if pressed.is_set():
        raise KeyboardInterrupt
