"""Runs of agents in environments, recorded; the same call goes on where the last one stopped."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from . import _core
from .errors import wrong
from .records import Run
from .tables import seed_of, whole


def run(
    env: str,
    agent: str,
    *,
    episodes: int = 1000,
    seeds: int | Iterable[int] = 1,
    belief: str = "",
    stop: str = "never",
    snapshot_every: int = 0,
    out: str | os.PathLike[str],
    threads: int = 0,
    progress: Callable[[int, int, int, int], None] | None = None,
) -> list[Run]:
    """Runs an agent in an environment, one run a seed in ``out/seed-S``, and reads the records.

    The bytes are those of ``vapor run`` with the same settings. ``seeds`` is how many, from 1, or
    which. ``stop`` is ``never``, ``solved`` or ``covered``. ``progress`` is called with the runs
    ended, all runs, the episodes done and all episodes. Ctrl-C saves every run and raises
    KeyboardInterrupt; the same call goes on from there.
    """
    if isinstance(seeds, Iterable):
        numbers = [seed_of(seed) for seed in seeds]
    else:
        numbers = list(range(1, whole("seeds", seeds, 0, 10**9) + 1))
    if not numbers:
        raise wrong("seeds", "are none")
    episodes = whole("episodes", episodes, 1, 10**9)
    snapshot_every = whole("snapshot_every", snapshot_every, 0, 10**9)
    threads = whole("threads", threads, 0, 1024) or os.cpu_count() or 1
    if progress is not None and not callable(progress):
        raise TypeError(f"progress must be a function, got {type(progress).__name__}")
    folders = [Path(out) / f"seed-{seed}" for seed in numbers]
    runs = [
        (
            _core.run_settings(
                "run",
                env,
                agent,
                seed,
                belief=belief or None,
                episodes=episodes,
                stop=stop,
                snapshot_every=snapshot_every,
            ),
            str(folder),
        )
        for seed, folder in zip(numbers, folders, strict=True)
    ]
    _core.make_runs(runs, threads, progress)
    return [Run.read(folder) for folder in folders]
