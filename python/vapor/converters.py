"""Problems from the arrays and files of the common MDP tools.

These describe a stationary MDP. With a ``horizon``, which is how many steps the sum of rewards has,
it becomes a layered problem, with a ``discount`` a stationary one; one of both is needed. ``sigma``
is a number or an array ``(states, actions)``, 0 for an MDP that is known; ``initial`` is a state or
a distribution ``(states,)``.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import _core
from .errors import wrong
from .layered import Doubles
from .problem import Problem
from .tables import numbers, real, whole


def from_toolbox(
    transitions: Any,
    rewards: Any,
    *,
    horizon: int | None = None,
    discount: float | None = None,
    sigma: Any = 0.0,
    initial: Any = None,
) -> Problem:
    """pymdptoolbox: ``transitions`` are ``(actions, states, states)``, ``rewards`` ``(states,)``,
    ``(states, actions)`` or ``(actions, states, states)``.

    What has actions first may also be a list of matrices ``(states, states)``, one an action, dense
    or sparse (SciPy). A reward of a transition counts with its probability.
    """
    P = _by_action("transitions", transitions)
    states = P[0].shape[0]
    for action, matrix in enumerate(P):
        if matrix.shape != (states, states):
            raise wrong(
                f"transitions[{action}]",
                f"must have shape ({states}, {states}), has {matrix.shape}",
            )
    reward_mean = _mean_rewards(rewards, P)
    sigmas = _sigma_table(sigma, reward_mean.shape)
    return _problem(reward_mean, sigmas, _by_pair(P), _start(initial, states), horizon, discount)


def from_toy_text(
    environment: Any,
    *,
    horizon: int | None = None,
    discount: float | None = None,
    sigma: Any = 0.0,
    initial: Any = None,
) -> Problem:
    """Gymnasium's toy text: an environment, or its table
    ``P[state][action] = [(probability, next state, reward, terminated), ...]``.

    A step that terminates leads to one more state, the last, where nothing is paid or uncertain.
    ``initial`` defaults to the environment's own.
    """
    table = environment
    if not isinstance(environment, Mapping):
        table = getattr(environment.unwrapped, "P", None)
        if not isinstance(table, Mapping):
            raise wrong("environment", "has no table P: it is none of Gymnasium's toy text")
        if initial is None:
            initial = environment.unwrapped.initial_state_distrib
    if 0 not in table:
        raise wrong("P", "must have the states 0, 1, ...")
    states, actions = len(table), len(table[0])
    for state, choices in table.items():
        if len(choices) != actions:
            raise wrong(f"P[{state}]", f"must have {actions} actions, as P[0] has")
    P = np.zeros((states + 1, actions, states + 1))
    P[states, :, states] = 1.0
    reward_mean = np.zeros((states + 1, actions))
    for state in range(states):
        for action in range(actions):
            place = f"P[{state}][{action}]"
            for probability, following, reward, terminated in outcomes(table, state, action):
                if not 0 <= following < states:
                    raise wrong(place, f"leads to state {following}; there are {states}")
                P[state, action, states if terminated else following] += probability
                reward_mean[state, action] += probability * reward
    sigmas = np.zeros_like(reward_mean)
    sigmas[:states] = _sigma_table(sigma, (states, actions))
    start = _start(initial, states)
    if start is not None:
        start = np.append(start, 0.0)
    return _problem(reward_mean, sigmas, P, start, horizon, discount)


def read_drn(
    path: str | os.PathLike[str],
    *,
    reward: str = "",
    minimise: bool = False,
    horizon: int | None = None,
    discount: float | None = None,
    sigma: float = 0.0,
    sigma_share: float = 0.0,
    ignore_observations: bool = False,
) -> Problem:
    """Storm's explicit text format, ``.drn``: an MDP or DTMC, or the MDP below a POMDP if
    observations are ignored.

    ``reward`` names one of its rewards and may be left out if there is one; it is a cost if it is
    to be minimised. ``sigma_share`` times its absolute reward is added to the sigma of a pair; a
    state that is never left and pays nothing has sigma 0.
    """
    _one_of(horizon, discount)
    steps = 0 if horizon is None else whole("horizon", horizon, 1, 2**31 - 1)
    gamma = 0.0 if discount is None else discount_of(discount)
    return Problem.of_native(
        _core.read_drn(
            os.fspath(path),
            reward,
            minimise,
            steps,
            gamma,
            real("sigma", sigma),
            real("sigma_share", sigma_share),
            ignore_observations,
        )
    )


def read_umb(
    path: str | os.PathLike[str],
    *,
    reward: str = "",
    minimise: bool = False,
    horizon: int | None = None,
    discount: float | None = None,
    sigma: float = 0.0,
    sigma_share: float = 0.0,
    ignore_observations: bool = False,
) -> Problem:
    """UMB, which PRISM, Storm and Modest exchange; the other arguments are those of
    :func:`read_drn`. Needs the package ``umbi``.
    """
    from .umb import model_of_file

    model = model_of_file(os.fspath(path), ignore_observations)
    _one_of(horizon, discount)
    reward_mean = model.reward(reward)
    scale = real("sigma_share", sigma_share)
    sigmas = real("sigma", sigma) + scale * np.abs(reward_mean)
    sigmas[model.pairs_of_ends(reward_mean)] = 0.0
    if minimise:
        reward_mean = np.where(reward_mean == 0.0, 0.0, -reward_mean)
    return _problem(
        model.by_state(reward_mean),
        model.by_state(sigmas),
        model.transitions,
        model.initial,
        horizon,
        discount,
    )


def outcomes(
    table: Mapping[int, Any], state: int, action: int
) -> Sequence[tuple[float, int, float, bool]]:
    """What a table of toy text says may follow: probability, next state, reward, terminated."""
    try:
        return [(float(p), int(s), float(r), bool(end)) for p, s, r, end in table[state][action]]
    except (KeyError, TypeError, ValueError):
        raise wrong(
            f"P[{state}][{action}]",
            "must be a list of (probability, next state, reward, terminated)",
        ) from None


def _one_of(horizon: int | None, discount: float | None) -> None:
    if (horizon is None) == (discount is None):
        raise wrong("horizon", "is needed, or a discount, and not both")


def discount_of(discount: Any) -> float:
    """A discount, checked."""
    gamma = real("discount", discount)
    if not 0.0 < gamma < 1.0:
        raise wrong("discount", f"must be between 0 and 1, got {gamma:g}")
    return gamma


def _problem(
    reward_mean: Any,
    sigma: Any,
    transitions: Any,
    initial: Any,
    horizon: int | None,
    discount: float | None,
) -> Problem:
    """The layered problem of a horizon or the stationary one of a discount."""
    _one_of(horizon, discount)
    if horizon is not None:
        return Problem.stationary(reward_mean, sigma, transitions, horizon, initial)
    return Problem.discounted(reward_mean, sigma, transitions, discount_of(discount), initial)


def _by_action(place: str, matrices: Any) -> list[Any]:
    """A matrix an action, dense and checked or sparse."""
    entries = list(matrices)
    if not entries:
        raise wrong(place, "has no actions")
    return [
        matrix.tocsr() if hasattr(matrix, "tocsr") else numbers(f"{place}[{action}]", matrix, 2)
        for action, matrix in enumerate(entries)
    ]


def _by_pair(P: list[Any]) -> Any:
    """``(states, actions, states)``, or sparse ``(states * actions, states)``."""
    if not any(hasattr(matrix, "tocsr") for matrix in P):
        return np.stack(P, axis=1)
    import scipy.sparse

    states, actions = P[0].shape[0], len(P)
    rows = np.arange(states * actions).reshape(actions, states).T.ravel()
    return scipy.sparse.vstack([scipy.sparse.csr_matrix(matrix) for matrix in P]).tocsr()[rows]


def _mean_rewards(rewards: Any, P: list[Any]) -> Doubles:
    """E r, ``(states, actions)``."""
    states, actions = P[0].shape[0], len(P)
    if not _is_by_action(rewards):
        table = np.asarray(rewards)
        if table.ndim == 1:
            table = np.repeat(numbers("rewards", table, 1)[:, None], actions, axis=1)
        table = numbers("rewards", table, 2)
        if table.shape != (states, actions):
            raise wrong(
                "rewards",
                f"must have shape ({states},), ({states}, {actions}) or "
                f"({actions}, {states}, {states}), has {np.shape(rewards)}",
            )
        return table
    R = _by_action("rewards", rewards)
    if len(R) != actions:
        raise wrong("rewards", f"has {len(R)} actions, transitions has {actions}")
    columns = []
    for action, (matrix, reward) in enumerate(zip(P, R, strict=True)):
        if reward.shape != matrix.shape:
            raise wrong(f"rewards[{action}]", f"must have shape {matrix.shape}, has {reward.shape}")
        product = reward.multiply(matrix) if hasattr(reward, "tocsr") else _times(matrix, reward)
        columns.append(np.asarray(product.sum(axis=1)).ravel())
    return np.stack(columns, axis=1)


def _times(matrix: Any, reward: Doubles) -> Any:
    return matrix.multiply(reward) if hasattr(matrix, "tocsr") else matrix * reward


def _is_by_action(rewards: Any) -> bool:
    if isinstance(rewards, np.ndarray) and rewards.dtype != object:
        return rewards.ndim == 3
    return len(rewards) > 0 and all(
        hasattr(entry, "tocsr") or np.ndim(entry) == 2 for entry in rewards
    )


def _sigma_table(sigma: Any, shape: tuple[int, ...]) -> Doubles:
    if np.ndim(sigma) == 0:
        return np.full(shape, float(sigma))
    table = numbers("sigma", sigma, 2)
    if table.shape != shape:
        raise wrong("sigma", f"must be a number or have shape {shape}, has {table.shape}")
    return table


def _start(initial: Any, states: int) -> Doubles | None:
    if initial is None:
        return None
    if np.ndim(initial) == 0:
        if int(initial) != initial or not 0 <= initial < states:
            raise wrong("initial", f"there is no state {initial}; there are {states}")
        start = np.zeros(states)
        start[int(initial)] = 1.0
        return start
    return numbers("initial", initial, 1)
