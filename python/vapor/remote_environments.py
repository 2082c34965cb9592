"""Vector environments on the nodes of a Ray cluster."""

from __future__ import annotations

import contextlib
import itertools
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import VectorEnv
from gymnasium.vector.utils import batch_space

from .errors import EnvironmentLost, wrong
from .ray_cluster import joined

Array = npt.NDArray[Any]
Seeds = int | np.integer[Any] | Sequence[int | None] | None


def remote(
    make_env: str | Callable[[int], Any],
    *,
    workers: int = 1,
    address: str | None = None,
    cpus: float = 1.0,
    patience: float = 60.0,
) -> Callable[[int], RemoteVectorEnv]:
    """What :func:`vapor.deep.train` takes: a function that makes so many places on such workers.

    Each actor of a training has ``workers`` of its own, which share its places evenly.
    """

    def make(places: int) -> RemoteVectorEnv:
        if workers < 1 or places % workers != 0:
            raise wrong("workers", f"must share {places} places evenly, got {workers}")
        return RemoteVectorEnv(
            make_env, workers, places // workers, address, cpus=cpus, patience=patience
        )

    make.__qualname__ = f"remote({getattr(make_env, '__qualname__', make_env)})"
    return make


class RemoteVectorEnv(VectorEnv[Any, Any, Any]):
    """The places of several vector environments that live in Ray actors, stepped together.

    ``make_env(places)`` is called in each of ``workers`` actors and makes a
    ``gymnasium.vector.VectorEnv`` of so many ``places``; a string is a Gymnasium id, as for
    :func:`vapor.deep.train`. An actor takes ``cpus`` of its node. Nodes need Gymnasium, Ray and
    what ``make_env`` uses, not this package. A connection to the cluster at ``address``, or a
    cluster of this machine, that is made here ends with the last such environment that is closed.

    A step or a reset raises :class:`vapor.deep.EnvironmentLost` where an actor or its node is gone,
    or gives no answer within ``patience`` seconds; the next reset makes a new one, on any node that
    has room. Exceptions of the environment arrive as they are. The autoreset mode is that of the
    environments; of their infos only the last observations come along.
    """

    def __init__(
        self,
        make_env: str | Callable[[int], Any],
        workers: int = 2,
        places: int = 4,
        address: str | None = None,
        *,
        cpus: float = 1.0,
        patience: float = 60.0,
    ) -> None:
        self._workers: list[Any] = [None] * workers  # these two first: an end closes them
        self._cluster = contextlib.ExitStack()
        for name, value in (("workers", workers), ("places", places)):
            if value < 1:
                raise wrong(name, f"must be >= 1, got {value}")
        self._observations: list[Array | None] = [None] * workers
        self._each = places
        self._cpus = cpus
        self._patience = patience
        self._make_env = _made_by(make_env)
        self._ray: Any = self._cluster.enter_context(joined(address))
        try:
            self._class = self._ray.remote(_worker_class()).options(
                num_cpus=cpus, max_restarts=0, scheduling_strategy="SPREAD"
            )
            spaces = self._revive()
        except EnvironmentLost as error:
            self.close_extras()
            raise wrong("workers", f"{workers} could not be started: {error}") from None
        except BaseException:
            self.close_extras()
            raise
        self.num_envs = workers * places
        self.single_observation_space, self.single_action_space, self.metadata = spaces
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def reset(
        self, *, seed: Seeds = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Replaces actors that are gone, and begins episodes, at all places or those of a mask."""
        if None in self._workers:
            self._revive()
        options = dict(options or {})
        mask = options.pop("reset_mask", np.ones(self.num_envs, dtype=np.bool_))
        asked: dict[int, Any] = {}
        for worker, part in enumerate(self._parts()):
            if not mask[part].any():
                continue
            seeds = _seeds_of(seed, part)
            mine = options if mask[part].all() else {**options, "reset_mask": mask[part]}
            asked[worker] = self._workers[worker].reset.remote(seeds, mine or None)
        for worker, observations in self._answers(asked).items():
            self._observations[worker] = observations
        return self._together(), {}

    def step(self, actions: Any) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """One action ``(num_envs,)`` at every place."""
        if None in self._workers:
            raise EnvironmentLost("an actor is gone; reset makes a new one")
        given = np.asarray(actions)
        answers = self._answers(
            {
                worker: self._workers[worker].step.remote(given[part])
                for worker, part in enumerate(self._parts())
            }
        )
        steps = [answers[worker] for worker in range(len(self._workers))]
        self._observations = [step[0] for step in steps]
        rewards, ended, cut = (np.concatenate([step[i] for step in steps]) for i in (1, 2, 3))
        return self._together(), rewards, ended, cut, self._info([step[4] for step in steps])

    def close_extras(self, **kwargs: Any) -> None:
        """Ends the actors, and leaves the cluster."""
        with self._cluster:
            for worker in self._workers:
                if worker is not None and self._ray.is_initialized():
                    self._ray.kill(worker)
            self._workers = [None] * len(self._workers)

    def _parts(self) -> list[slice]:
        return [slice(w * self._each, (w + 1) * self._each) for w in range(len(self._workers))]

    def _together(self) -> Array:
        return np.concatenate([rows for rows in self._observations if rows is not None])

    def _info(self, last: list[list[Any] | None]) -> dict[str, Any]:
        """``final_obs`` as Gymnasium's own vector environments have it."""
        if all(rows is None for rows in last):
            return {}
        final = np.empty(self.num_envs, dtype=object)
        rows = [mine or [None] * self._each for mine in last]
        for place, row in enumerate(itertools.chain.from_iterable(rows)):
            final[place] = row
        return {"final_obs": final, "_final_obs": np.array([row is not None for row in final])}

    def _revive(self) -> Any:
        """Makes the actors that are missing; the spaces and metadata of their environments.

        Those that are lost again are tried again for a while: a cluster needs some seconds to see
        that a node is gone, and until then sends actors there.
        """
        end = time.monotonic() + self._patience
        while True:
            try:
                return self._make_missing()
            except EnvironmentLost:
                if time.monotonic() > end:
                    raise
                time.sleep(1.0)

    def _make_missing(self) -> Any:
        asked: dict[int, Any] = {}
        for worker, actor in enumerate(self._workers):
            if actor is None:
                self._workers[worker] = self._class.remote()
                asked[worker] = self._workers[worker].make.remote(self._make_env, self._each)
        return next(iter(self._answers(asked).values()))

    def _answers(self, asked: dict[int, Any]) -> dict[int, Any]:
        """What the workers answer; raises what one of them raised, or EnvironmentLost."""
        from ray.exceptions import GetTimeoutError, ObjectLostError, RayActorError, RayTaskError

        # What is ready is here, so that to get it takes no time of its own.
        ready, _ = self._ray.wait(
            list(asked.values()), num_returns=len(asked), timeout=self._patience
        )
        answers: dict[int, Any] = {}
        lost: dict[int, str] = {}
        for worker, answer in asked.items():
            if answer not in ready:
                lost[worker] = (
                    f"no answer within {self._patience:g} s; either it hangs, or no node has "
                    f"{self._cpus:g} CPU free for it"
                )
                continue
            try:
                answers[worker] = self._ray.get(answer, timeout=self._patience)
            except RayTaskError as error:
                raise (error if error.cause is None else error.cause) from None
            except (RayActorError, ObjectLostError, GetTimeoutError) as error:
                lost[worker] = str(error).splitlines()[0]
        for worker in lost:
            self._ray.kill(self._workers[worker])
            self._workers[worker] = None
        if lost:
            raise EnvironmentLost("; ".join(f"worker {w}: {why}" for w, why in lost.items()))
        return answers


def _made_by(make_env: str | Callable[[int], Any]) -> Callable[[int], Any]:
    if not isinstance(make_env, str):
        return make_env
    from .deep.gymnasium_ids import make_by_id

    return make_by_id(make_env)


def _seeds_of(seed: Seeds, part: slice) -> int | list[int | None] | None:
    """Those of a worker with these places."""
    if seed is None:
        return None
    if isinstance(seed, int | np.integer):
        return int(seed) + int(part.start)
    return list(seed[part])


def _worker_class() -> type:
    """Within a function, so that it travels as it is and nodes need not have this package."""

    class Worker:
        env: Any

        # Not in the constructor, whose exceptions would not arrive as themselves.
        def make(self, make_env: Any, places: int) -> tuple[Any, Any, dict[str, Any]]:
            self.env = make_env(places)
            if self.env.num_envs != places:
                raise ValueError(f"env: must make {places} places, made {self.env.num_envs}")
            env = self.env
            return env.single_observation_space, env.single_action_space, dict(env.metadata)

        def reset(self, seed: Any, options: Any) -> Any:
            return self.env.reset(seed=seed, options=options)[0]

        def step(self, actions: Any) -> tuple[Any, Any, Any, Any, Any]:
            observations, rewards, ended, cut, info = self.env.step(actions)
            final = info.get("final_obs")
            over = ended | cut
            last = None if final is None else [f if o else None for f, o in zip(final, over)]
            return observations, rewards, ended, cut, last

    return Worker
