"""The backward pass of a batch beside cvxpylayers' (diffcp), on the same problems:

    scripts/setup-layers
    PYTHONPATH=build/release/python build/layers/bin/python benchmarks/layers/layers.py

which prints what benchmarks/layers/layers.json holds.

Weighted-entropy problems, which a cone solver takes as they are: the occupancy of the first pair is
differentiated with respect to all rewards. Exactness is against central differences of optima that
are Newton's to the last digit. Times are of the process (user and system), best of some.
"""

import json
import sys
import time

import cvxpy as cp
import jax
import numpy as np

jax.config.update("jax_enable_x64", True)

from cvxpylayers.jax import CvxpyLayer  # noqa: E402
from vapor.derivatives import Layer  # noqa: E402

import vapor  # noqa: E402

LAYERS, STATES, ACTIONS, BATCH = 5, 6, 3, 8


def flow_of(problem: vapor.Problem) -> tuple[np.ndarray, np.ndarray]:
    """A lambda = b: the flow constraints."""
    layout = problem.layout
    rows, pairs = len(layout.actions), layout.pairs
    matrix, right = np.zeros((rows, pairs)), np.zeros(rows)
    right[: len(problem.initial)] = problem.initial
    state_of = np.repeat(np.arange(rows), layout.actions)
    matrix[state_of, np.arange(pairs)] = 1.0
    for layer in range(layout.layers - 1):
        first, last = layout.first_pair[layout.first_state[layer : layer + 2]]
        below = slice(*layout.first_state[layer + 1 : layer + 3])
        matrix[below, first:last] -= problem.transitions(layer).T
    return matrix, right


def best_of(times: int, call) -> float:
    spent = []
    for _ in range(times):
        begin = time.process_time()
        call()
        spent.append(time.process_time() - begin)
    return min(spent)


def main() -> None:
    problem = vapor.random_problem(LAYERS, STATES, ACTIONS, successors=3, seed=1)
    pairs = problem.layout.pairs
    sigma = problem.sigma.flat
    rewards = np.stack(
        [problem.reward_mean.flat * (1.0 + 0.02 * i) for i in range(BATCH)]
    )
    cotangent = np.zeros((BATCH, pairs))
    cotangent[:, 0] = 1.0

    ours = Layer(problem, regulariser="weighted_entropy", threads=1)
    tables = [rewards, None, None, None]
    solved = ours.solve(tables, BATCH)
    zero = np.zeros(BATCH)

    def backward() -> np.ndarray:
        return ours.adjoint(solved, zero, cotangent, 0 * cotangent)[0]

    gradient = backward()
    ours_forward = best_of(5, lambda: ours.solve(tables, BATCH))
    ours_backward = best_of(20, backward)

    matrix, right = flow_of(problem)
    r, x = cp.Parameter(pairs), cp.Variable(pairs)
    program = cp.Problem(
        cp.Maximize(r @ x + sigma @ cp.entr(x)), [matrix @ x == right]
    )
    layer = CvxpyLayer(program, parameters=[r], variables=[x])

    def theirs(batch):
        return layer(batch)[0]

    found, pull = jax.vjp(theirs, jax.numpy.asarray(rewards))
    their_gradient = np.asarray(pull(jax.numpy.asarray(cotangent))[0])
    their_forward = best_of(2, lambda: np.asarray(theirs(jax.numpy.asarray(rewards))))
    their_backward = best_of(3, lambda: np.asarray(pull(jax.numpy.asarray(cotangent))[0]))

    # The same at a tolerance that is worth differentiating at.
    tight, pull_tight = jax.vjp(
        lambda batch: layer(batch, solver_args={"eps_abs": 1e-10, "eps_rel": 1e-10})[0],
        jax.numpy.asarray(rewards),
    )
    tight_gradient = np.asarray(pull_tight(jax.numpy.asarray(cotangent))[0])
    tight_backward = best_of(3, lambda: np.asarray(pull_tight(jax.numpy.asarray(cotangent))[0]))

    def occupancy(batch: np.ndarray) -> np.ndarray:
        return ours.solve([batch, None, None, None], BATCH).occupancy.reshape(BATCH, pairs)[:, 0]

    step, exact = 1e-4, np.zeros((BATCH, pairs))
    for p in range(pairs):
        def at(k: float, p: int = p) -> np.ndarray:
            moved = rewards.copy()
            moved[:, p] += k * step
            return occupancy(moved)

        exact[:, p] = (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * step)
    scale = np.abs(exact).max()
    json.dump(
        {
            "problem": {"layers": LAYERS, "states": STATES, "actions": ACTIONS, "batch": BATCH},
            "versions": {"cvxpylayers": "1.2.0", "diffcp": "1.1.9", "scs": "3.3.1"},
            "seconds": {
                "vapor_forward": ours_forward,
                "vapor_backward": ours_backward,
                "cvxpylayers_forward": their_forward,
                "cvxpylayers_backward": their_backward,
                "cvxpylayers_tight_backward": tight_backward,
            },
            "backward_ratio": their_backward / ours_backward,
            "error": {
                "vapor": float(np.abs(gradient - exact).max() / scale),
                "cvxpylayers": float(np.abs(their_gradient - exact).max() / scale),
                "cvxpylayers_median": float(np.median(np.abs(their_gradient - exact)) / scale),
                "cvxpylayers_tight": float(np.abs(tight_gradient - exact).max() / scale),
                "cvxpylayers_tight_occupancy": float(
                    np.abs(np.asarray(tight) - solved.occupancy.reshape(BATCH, pairs)).max()
                ),
                "cvxpylayers_occupancy": float(
                    np.abs(np.asarray(found) - solved.occupancy.reshape(BATCH, pairs)).max()
                ),
            },
        },
        sys.stdout,
        indent=1,
    )
    print()


if __name__ == "__main__":
    main()
