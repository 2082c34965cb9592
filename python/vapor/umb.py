"""UMB files, the exchange format of PRISM, Storm and Modest, through the package ``umbi``."""

from __future__ import annotations

from typing import Any

import numpy as np

from .errors import refuse_other_than_file, wrong
from .layered import Doubles

_ROW_TOLERANCE = 1e-6


class UmbModel:
    """An MDP as UMB states it: states with choices, and named rewards."""

    def __init__(self, name: str, ats: Any) -> None:
        self._name = name
        self._ats = ats
        choices = [list(ats.get_state_choices(state)) for state in ats.states]
        for state, own in enumerate(choices):
            if not own:
                raise wrong(f"{name}: state {state}", "has no choice")
        self.choices_of = np.array([len(own) for own in choices])
        self._choices = [choice for own in choices for choice in own]
        self._state_of = np.repeat(np.arange(len(choices)), self.choices_of)
        self.transitions = self._matrix()
        starts = list(ats.initial_states)
        if not starts:
            raise wrong(name, "has no initial state")
        self.initial = np.zeros(len(choices))
        self.initial[starts] = 1.0 / len(starts)

    def _matrix(self) -> Any:
        """P, sparse ``(pairs, states)``, its rows divided by their sums."""
        import scipy.sparse

        rows, columns, values = [], [], []
        for pair, choice in enumerate(self._choices):
            for branch in choice.branches:
                probability = 1.0 if branch.prob is None else self._number(branch.prob, pair)
                rows.append(pair)
                columns.append(branch.target)
                values.append(probability)
        shape = (len(self._choices), len(self.choices_of))
        matrix = scipy.sparse.csr_matrix((values, (rows, columns)), shape=shape)
        sums = np.asarray(matrix.sum(axis=1)).ravel()
        for wrong_pair in np.flatnonzero(~(np.abs(sums - 1.0) <= _ROW_TOLERANCE)):
            raise wrong(
                self._place(int(wrong_pair)),
                f"probabilities must sum to 1, got {sums[wrong_pair]:g}",
            )
        return scipy.sparse.diags(1.0 / sums) @ matrix

    def _place(self, pair: int) -> str:
        state = int(self._state_of[pair])
        first = int(self.choices_of[:state].sum())
        return f"{self._name}: state {state}, choice {pair - first}"

    def _number(self, value: Any, pair: int) -> float:
        try:
            number = float(value)
        except (TypeError, ValueError):
            number = float("nan")
        if not 0.0 <= number < float("inf"):
            raise wrong(self._place(pair), f"a probability must be a number >= 0, got {value}")
        return number

    def reward(self, name: str) -> Doubles:
        """By pair: what the state and the choice pay, and the branches on average."""
        known = list(self._ats.reward_annotation_names)
        if not name and len(known) == 1:
            name = known[0]
        if name not in known:
            there = f"the model has {', '.join(known) or 'none'}"
            raise wrong(
                "reward", f"there is no {name!r}; {there}" if name else f"is needed: {there}"
            )
        annotation = self._ats.get_reward_annotation(name)
        total = np.zeros(len(self._choices))
        index = np.array([choice.index for choice in self._choices])
        if annotation.has_state_values:
            total += self._values(name, annotation.state_values)[self._state_of]
        if annotation.has_choice_values:
            total += self._values(name, annotation.choice_values)[index]
        if annotation.has_branch_values:
            total += self._means(self._values(name, annotation.branch_values))
        return total

    def _means(self, of_branch: Doubles) -> Doubles:
        """By pair, what its branches pay on average; they are numbered through all choices."""
        ordered = sorted(range(len(self._choices)), key=lambda pair: self._choices[pair].index)
        means = np.zeros(len(self._choices))
        branch = 0
        for pair in ordered:
            for each in self._choices[pair].branches:
                probability = 1.0 if each.prob is None else float(each.prob)
                means[pair] += probability * of_branch[branch]
                branch += 1
        return means

    def _values(self, name: str, values: Any) -> Doubles:
        table = np.array([float(value) for value in values])
        if not np.isfinite(table).all():
            raise wrong(self._name, f"the reward {name} must be finite everywhere")
        return table

    def pairs_of_ends(self, reward: Doubles) -> Any:
        """Which pairs belong to states that are never left and pay nothing."""
        stays = np.asarray(self.transitions[np.arange(len(self._choices)), self._state_of]).ravel()
        open_states = np.zeros(len(self.choices_of), dtype=bool)
        np.logical_or.at(open_states, self._state_of, (stays < 1.0) | (reward != 0.0))
        return ~open_states[self._state_of]

    def by_state(self, table: Doubles) -> list[Doubles]:
        """A table by pair as rows, one a state."""
        return np.split(table, np.cumsum(self.choices_of)[:-1])


def model_of_file(name: str, ignore_observations: bool) -> UmbModel:
    """Reads a file; raises :class:`vapor.InputError` that names it and the place in it."""
    try:
        import umbi  # type: ignore[import-not-found]
    except ImportError:
        raise ImportError("UMB files need the package umbi: pip install umbi") from None
    refuse_other_than_file(name)
    try:
        ats = umbi.ats.read(name)
    except Exception as error:  # whatever a damaged file leads tarfile, struct and umbi to
        raise wrong(name, f"is no UMB file that umbi can read: {_one_line(error)}") from None
    if ats.time != umbi.ats.TimeType.DISCRETE:
        raise wrong(name, "must be of discrete time")
    if ats.num_players > 1:
        raise wrong(name, f"is a game of {ats.num_players} players; a problem has one")
    if ats.has_observations and not ignore_observations:
        raise wrong(
            name, "is only partially observed; its MDP can be read if observations are ignored"
        )
    return UmbModel(name, ats)


def _one_line(error: Exception) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text[:200]}" if text else type(error).__name__
