"""Learning in an environment of one's own: one call for tables and for networks."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from .agents import Agent
from .beliefs import Belief
from .errors import wrong
from .gymnasium.making import Source
from .gymnasium.playing import TablePlayer
from .gymnasium.time_layers import (
    Layers,
    OwnLayers,
    TimeLayers,
    kind_of,
    layers_of,
    numbering_of,
)
from .interruption import deferred_interrupt
from .layered import Doubles, Layered
from .policies import Evaluation, NetworkPolicy, PolicyLayers, TablePolicy
from .records import Run, RunProgress, watching
from .tables import seed_of, whole

ProgressOfEpisodes = Callable[[int, float], bool | None]


@dataclass(frozen=True)
class Learned:
    """What :func:`learn` returns: ``returns`` and ``lengths`` are ``(episodes,)``.

    ``agent`` and ``layers`` are None of networks, ``run``, the record, is None without ``out``.
    """

    returns: Doubles
    lengths: npt.NDArray[np.int64]
    learned: TablePolicy | NetworkPolicy
    agent: Agent | None = None
    layers: Layers | None = None
    run: Run | None = None

    @property
    def policy(self) -> Any:
        """That of the episode after the last: a table by layer ``(states, actions)``, or a
        :class:`vapor.deep.Policy`."""
        return self.learned.policy

    def act(self, observation: Any, *, step: int | None = None) -> int:
        """An action of the policy; see :meth:`vapor.policies.TablePolicy.act`."""
        return self.learned.act(observation, step=step)

    def evaluate(self, episodes: int = 100, *, seed: int = 1, env: Any = None) -> Evaluation:
        """Plays the policy without learning: mean return, its standard error, all returns."""
        return self.learned.evaluate(episodes, seed=seed, env=env)

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Writes the policy, for :func:`vapor.load`."""
        self.learned.save(folder)


def learn(
    env: Any,
    agent: str | None = None,
    *,
    episodes: int | None = None,
    horizon: int | None = None,
    belief: Any = None,
    stationary: bool = True,
    seed: int = 1,
    out: str | os.PathLike[str] | None = None,
    networks: bool | None = None,
    name: str | None = None,
    progress: ProgressOfEpisodes | None = None,
    **training: Any,
) -> Learned:
    """Lets an agent learn in a Gymnasium environment.

    Parameters
    ----------
    env
        A Gymnasium id, which settings may follow (``FrozenLake-v1:is_slippery=False``), an
        environment, or a function that makes one. It must be Markov: what follows depends on the
        observation and the action alone.
    agent
        The spec of an agent, see ``vapor list agents``: ``vapor``, or ``vapor-lite`` of networks.
    episodes
        How many, 100 by default.
    horizon
        The steps of an episode, after which the environment is reset; its own limit by default.
        The agent plans for the sum of the rewards up to there. Time and memory grow with it.
    belief
        Settings of :meth:`vapor.Belief.normal_gamma`, e.g. ``{"reward_range": (0, 1)}``; those
        that name ``mean``, ``variance`` or ``noise_variance`` are of :meth:`vapor.Belief.gaussian`,
        those that name ``a`` or ``b`` of :meth:`vapor.Belief.beta`. Or a belief about the layers,
        of this library or of one's own, or a function that makes one from the layers. Environments
        of this library have the belief that fits them by default.
    stationary
        Whether what is seen at one step holds at every step. False learns each step on its own.
    seed
        Of the agent, its actions and the environment: the seed of each reset follows from it and
        from the number of the episode.
    out
        Where to keep a record, in ``out/seed-S``: the same call goes on where it was stopped, to
        the same bytes, if all that the environment does in an episode follows from the seed of its
        reset. Ctrl-C saves it and raises KeyboardInterrupt. Without ``out`` nothing is written.
    networks
        True: a deep agent learns, by frames, as :func:`vapor.deep.train` does, whose settings
        (``frames``, ``places``, ...) are then taken here. By default where observations cannot be
        counted: they are neither Discrete, MultiDiscrete nor a Tuple of Discrete.
    name
        What the record calls the environment; by default its id with its settings, or its class.
    progress
        Called after each episode with its number and return; returning False ends the learning.
    """
    if progress is not None and not callable(progress):
        raise TypeError(f"progress must be a function, got {type(progress).__name__}")
    seed = seed_of(seed)
    source = Source(env, name)
    made = source.make()
    try:
        if networks is None:
            networks = not _is_counted(made.observation_space)
        if networks:
            given = {"episodes": episodes, "horizon": horizon, "belief": belief}
            _refuse(given, "networks, which are trained by frames")
            return _learn_by_network(
                source, env, agent or "vapor-lite", seed, out, progress, training
            )
        _refuse(training, f"{source.name}, whose states are counted, by episodes")
        layers = layers_of(made, horizon, stationary)
        spec = agent or "vapor"
        folder = None if out is None else Path(out) / f"seed-{seed}"
        tolerance, begun = _core.tolerance_of(spec, None if folder is None else str(folder))
        learner = Agent(
            begun,
            belief_about(layers, belief),
            layers.environment if isinstance(layers, OwnLayers) else None,
        )
        most = whole("episodes", 100 if episodes is None else episodes, 1, 10**9)
        player = TablePlayer(made, layers, learner, seed, most, _writer(source))
        if folder is None:
            return _learned_now(source, player, progress)
        if not learner.belief.can_be_saved:
            raise wrong(
                "belief",
                f"{learner.belief.name} has no save() and restore(), which a record asks for",
            )
        definition: dict[str, Any] = {
            "env": source.name,
            "agent": spec,
            "belief": _belief_text(layers, belief, learner.belief),
            "episodes": most,
            "seed": seed,
            "stop": "never",
            "snapshot_every": 0,
            "horizon": layers.horizon,
            "stationary": stationary,
        }
        if tolerance is not None:
            definition["tolerance"] = tolerance
        command = _command_of(definition, belief)
        return _recorded(source, player, definition, command, folder, progress)
    finally:
        source.put_away(made)


def belief_about(layers: Layers, belief: Any) -> Belief:
    """The belief that :func:`learn` is given, about these layers."""
    if callable(belief) and not isinstance(belief, Belief) and not hasattr(belief, "problem"):
        belief = belief(layers)
    if belief is None and isinstance(layers, OwnLayers):
        return Belief.about(layers.environment)
    if belief is None or isinstance(belief, Mapping):
        return layers.belief(**(belief or {}))
    about: Belief = belief if isinstance(belief, Belief) else Belief.of_own(belief)
    if about.problem.layout != layers.layout:
        raise wrong(
            "belief",
            "is about other states and actions than the environment has in its layers; make it "
            "with the belief() of vapor.gymnasium.TimeLayers, or give settings",
        )
    if about is not belief and isinstance(layers, TimeLayers):
        return Belief.of_own(belief, **layers.places())
    return about


def _is_counted(space: Any) -> bool:
    try:
        numbering_of("observation space", space)
    except ValueError:
        return False
    return True


def _refuse(given: Mapping[str, Any], why: str) -> None:
    for key, value in given.items():
        if value is not None:
            raise wrong(key, f"does not go with {why}")


def _learned_now(
    source: Source, player: TablePlayer, progress: ProgressOfEpisodes | None
) -> Learned:
    returns: list[float] = []
    lengths: list[int] = []
    while not player.is_over:
        episode_return, length, _, _ = player.play()
        returns.append(episode_return)
        lengths.append(length)
        answer = None if progress is None else progress(player.episodes, episode_return)
        if answer is not None and not answer:
            break
    policy = _policy_of(source, player)
    return Learned(np.array(returns), np.array(lengths), policy, player.agent, player.layers)


def _recorded(
    source: Source,
    player: TablePlayer,
    definition: dict[str, Any],
    command: str,
    folder: Path,
    progress: ProgressOfEpisodes | None,
) -> Learned:
    columns = ["episode", "return", "length"]
    if player.knows_values:
        columns += ["value", "regret"]
    with deferred_interrupt() as go_on:
        _core.make_by_player(
            json.dumps(definition),
            command,
            columns,
            str(folder),
            lambda: player,
            0,
            go_on,
            watching(_by_episode(progress)),
        )
    run = Run.read(folder)
    policy = TablePolicy.read(folder, source)
    if player.episodes == 0:  # the run was finished before
        player.agent.native.restore(policy.state)
    returns, lengths = run.episodes["return"], run.episodes["length"].astype(np.int64)
    return Learned(returns, lengths, policy, player.agent, player.layers, run)


def _learn_by_network(
    source: Source,
    env: Any,
    agent: str,
    seed: int,
    out: str | os.PathLike[str] | None,
    progress: ProgressOfEpisodes | None,
    training: dict[str, Any],
) -> Learned:
    from .deep import train
    from .deep.gymnasium_ids import looks_like_an_id

    by_id = isinstance(env, str) and looks_like_an_id(env, _core.worlds())
    with tempfile.TemporaryDirectory() as aside:
        run = train(
            env if by_id else source.make_places,
            agent,
            out=aside if out is None else out,
            seed=seed,
            name=None if by_id else source.name,
            progress=_by_episode(progress),
            **training,
        )
        policy = NetworkPolicy(run.folder, source)
        returns, lengths = run.episodes["return"], run.episodes["length"].astype(np.int64)
        if out is not None:
            return Learned(returns, lengths, policy, run=run)
        kept = tempfile.TemporaryDirectory()
        policy.save(kept.name)
        policy = NetworkPolicy(Path(kept.name), source)
        policy.kept = kept
        return Learned(returns, lengths, policy)


def _by_episode(
    progress: ProgressOfEpisodes | None,
) -> Callable[[RunProgress], bool | None] | None:
    """The loop tells where it stands; a user hears of episodes, each once."""
    if progress is None:
        return None
    told: int | None = None  # the first call says where the run was opened

    def watch(now: RunProgress) -> bool | None:
        nonlocal told
        new = told is not None and now.episodes > told
        told = now.episodes if told is None else max(told, now.episodes)
        return progress(now.episodes, now.episode_return) if new else None

    return watch


def _policy_of(source: Source, player: TablePlayer) -> TablePolicy:
    layers = player.layers
    state = player.agent.native.save() if player.agent.belief.can_be_saved else b""
    policy: Layered = player.policy()
    read = PolicyLayers(layers.numbering, layers.layout, layers.by_time)
    return TablePolicy(source, read, policy, player.agent.spec, state)


def _writer(source: Source) -> Callable[[TablePlayer, str], None]:
    return lambda player, folder: _policy_of(source, player).save(folder)


def _command_of(definition: dict[str, Any], belief: Any) -> str:
    """What makes such a run again."""
    words = {key: repr(definition[key]) for key in ("episodes", "horizon", "seed")}
    if not definition["stationary"]:
        words["stationary"] = "False"
    if belief is not None:
        is_settings = isinstance(belief, Mapping)
        words["belief"] = repr(dict(belief)) if is_settings else definition["belief"]
    given = ", ".join(f"{key}={word}" for key, word in words.items())
    return f"vapor.learn({definition['env']!r}, {definition['agent']!r}, {given})"


def _belief_text(layers: Layers, belief: Any, made: Belief) -> str:
    """What a record says of a belief; tables by a few digits that tell them apart."""
    default = belief is None and not isinstance(layers, OwnLayers)
    if not default and not isinstance(belief, Mapping):
        return made.name
    settings = belief or {}
    words = ",".join(f"{key}={_word(value)}" for key, value in settings.items())
    return kind_of(settings) + (f":{words}" if words else "")


def _word(value: Any) -> str:
    if np.ndim(value) == 0:
        return str(value)
    if np.size(value) <= 2:
        return "..".join(str(part) for part in np.ravel(value))
    return hashlib.sha256(np.ascontiguousarray(value, dtype=np.float64).tobytes()).hexdigest()[:8]
