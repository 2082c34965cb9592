"""What a user's input can cause."""

from __future__ import annotations

import os
import stat


class InputError(ValueError):
    """Bad input. The message names the place, e.g. ``sigma[3][2, 0]: must be >= 0, got -1``."""

    def __init__(self, message: str, place: str = "") -> None:
        super().__init__(message)
        self.place = place

    def __reduce__(self) -> tuple[type[InputError], tuple[str, str]]:
        return InputError, (str(self), self.place)


class EnvironmentLost(RuntimeError):
    """Environments that ran elsewhere are gone; a reset makes new ones."""


def wrong(place: str, problem: str) -> InputError:
    """The error about one place."""
    return InputError(f"{place}: {problem}" if place else problem, place)


def refuse_other_than_file(name: str) -> None:
    """A pipe in the place of a file would be waited for; what is missing is the reader's to say."""
    try:
        regular = stat.S_ISREG(os.stat(name).st_mode)
    except OSError:
        return
    if not regular and not os.path.isdir(name):
        raise wrong(name, "is not a regular file")
