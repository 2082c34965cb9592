"""Problems for the agreement tests, as problem-file dictionaries: random ones and DeepSea posteriors.

Every number comes from a seed, so the same call gives the same bytes. Rewards and sigmas keep six
significant digits. Probabilities of random problems are multiples of 1/1000, so a row written in
decimals sums to 1 up to the last bit.
"""

from __future__ import annotations

import numpy as np

TRANSITIONS = ("dense", "sparse", "base", "mixed", "deterministic")
SIGMAS = ("uniform", "spread", "some zero", "narrow", "all zero")
REWARD_SCALES = (0.0, 0.01, 1.0, 1.0, 100.0)
GRID = 1000  # probabilities are counts out of this many


def six_digits(x: float) -> float:
    return float(f"{x:.6g}") + 0.0  # the sum turns -0 into 0


# ---------------------------------------------------------------- random problems


def random_problem(index: int) -> tuple[dict, str]:
    """Problem number `index` and a line that says what kind it is."""
    rng = np.random.default_rng([20230707, index])
    # Transitions and sigmas cycle through all 25 combinations; the rest is drawn.
    transition = TRANSITIONS[index % len(TRANSITIONS)]
    sigma_kind = SIGMAS[(index // len(TRANSITIONS)) % len(SIGMAS)]
    scale = REWARD_SCALES[rng.integers(len(REWARD_SCALES))]
    if sigma_kind == "all zero" and scale == 0.0:
        scale = 1.0
    ragged = rng.random() < 0.4
    forced = rng.random() < 0.25
    num_layers = int(rng.integers(1, 13))
    max_actions = int(rng.integers(1, 6))
    if forced:
        num_layers = max(num_layers, 2)
    actions = _action_counts(rng, num_layers, max_actions, ragged)
    if forced:  # one layer holds a single state with a single action: lambda = 1 there
        actions[int(rng.integers(num_layers))] = [1]
    uniform_sigma = 10.0 ** rng.uniform(-1, 1)
    layers = []
    for l, counts in enumerate(actions):
        layer = {
            "reward_mean": [[six_digits(scale * rng.normal()) for _ in range(n)] for n in counts],
            "sigma": [[_sigma(rng, sigma_kind, uniform_sigma) for _ in range(n)] for n in counts],
        }
        if l + 1 < num_layers:
            layer.update(_random_transitions(rng, transition, counts, len(actions[l + 1])))
        layers.append(layer)
    kind = f"{transition}, sigma {sigma_kind}, reward scale {scale:g}"
    kind += ", ragged" * ragged + ", forced pair" * forced
    initial = _initial(rng, len(actions[0]))
    return {"format": "vapor-problem", "version": 1, "initial": initial, "layers": layers}, kind


def _action_counts(rng, num_layers, max_actions, ragged) -> list[list[int]]:
    counts = []
    for _ in range(num_layers):
        states = int(rng.integers(1, 9))
        if ragged:
            counts.append([int(n) for n in rng.integers(1, max_actions + 1, states)])
        else:
            counts.append([max_actions] * states)
    return counts


def _sigma(rng, kind, uniform) -> float:
    if kind == "all zero" or (kind == "some zero" and rng.random() < 0.3):
        return 0.0
    if kind == "uniform":
        return six_digits(uniform)
    if kind == "narrow":
        return six_digits(rng.uniform(0.5, 1.5))
    return six_digits(10.0 ** rng.uniform(-2, 1))  # spread: 0.01 to 10 in one problem


def _initial(rng, num_states) -> list[float]:
    kind = rng.integers(3)
    if kind == 0:  # one certain state
        initial = [0.0] * num_states
        initial[int(rng.integers(num_states))] = 1.0
        return initial
    return [n / GRID for n in _grid_simplex(rng, num_states)]


def _grid_simplex(rng, n, total=GRID) -> list[int]:
    """Counts that sum to `total`; some may be 0."""
    return [int(c) for c in rng.multinomial(total, rng.dirichlet(np.full(n, 0.7)))]


def _random_transitions(rng, kind, counts, num_next) -> dict:
    if kind in ("base", "mixed"):
        base = [c / GRID for c in _grid_simplex(rng, num_next)]
        next_, weights = [], []
        for n in counts:
            weight = [GRID if kind == "base" else int(rng.integers(0, GRID + 1)) for _ in range(n)]
            weights.append([w / GRID for w in weight])
            next_.append([_sparse_row(rng, num_next, 2, GRID - w) for w in weight])
        return {"next": next_, "base": base, "base_weight": weights}
    width = {"dense": num_next, "sparse": 2, "deterministic": 1}[kind]
    return {"next": [[_sparse_row(rng, num_next, width, GRID) for _ in range(n)] for n in counts]}


def _sparse_row(rng, num_next, width, total) -> list[list]:
    states = sorted(int(s) for s in rng.choice(num_next, min(width, num_next), replace=False))
    counts = _grid_simplex(rng, len(states), total)
    return [[s, c / GRID] for s, c in zip(states, counts) if c > 0]


# ---------------------------------------------------------------- DeepSea posteriors

STAGES = ("early", "middle", "late")


def deep_sea_visits(depth: int, stage: str, seed: int) -> list[np.ndarray]:
    """Visit counts, [column, action] a layer: uniformly random episodes, and for `late` also a run
    of episodes that always go right and so reach the goal."""
    rng = np.random.default_rng([20230708, depth, STAGES.index(stage), seed])
    uniform = {"early": max(1, depth // 2), "middle": 3 * depth, "late": 8 * depth}[stage]
    right = depth if stage == "late" else 0
    visits = [np.zeros((l + 1, 2), dtype=int) for l in range(depth)]
    for episode in range(uniform + right):
        column = 0
        for l in range(depth):
            action = 1 if episode >= uniform else int(rng.integers(2))
            visits[l][column, action] += 1
            column = next_column(column, action)
    return visits


def next_column(column: int, action: int) -> int:
    """Layers are triangular: from column c of layer l, right always leads to c + 1 of layer l + 1."""
    return column + 1 if action == 1 else max(column - 1, 0)


def deep_sea_reward(depth: int, l: int, column: int, action: int) -> float:
    reward = -0.01 / depth if action == 1 else 0.0
    return reward + (1.0 if action == 1 and l == column == depth - 1 else 0.0)


def deep_sea_problem(depth: int, stage: str, m: int, variance: str, seed: int = 0) -> dict:
    """Posterior after those visits, each counted m times.

    Reward prior N(0, 1) with unit noise; Dirichlet prior of total mass 1 over the next layer's
    states, so a pair visited n times keeps base_weight 1 / (1 + m n) on the uniform base.
    variance: `literal` is the paper's transformed belief, `reward` the reward's alone, scaled by 0.03.
    """
    layers = []
    for l, visits in enumerate(deep_sea_visits(depth, stage, seed)):
        shrink = 1.0 / (1.0 + m * visits)
        factor = 3.6**2 + (depth - (l + 1)) ** 2 if variance == "literal" else 0.03
        layer = {"reward_mean": [], "sigma": []}
        for c in range(l + 1):
            mean = [m * visits[c, a] * deep_sea_reward(depth, l, c, a) * shrink[c, a] for a in (0, 1)]
            layer["reward_mean"].append([six_digits(x) for x in mean])
            layer["sigma"].append([six_digits(np.sqrt(factor * shrink[c, a])) for a in (0, 1)])
        if l + 1 < depth:
            layer.update(_posterior_transitions(l, visits, shrink))
        layers.append(layer)
    return {"format": "vapor-problem", "version": 1, "initial": [1.0], "layers": layers}


def _posterior_transitions(l, visits, shrink) -> dict:
    weight = [[float(f"{shrink[c, a]:.10g}") for a in (0, 1)] for c in range(l + 1)]
    next_ = [
        [[[next_column(c, a), round(1.0 - weight[c][a], 14)]] if visits[c, a] else [] for a in (0, 1)]
        for c in range(l + 1)
    ]
    return {"next": next_, "base": [1.0 / (l + 2)] * (l + 2), "base_weight": weight}
