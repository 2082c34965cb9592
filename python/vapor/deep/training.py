"""Training: the records of `vapor train`, made from Python."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from .. import _deep
from ..errors import InputError, wrong
from ..records import Run
from .gymnasium_ids import looks_like_an_id, make_by_id
from .interruption import deferred_interrupt
from .vector_adapter import VectorAdapter

MakeEnvironment = Callable[[int], Any]


class EpisodeProgress(NamedTuple):
    """How a training by episodes stands: how many there were, and the last; zeros before any."""

    episodes: int
    episode_return: float
    success: bool
    frames: int
    learner_frames: int
    sigma: float
    entropy: float
    policy_loss: float
    value_loss: float
    reward_loss: float


class FrameProgress(NamedTuple):
    """How a training by frames stands.

    Means are over the last 100 episodes since the call; ``sigma`` and ``entropy`` are such means.
    ``environments_lost`` were replaced; ``frames_lost`` were played in them and never learned from.
    """

    frames: int
    frames_wanted: int
    episodes: int
    learner_frames: int
    frames_per_second: float
    mean_return: float
    mean_length: float
    sigma: float
    entropy: float
    policy_loss: float
    value_loss: float
    reward_loss: float
    environments_lost: int
    frames_lost: int


def train(
    env: str | MakeEnvironment,
    agent: str = "vapor-lite",
    *,
    out: str | os.PathLike[str],
    seed: int = 1,
    episodes: int | None = None,
    stop_when_solved: bool = False,
    checkpoint_every: int = 0,
    frames: int | None = None,
    places: int = 8,
    actors: int = 0,
    clip_rewards: bool = True,
    checkpoint_frames: int = 50_000,
    name: str | None = None,
    progress: Callable[[Any], bool | None] | None = None,
) -> Run:
    """Trains an agent in ``out/seed-S``, or goes on with it there, and reads the record.

    ``env`` is

    - a spec of ``vapor list worlds``, e.g. ``deep_sea:depth=20`` or ``catch``: the bytes are those
      of ``vapor train`` with the same settings;
    - a Gymnasium id, e.g. ``CartPole-v1``, made by ``gymnasium.make_vec``;
    - a function that makes a ``gymnasium.vector.VectorEnv`` of so many places; ``name`` is what
      the record calls it.

    Environments whose states are known by index are trained for ``episodes`` (1000), with a
    checkpoint after every ``checkpoint_every`` (0: every two seconds); ``progress`` is called with
    an :class:`EpisodeProgress` after each. All others are trained for ``frames`` (1,000,000)
    actions at ``places`` side by side: on this thread if ``actors`` is 0, which gives the same
    bytes again if all that an environment does follows from its seed, or with so many threads that
    each play ``places`` of their own beside the learner; ``progress`` is called with a
    :class:`FrameProgress` after each round. It ends the training by False. Rewards are clipped to [-1, 1] for the learner unless
    ``clip_rewards`` is False.

    The interpreter is free while the library works. Ctrl-C saves and raises KeyboardInterrupt, an
    exception of an environment or of ``progress`` arrives as it is, and the same call goes on from
    the last checkpoint.
    """
    if not 0 <= seed < 2**63:
        raise wrong("seed", f"must be 0..2^63 - 1, got {seed}")
    folder = Path(out) / f"seed-{seed}"
    by_id = isinstance(env, str) and looks_like_an_id(env, _deep.worlds())
    with _named_by_arguments(), deferred_interrupt() as go_on:
        if isinstance(env, str) and not by_id and not _deep.is_observed_as_arrays(env):
            _refuse(frames is not None, "frames", f"{env} is trained by episodes")
            settings = _deep.TrainingSettings(
                env, agent, 1000 if episodes is None else episodes, seed, stop_when_solved
            )
            watch = None if progress is None else _watch(EpisodeProgress, progress)
            _deep.train_by_episodes(settings, str(folder), checkpoint_every, go_on, watch)
        else:
            _refuse(episodes is not None, "episodes", "this environment is trained by frames")
            _refuse(stop_when_solved, "stop_when_solved", "this environment has no goal")
            if not _deep.has_torch:
                raise wrong(
                    "env",
                    "is observed as arrays, and VAPOR was built without libtorch, which their "
                    "networks need; install libtorch-dev and build again",
                )
            called = env if isinstance(env, str) else name or _name_of(env)
            frames = 1_000_000 if frames is None else frames
            frame_settings = _deep.FrameTrainingSettings(
                called, agent, frames, seed, places, actors, clip_rewards, checkpoint_frames

            )  # fmt: skip
            watch = None if progress is None else _watch(FrameProgress, progress)
            if isinstance(env, str) and not by_id:
                _deep.train_world(frame_settings, str(folder), go_on, watch)
            else:
                make = make_by_id(env) if isinstance(env, str) else env
                command = (
                    f"vapor.deep.train({called!r}, {agent!r}, frames={frames}, seed={seed}, "
                    f"places={places}, actors={actors}, clip_rewards={clip_rewards}, "
                    f"checkpoint_frames={checkpoint_frames})"
                )
                _train_environments(make, places, frame_settings, folder, command, go_on, watch)
    return Run.read(folder)


class _Adapters:
    """The environments of a training: the first is made before it, to see what it shows."""

    def __init__(self, make: MakeEnvironment, places: int) -> None:
        self._make = make
        self._first: VectorAdapter | None = VectorAdapter(make(places), places)
        self.layout = self._first.layout

    def __call__(self, places: int) -> VectorAdapter:
        first, self._first = self._first, None
        adapter = first or VectorAdapter(self._make(places), places)
        if adapter.layout != self.layout:
            raise wrong(
                "env", f"must always make the same, made {adapter.layout} after {self.layout}"
            )
        return adapter

    def close(self) -> None:
        if self._first is not None:
            self._first.close()


def _train_environments(
    make: MakeEnvironment,
    places: int,
    settings: _deep.FrameTrainingSettings,
    folder: Path,
    command: str,
    go_on: Callable[[], bool],
    watch: Callable[..., bool] | None,
) -> None:
    if not callable(make):
        raise wrong(
            "env",
            "must be a spec, a Gymnasium id or a function that makes so many places, got "
            f"{type(make).__name__}",
        )
    if places < 1:
        raise wrong("places", f"must be >= 1, got {places}")
    adapters = _Adapters(make, places)
    try:
        _deep.train_environments(
            settings, str(folder), adapters, adapters.layout.shape, command, go_on, watch
        )
    finally:
        adapters.close()
        if (folder / "policy").exists():
            adapters.layout.write(folder)


def _watch(
    kind: Callable[..., Any], progress: Callable[[Any], bool | None]
) -> Callable[..., bool]:
    def watch(*fields: Any) -> bool:
        return progress(kind(*fields)) is not False

    return watch


def _name_of(make: Any) -> str:
    function = getattr(make, "func", make)  # of functools.partial
    return str(getattr(function, "__qualname__", type(function).__name__))


def _refuse(given: bool, place: str, problem: str) -> None:
    if given:
        raise wrong(place, f"does not go with this env: {problem}")


@contextmanager
def _named_by_arguments() -> Iterator[None]:
    """Errors of the library name the options of the command; here they are arguments."""
    try:
        yield
    except InputError as error:
        if not error.place.startswith("--"):
            raise
        option, *rest = error.place.split(" ", 1)
        place = " ".join([option[2:].replace("-", "_"), *rest])
        raise wrong(place, str(error)[len(error.place) + 2 :]) from None
