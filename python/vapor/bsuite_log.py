"""Runs of DeepSea as CSV logs of bsuite, which bsuite's own analysis reads.

bsuite numbers its experiments: ``deep_sea/0`` is size 10, ``deep_sea/1`` size 12, up to size 50,
all with mapping seed 42, 10,000 episodes; ``deep_sea_stochastic`` likewise. A run is one of them if
its environment is ``deep_sea:depth=N,mapping_seed=42``, with ``stochastic=true`` or without. As
bsuite has it, a folder holds the runs of one agent and one seed.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ._core import RandomStream
from .agents import Agent
from .beliefs import Belief
from .environments import Environment, Episode
from .errors import wrong
from .records import Run

SIZES = range(10, 51, 2)
MAPPING_SEED = 42
_COLUMNS = (
    "steps", "episode", "total_return", "episode_len", "episode_return", "total_bad_episodes",
    "denoised_return",
)  # fmt: skip
_RATIOS = (1.0, 1.2, 1.4, 1.7, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0)

Flags = npt.NDArray[np.bool_]


def write(
    runs: Run | Iterable[Run], folder: str | os.PathLike[str], *, overwrite: bool = False
) -> list[Path]:
    """Writes ``bsuite_id_-_deep_sea-N.csv`` for each run; the paths.

    A record does not tell bsuite's ``total_bad_episodes`` of the stochastic sea, because an episode
    may miss the treasure by bad luck: such a run is made again, from its definition, which takes as
    long as it took. Raises :class:`vapor.InputError` for a run that is none of bsuite's
    experiments, and if a file is there and not to be overwritten.
    """
    listed = [runs] if isinstance(runs, Run) else list(runs)
    target = Path(folder)
    named: dict[Path, Run] = {}
    for run in listed:
        path = target / f"bsuite_id_-_{bsuite_id(run).replace('/', '-')}.csv"
        if path in named:
            raise wrong(
                str(run.folder), f"is the same experiment as {named[path].folder}: use two folders"
            )
        if path.exists() and not overwrite:
            raise wrong(str(path), "is there already; overwrite=True replaces it")
        named[path] = run
    target.mkdir(parents=True, exist_ok=True)
    for path, run in named.items():
        _write_one(path, run)
    return list(named)


def bsuite_id(run: Run) -> str:
    """The name of a run's experiment in bsuite, e.g. ``deep_sea/5``."""
    place = f"{run.folder}: env {run.definition.get('env')}"
    name, settings = _settings(str(run.definition.get("env", "")))
    if name != "deep_sea":
        raise wrong(place, "bsuite's experiments of this library are deep_sea alone")
    size = int(settings.pop("depth", "10"))
    if size not in SIZES:
        raise wrong(place, f"bsuite has the sizes 10, 12, ..., 50, not {size}")
    mapping_seed = settings.pop("mapping_seed", str(run.definition["seed"]))
    if mapping_seed != str(MAPPING_SEED):
        raise wrong(place, f"bsuite's mapping_seed is {MAPPING_SEED}, not {mapping_seed}")
    experiment = (
        "deep_sea_stochastic" if settings.pop("stochastic", "false") == "true" else "deep_sea"
    )
    for key, value in (("move_cost", 0.01), ("randomise_actions", "true")):
        given = settings.pop(key, str(value))
        if given != value and (isinstance(value, str) or float(given) != value):
            raise wrong(place, f"bsuite's {key} is {value}, not {given}")
    return f"{experiment}/{SIZES.index(size)}"


def _write_one(path: Path, run: Run) -> None:
    returns, success = run.episodes["return"], run.episodes["success"] != 0.0
    size = int(_settings(run.definition["env"])[1].get("depth", "10"))
    stochastic = bsuite_id(run).startswith("deep_sea_stochastic")
    # Without luck, whoever never leaves the diagonal to the left reaches the treasure.
    bad = _bad_episodes(run) if stochastic else ~success
    totals, total_bad, total_success = returns.cumsum(), bad.cumsum(), success.cumsum()
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(_COLUMNS)
        for episode in range(1, len(returns) + 1):
            if not _is_logged(episode):
                continue
            k = episode - 1
            # bsuite counts treasures from the integer 0 on in floating point.
            denoised = float(total_success[k]) if total_success[-1] else 0
            writer.writerow(
                (
                    episode * size, episode, float(totals[k]), size, float(returns[k]),
                    int(total_bad[k]), denoised,
                )
            )  # fmt: skip


def _is_logged(episode: int) -> bool:
    """bsuite logs at these multiples of powers of ten."""
    power = 10 ** (len(str(episode)) - 1)
    return any(episode == power * ratio for ratio in _RATIOS)


def _settings(spec: str) -> tuple[str, dict[str, str]]:
    name, _, rest = spec.partition(":")
    return name, dict(part.split("=", 1) for part in rest.split(",") if part)


def _bad_episodes(run: Run) -> Flags:
    """By episode: whether the agent went left on the diagonal. Makes the run again."""
    definition = run.definition
    if "belief" not in definition:
        raise wrong(
            str(run.folder),
            "is a training in a stochastic sea, whose bad episodes its record does not hold",
        )
    seed = int(definition["seed"])
    environment = Environment(definition["env"], seed)
    agent = Agent(
        definition["agent"], Belief.about(environment, definition["belief"]), environment
    )
    random = RandomStream(seed)
    bad = np.zeros(len(run.episodes["return"]), dtype=np.bool_)
    for k, recorded in enumerate(run.episodes["return"]):
        policy = agent.policy(random.split("agent").split(k + 1))
        episode = environment.play(policy, random.split("play").split(k + 1))
        if float(sum(episode.rewards.tolist())) != recorded:
            raise wrong(
                str(run.folder),
                f"episode {k + 1} is another one when the run is made again; was it made by "
                f"version {run.version} on another machine?",
            )
        bad[k] = _went_left_on_diagonal(environment, episode)
        agent.observe(episode)
    return bad


def _went_left_on_diagonal(environment: Environment, episode: Episode) -> bool:
    layout = environment.model.layout
    rewards = environment.model.reward_mean.flat
    for row, pair in enumerate(episode.pairs):
        on_diagonal = pair >= layout.first_pair[layout.first_state[row + 1] - 1]
        if on_diagonal and rewards[pair] == 0.0:  # only left is free
            return True
    return False
