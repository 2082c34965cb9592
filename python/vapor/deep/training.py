"""Training: the records of `vapor train`, made from Python."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .. import _core
from ..errors import wrong
from ..interruption import deferred_interrupt
from ..records import ProgressFunction, Run, watching
from .gymnasium_ids import looks_like_an_id, make_by_id
from .observation_layout import ObservationLayout
from .vector_adapter import VectorAdapter

MakeEnvironment = Callable[[int], Any]


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
    progress: ProgressFunction | None = None,
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
    two seconds).

    All others are trained for ``frames`` (1,000,000) actions at ``places`` (8) side by side, with a
    checkpoint after every ``checkpoint_frames`` (50,000): on this thread if ``actors`` is 0, the
    default, which gives the same bytes again if all that an environment does follows from its
    seed, or with so many threads that each play ``places`` of their own beside the learner. Rewards
    are clipped to [-1, 1] for the learner unless ``clip_rewards`` is False.

    What is given and does not go with ``env`` is an InputError. ``progress`` is called with a
    :class:`vapor.RunProgress` after each episode or round, and ends the training by False. The
    interpreter is free while the library works. Ctrl-C writes the policy as it is and raises
    KeyboardInterrupt; an exception of an environment or of ``progress`` arrives as it is. The same
    call goes on from the last checkpoint. By episodes and with ``actors`` an interrupt makes one;
    by frames with ``actors=0`` it does not: what came after the last is played again.
    """
    if not 0 <= seed < 2**63:
        raise wrong("seed", f"must be 0..2^63 - 1, got {seed}")
    if isinstance(env, str) and name is not None:
        raise wrong("name", f"does not go with {env}: only a function is given a name")
    foreign = not isinstance(env, str) or looks_like_an_id(env, _core.worlds())
    called = env if isinstance(env, str) else name or _name_of(env)
    if not foreign and stop_when_solved is not None and _core.is_observed_as_arrays(called):
        raise wrong("stop_when_solved", f"does not go with {env}: it is trained by frames")
    settings = _core.run_settings(
        "train",
        called,
        agent,
        seed,
        episodes=episodes,
        stop=_stop(stop_when_solved),
        checkpoint_every=checkpoint_every,
        frames=frames,
        places=places,
        actors=actors,
        clip_rewards=clip_rewards,
        checkpoint_frames=checkpoint_frames,
        arrays=foreign,
    )
    folder = Path(out) / f"seed-{seed}"
    watch = watching(progress)
    with deferred_interrupt() as go_on:
        if not foreign:
            _core.make_run(settings, str(folder), checkpoint_every or 0, go_on, watch)
        else:
            make = make_by_id(env) if isinstance(env, str) else env
            _train_environments(make, settings, folder, go_on, watch)
    return Run.read(folder)


def _stop(when_solved: bool | None) -> str | None:
    return None if when_solved is None else "solved" if when_solved else "never"


def _command_of(settings: _core.RunSettings) -> str:
    """What makes such a run again."""
    given = json.loads(settings.definition)
    env, agent = given.pop("env"), given.pop("agent")
    words = ", ".join(f"{key}={value!r}" for key, value in given.items())
    return f"vapor.deep.train({env!r}, {agent!r}, {words})"


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
    settings: _core.RunSettings,
    folder: Path,
    go_on: Callable[[], bool],
    watch: Callable[..., bool] | None,
) -> None:
    if not callable(make):
        raise wrong(
            "env",
            "must be a spec, a Gymnasium id or a function that makes so many places, got "
            f"{type(make).__name__}",
        )
    _core.open_torch_part()  # what is missing is said before an environment is made
    if settings.places < 1:
        raise wrong("places", f"must be >= 1, got {settings.places}")
    adapters = _Adapters(make, settings.places, folder)
    try:
        _core.make_in_environments(
            settings,
            str(folder),
            adapters,
            adapters.layout.shape,
            _command_of(settings),
            go_on,
            watch,
        )
    finally:
        adapters.close()


def _name_of(make: Any) -> str:
    function = getattr(make, "func", make)  # of functools.partial
    return str(getattr(function, "__qualname__", type(function).__name__))
