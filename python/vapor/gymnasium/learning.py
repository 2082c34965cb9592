"""Tabular agents in any Gymnasium environment with discrete spaces."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .._core import RandomStream
from ..agents import Agent
from ..beliefs import Belief
from ..errors import wrong
from ..layered import Doubles
from .time_layers import Layers, OwnLayers, Played, layers_of


class Learned(NamedTuple):
    """What :func:`learn` returns: ``returns`` and ``lengths`` are ``(episodes,)``."""

    returns: Doubles
    lengths: npt.NDArray[np.int64]
    agent: Agent
    layers: Layers


def learn(
    env: Any,
    agent: str = "vapor",
    *,
    episodes: int = 100,
    horizon: int | None = None,
    belief: Belief | Mapping[str, Any] | None = None,
    stationary: bool = True,
    seed: int = 1,
    progress: Callable[[int, float], bool | None] | None = None,
) -> Learned:
    """Lets a tabular agent learn in a Gymnasium environment with discrete spaces.

    Parameters
    ----------
    env
        The environment. Observations are Discrete, MultiDiscrete or a Tuple of Discrete, actions
        Discrete; anything else is refused with :class:`vapor.InputError`. It must be Markov: what
        follows depends on the observation and the action alone.
    agent
        The spec of an agent, see ``vapor list agents``.
    horizon
        The steps of an episode, after which the environment is reset; its own limit by default.
        The agent plans for the sum of the rewards up to there. Time and memory grow with it.
    belief
        A belief of the environment's layers, or settings of :meth:`vapor.Belief.normal_gamma`,
        e.g. ``{"reward_range": (0, 1)}``; those that name ``mean``, ``variance`` or
        ``noise_variance`` are of :meth:`vapor.Belief.gaussian`. Environments of this library have
        the belief that fits them by default.
    stationary
        Whether what is seen at one step holds at every step. False learns each step on its own.
    seed
        Of the environment's first reset, the agent and its actions.
    progress
        Called after each episode with its number and return; returning False ends the learning.
    """
    if episodes < 1:
        raise wrong("episodes", f"must be at least 1, got {episodes}")
    layers = layers_of(env, horizon, stationary)
    learner = Agent(
        agent,
        _belief_of(layers, belief),
        layers.environment if isinstance(layers, OwnLayers) else None,
    )
    random = RandomStream(seed)
    returns: list[float] = []
    lengths: list[int] = []
    for number in range(1, episodes + 1):
        policy = learner.policy(random.split("agent").split(number)).flat
        start = seed if number == 1 else None
        played = play(env, layers, policy, random.split("play").split(number), start)
        learner.observe(layers.episode(played))
        returns.append(float(played.rewards.sum()))
        lengths.append(len(played.rewards))
        answer = None if progress is None else progress(number, returns[-1])
        if answer is not None and not answer:
            break
    return Learned(np.array(returns), np.array(lengths), learner, layers)


def _belief_of(layers: Layers, belief: Belief | Mapping[str, Any] | None) -> Belief:
    if isinstance(belief, Belief):
        if belief.problem.layout != layers.layout:
            raise wrong(
                "belief",
                "is about other states and actions than the environment has in its layers; make it "
                "with the belief() of vapor.gymnasium.TimeLayers, or give settings",
            )
        return belief
    if belief is None and isinstance(layers, OwnLayers):
        return Belief.about(layers.environment)
    return layers.belief(**(belief or {}))


def play(
    env: Any, layers: Layers, policy: Doubles, random: RandomStream, seed: int | None = None
) -> Played:
    """Plays an episode under a policy by pair, one array ``(pairs,)``.

    It ends when the environment says so, and after ``layers.horizon`` steps.
    """
    states: list[int] = []
    actions: list[int] = []
    rewards: list[float] = []
    following: list[int] = []
    observation, _ = env.reset(seed=seed)
    state = layers.number(observation)
    over = False
    while not over and len(states) < layers.horizon:
        first, count = layers.choice(len(states), state)
        action = _drawn(policy[first : first + count], random)
        observation, reward, terminated, truncated, _ = env.step(action)
        states.append(state)
        actions.append(action)
        rewards.append(float(reward))
        state = layers.end if terminated else layers.number(observation)
        following.append(state)
        over = bool(terminated or truncated)
    return Played(
        np.array(states, dtype=np.int64),
        np.array(actions, dtype=np.int64),
        np.array(rewards),
        np.array(following, dtype=np.int64),
    )


def _drawn(probabilities: Doubles, random: RandomStream) -> int:
    cumulative = probabilities.cumsum()
    drawn = np.searchsorted(cumulative, random.uniform() * cumulative[-1], side="right")
    return min(int(drawn), len(cumulative) - 1)
