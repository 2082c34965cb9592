"""What was learned, by table or by network: it acts, is evaluated, saved and loaded."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ._core import RandomStream
from .errors import wrong
from .gymnasium.making import Source
from .gymnasium.playing import drawn, play, reset_seed
from .gymnasium.time_layers import Numbering
from .layered import Doubles, Layered, Layout
from .npz import read_arrays, write_arrays
from .records import Run
from .tables import whole

FILE = "policy.npz"
_FORMAT = "vapor-policy"
_DTYPES: dict[str, type[np.generic]] = {
    "states": np.int32,
    "actions": np.int32,
    "sizes": np.int64,
    "firsts": np.int64,
    "policy": np.float64,
    "state": np.uint8,
}
_WORDS = ("env", "layers", "agent")


class Evaluation(NamedTuple):
    """Returns of episodes under one policy, ``(episodes,)``, their mean and its standard error."""

    mean: float
    standard_error: float
    returns: Doubles

    def __repr__(self) -> str:
        return f"{self.mean:.4g} ± {self.standard_error:.2g} over {len(self.returns)} episodes"


class PolicyLayers:
    """Where the pairs of an observation are; ``by_time``: in a layer for each step, after one
    layer for the start."""

    def __init__(self, numbering: Numbering, layout: Layout, by_time: bool) -> None:
        self.numbering = numbering
        self.layout = layout
        self.by_time = by_time
        self.horizon = layout.layers - (1 if by_time else 0)
        self.end = numbering.values if by_time else len(layout.actions)

    def number(self, observation: Any) -> int:
        """The state that an observation stands for."""
        return self.numbering(observation)

    def choice(self, step: int, state: int) -> tuple[int, int]:
        """The first pair of a state after so many steps, and how many actions it has."""
        if self.by_time:
            state += int(self.layout.first_state[1 + step])
        return int(self.layout.first_pair[state]), int(self.layout.actions[state])


class TablePolicy:
    """A policy by table; ``policy`` is by layer ``(states, actions)``, and ``agent`` the spec of
    the agent whose policy after its last episode it is."""

    def __init__(
        self, source: Source, layers: PolicyLayers, policy: Layered, agent: str, state: bytes
    ) -> None:
        self.policy = policy
        self.agent = agent
        self._source = source
        self._layers = layers
        self.state = state  # of the agent
        self._random = RandomStream(0)

    def act(self, observation: Any, *, step: int | None = None) -> int:
        """Draws an action after ``step`` steps of an episode.

        The steps that are left change what is best, so they must be told, except for
        environments of this library, whose states tell them.
        """
        layers = self._layers
        if step is None and layers.by_time:
            raise wrong("step", "is needed: the policy is another one after each step")
        at = whole("step", step or 0, 0, layers.horizon - 1)
        first, count = layers.choice(at, layers.number(observation))
        return drawn(self.policy.flat[first : first + count], self._random)

    def evaluate(self, episodes: int = 100, *, seed: int = 1, env: Any = None) -> Evaluation:
        """Plays so many episodes without learning; ``env`` as in :func:`vapor.learn`, by default
        the environment that was learned in."""
        random = RandomStream(seed).split("evaluate")
        with _Opened(self._source if env is None else Source(env)) as made:
            return _evaluation(
                play(
                    made,
                    self._layers,
                    self.policy.flat,
                    random.split("play").split(number),
                    reset_seed(random, number),
                ).rewards.sum()
                for number in range(1, whole("episodes", episodes, 1, 10**9) + 1)
            )

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Writes the policy, for :func:`vapor.load`."""
        Path(folder).mkdir(parents=True, exist_ok=True)
        layers = self._layers
        write_arrays(
            Path(folder) / FILE,
            _FORMAT,
            {
                "env": np.array(self._source.name or ""),
                "layers": np.array("time" if layers.by_time else "own"),
                "agent": np.array(self.agent),
                "states": layers.layout.states,
                "actions": layers.layout.actions,
                "sizes": np.array(layers.numbering.sizes, dtype=np.int64),
                "firsts": np.array(layers.numbering.firsts, dtype=np.int64),
                "policy": self.policy.flat,
                "state": np.frombuffer(self.state, dtype=np.uint8),
            },
        )

    @classmethod
    def read(cls, folder: Path, source: Source | None = None) -> TablePolicy:
        """What :meth:`save` wrote."""
        name = os.fspath(folder / FILE)
        words, tables = read_arrays(name, _FORMAT, _WORDS, _DTYPES)
        layout = Layout(tables["states"], tables["actions"])
        numbering = Numbering(
            tuple(int(size) for size in tables["sizes"]),
            tuple(int(first) for first in tables["firsts"]),
        )
        _check(name, words, layout, numbering, tables["policy"])
        return cls(
            source or Source(words["env"]),
            PolicyLayers(numbering, layout, words["layers"] == "time"),
            Layered(tables["policy"], layout),
            words["agent"],
            tables["state"].tobytes(),
        )


def _check(
    name: str, words: dict[str, str], layout: Layout, numbering: Numbering, policy: Doubles
) -> None:
    """All that acting relies on."""
    if words["layers"] not in ("time", "own"):
        raise wrong(f"{name}: layers", f"must be time or own, got {words['layers']}")
    if len(layout.states) == 0 or layout.states.min() < 1 or layout.actions.min() < 1:
        raise wrong(f"{name}: states", "must have layers of states that have actions")
    if layout.states.sum(dtype=np.int64) != len(layout.actions):
        raise wrong(f"{name}: actions", "must have an entry for each state")
    if len(policy) != layout.pairs or policy.min() < 0.0:
        raise wrong(f"{name}: policy", f"must be {layout.pairs} probabilities")
    if len(numbering.sizes) != len(numbering.firsts) or min(numbering.sizes, default=0) < 1:
        raise wrong(f"{name}: sizes", "must be those of an observation space")
    if words["layers"] == "time" and (layout.states[1:] != numbering.values + 1).any():
        raise wrong(f"{name}: sizes", "must be those of the states of a layer, without its end")


class NetworkPolicy:
    """A policy by network: ``policy`` is the :class:`vapor.deep.Policy` of the folder."""

    kept: Any = None  # a folder that goes when the policy does

    def __init__(self, folder: Path, source: Source | None = None) -> None:
        from .deep import Policy

        self.folder = folder
        self.policy = Policy.read(folder)
        definition = Run.read(folder).definition
        self.agent = str(definition["agent"])
        self._source = source or Source(str(definition["env"]))
        self._random = RandomStream(0)

    def act(self, observation: Any, *, step: int | None = None) -> int:
        """Draws an action. Agents that remember begin to do so anew at ``step=0``."""
        if step == 0:
            self.policy.begin([0])
        return self._drawn(observation, self._random)

    def evaluate(self, episodes: int = 100, *, seed: int = 1, env: Any = None) -> Evaluation:
        """As :meth:`TablePolicy.evaluate`."""
        random = RandomStream(seed).split("evaluate")
        with _Opened(self._source if env is None else Source(env)) as made:
            return _evaluation(
                self._return_of(made, random, number)
                for number in range(1, whole("episodes", episodes, 1, 10**9) + 1)
            )

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Copies what :func:`vapor.load` reads."""
        Path(folder).mkdir(parents=True, exist_ok=True)
        for name in ("run.json", "episodes.csv", "policy", "observations.json"):
            if (self.folder / name).exists():
                shutil.copyfile(self.folder / name, Path(folder) / name)

    def _drawn(self, observation: Any, random: RandomStream) -> int:
        first = 0 if self.policy.layout is None else self.policy.layout.first_action
        return first + drawn(self.policy.act(np.asarray(observation)[None])[0], random)

    def _return_of(self, env: Any, random: RandomStream, number: int) -> float:
        observation, _ = env.reset(seed=reset_seed(random, number))
        self.policy.begin([0], seed=number)
        stream, total, over = random.split("play").split(number), 0.0, False
        while not over:
            observation, reward, terminated, truncated, _ = env.step(
                self._drawn(observation, stream)
            )
            total += float(reward)
            over = bool(terminated or truncated)
        return total


class _Opened:
    """An environment that is closed again, unless it was given."""

    def __init__(self, source: Source) -> None:
        self._source = source

    def __enter__(self) -> Any:
        self._env = self._source.make()
        return self._env

    def __exit__(self, *_: object) -> None:
        self._source.put_away(self._env)


def _evaluation(returns: Any) -> Evaluation:
    values = np.fromiter(returns, dtype=np.float64)
    error = float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else 0.0
    return Evaluation(float(values.mean()), error, values)


def load(folder: str | os.PathLike[str], env: Any = None) -> TablePolicy | NetworkPolicy:
    """What :func:`vapor.learn` or :func:`vapor.deep.train` left in a folder, or ``save`` wrote.

    ``folder`` is that of one seed, or one that holds a single seed. ``env`` is where
    ``evaluate`` plays: by default what the folder names, if that is a Gymnasium id.
    """
    path = Path(folder)
    if not any((path / name).exists() for name in (FILE, "policy")):
        seeds = sorted(path.glob("seed-*"))
        if len(seeds) != 1:
            raise wrong(
                os.fspath(folder), f"holds no policy, and {len(seeds)} seeds: name one of them"
            )
        path = seeds[0]
    source = None if env is None else Source(env)
    if (path / FILE).exists():
        return TablePolicy.read(path, source)
    if not (path / "policy").exists():
        raise wrong(os.fspath(path), "holds no policy: was its run ended or interrupted?")
    return NetworkPolicy(path, source)
