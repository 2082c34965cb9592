"""Training: the records of `vapor train`, made from Python."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeGuard

from .. import _deep
from ..errors import InputError, wrong
from ..records import Run
from .gymnasium_ids import looks_like_an_id, make_by_id
from .interruption import deferred_interrupt
from .observation_layout import ObservationLayout
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


class _EpisodeOptions(NamedTuple):
    """What :func:`train` takes for environments that are trained by episodes."""

    episodes: int = 1000
    stop_when_solved: bool = False
    checkpoint_every: int = 0


class _FrameOptions(NamedTuple):
    """What :func:`train` takes for environments that are trained by frames."""

    frames: int = 1_000_000
    places: int = 8
    actors: int = 0
    clip_rewards: bool = True
    checkpoint_frames: int = 50_000


def train(
    env: str | MakeEnvironment,
    agent: str = "vapor-lite",
    *,
    out: str | os.PathLike[str],
    seed: int = 1,
    episodes: int | None = None,
    stop_when_solved: bool | None = None,
    checkpoint_every: int | None = None,
    frames: int | None = None,
    places: int | None = None,
    actors: int | None = None,
    clip_rewards: bool | None = None,
    checkpoint_frames: int | None = None,
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

    Environments whose states are known by index are trained for ``episodes`` (1000), or until they
    are solved if ``stop_when_solved``, with a checkpoint after every ``checkpoint_every`` (0: every
    two seconds); ``progress`` is called with an :class:`EpisodeProgress` after each episode.

    All others are trained for ``frames`` (1,000,000) actions at ``places`` (8) side by side, with a
    checkpoint after every ``checkpoint_frames`` (50,000): on this thread if ``actors`` is 0, the
    default, which gives the same bytes again if all that an environment does follows from its
    seed, or with so many threads that each play ``places`` of their own beside the learner. Rewards
    are clipped to [-1, 1] for the learner unless ``clip_rewards`` is False. ``progress`` is called
    with a :class:`FrameProgress` after each round.

    What is given and does not go with ``env`` is an InputError. ``progress`` ends the training by
    False. The interpreter is free while the library works. Ctrl-C writes the policy as it is and
    raises KeyboardInterrupt; an exception of an environment or of ``progress`` arrives as it is.
    The same call goes on from the last checkpoint. By episodes and with ``actors`` an interrupt
    makes one; by frames with ``actors=0`` it does not: what came after the last is played again.
    """
    if not 0 <= seed < 2**63:
        raise wrong("seed", f"must be 0..2^63 - 1, got {seed}")
    by_episodes = _given(
        episodes=episodes, stop_when_solved=stop_when_solved, checkpoint_every=checkpoint_every
    )
    by_frames = _given(
        frames=frames, places=places, actors=actors, clip_rewards=clip_rewards,
        checkpoint_frames=checkpoint_frames,
    )  # fmt: skip
    if isinstance(env, str):
        _refuse(_given(name=name), "only a function is given a name")
    folder = Path(out) / f"seed-{seed}"
    with _named_by_arguments(), deferred_interrupt() as go_on:
        if _is_a_table(env):
            _refuse(by_frames, f"{env} is trained by episodes")
            watch = None if progress is None else _watch(EpisodeProgress, progress)
            options = _EpisodeOptions(**by_episodes)
            settings = _deep.TrainingSettings(
                env, agent, options.episodes, seed, options.stop_when_solved
            )
            _deep.train_by_episodes(
                settings, str(folder), options.checkpoint_every, go_on, watch
            )
        else:
            _refuse(by_episodes, "it is trained by frames")
            watch = None if progress is None else _watch(FrameProgress, progress)
            called = env if isinstance(env, str) else name or _name_of(env)
            _train_by_frames(
                env, called, agent, seed, _FrameOptions(**by_frames), folder, go_on, watch
            )
    return Run.read(folder)


def _is_an_id(env: str) -> bool:
    return looks_like_an_id(env, _deep.worlds())


def _is_a_table(env: str | MakeEnvironment) -> TypeGuard[str]:
    """Whether its states are known by index."""
    return (
        isinstance(env, str) and not _is_an_id(env) and not _deep.is_observed_as_arrays(env)
    )


def _train_by_frames(
    env: str | MakeEnvironment,
    called: str,
    agent: str,
    seed: int,
    options: _FrameOptions,
    folder: Path,
    go_on: Callable[[], bool],
    watch: Callable[..., bool] | None,
) -> None:
    _deep.open_torch_part()  # what is missing is said before an environment is made
    settings = _deep.FrameTrainingSettings(
        called, agent, options.frames, seed, options.places, options.actors,
        options.clip_rewards, options.checkpoint_frames,
    )  # fmt: skip
    if isinstance(env, str) and not _is_an_id(env):
        _deep.train_world(settings, str(folder), go_on, watch)
        return
    make = make_by_id(env) if isinstance(env, str) else env
    command = (
        f"vapor.deep.train({called!r}, {agent!r}, frames={options.frames}, seed={seed}, "
        f"places={options.places}, actors={options.actors}, "
        f"clip_rewards={options.clip_rewards}, checkpoint_frames={options.checkpoint_frames})"
    )
    _train_environments(make, options.places, settings, folder, command, go_on, watch)


class _Adapters:
    """The environments of a training: the first is made before it, to see what it shows.

    The library asks for them when the record in ``folder`` is open and is that of this training.
    So that is when their layout is written there, and no sooner: what is refused writes nothing.
    """

    def __init__(self, make: MakeEnvironment, places: int, folder: Path) -> None:
        self._make = make
        self._folder = folder
        self._first: VectorAdapter | None = VectorAdapter(make(places), places)
        self.layout = self._first.layout

    def __call__(self, places: int) -> VectorAdapter:
        first, self._first = self._first, None
        adapter = first or VectorAdapter(self._make(places), places)
        if adapter.layout != self.layout:
            raise wrong(
                "env", f"must always make the same, made {adapter.layout} after {self.layout}"
            )
        if first is not None:
            self._write_layout()
        return adapter

    def _write_layout(self) -> None:
        """Beside the record; one that has learned something stays with what it learned from."""
        begun = ObservationLayout.read(self._folder)
        if begun == self.layout:
            return
        learned = any((self._folder / file).exists() for file in ("checkpoint", "policy"))
        if begun is not None and learned:
            raise wrong(
                "env",
                f"makes {self.layout}, and {self._folder} was trained on {begun}; give another "
                "name or out",
            )
        self.layout.write(self._folder)

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
    adapters = _Adapters(make, places, folder)
    try:
        _deep.train_environments(
            settings, str(folder), adapters, adapters.layout.shape, command, go_on, watch
        )
    finally:
        adapters.close()


def _watch(
    kind: Callable[..., Any], progress: Callable[[Any], bool | None]
) -> Callable[..., bool]:
    def watch(*fields: Any) -> bool:
        answer = progress(kind(*fields))
        return answer is None or bool(answer)

    return watch


def _name_of(make: Any) -> str:
    function = getattr(make, "func", make)  # of functools.partial
    return str(getattr(function, "__qualname__", type(function).__name__))


def _given(**arguments: Any) -> dict[str, Any]:
    return {name: value for name, value in arguments.items() if value is not None}


def _refuse(arguments: dict[str, Any], problem: str) -> None:
    for name in arguments:
        raise wrong(name, f"does not go with this env: {problem}")


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
