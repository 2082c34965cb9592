#!/usr/bin/env python3
"""Makes the stored reference data of the discounted problems: `problems.json`.

    generate.py            write the problems and what CVXPY says of them (a minute)
    generate.py --check    compare the stored problems with what the seeds give; solves nothing

Each is solved by Clarabel through CVXPY, over the discounted occupancy polytope as it is written in
docs/solver.md, and by HiGHS where every sigma is 0. Run it with the interpreter that
`scripts/setup-peers` makes.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import cvxpy as cp
import numpy as np

HERE = Path(__file__).resolve().parent
FILE = HERE / "problems.json"
DISCOUNTS = (0.3, 0.7, 0.9, 0.97, 0.99)
PER_KIND = 60  # plain, constrained; a third as many of the other kinds
KINDS = {"plain": PER_KIND, "constrained": PER_KIND, "infeasible": 20, "linear": 20}


def random_model(random: np.random.Generator, kind: str) -> dict:
    """Up to 10 states and 4 actions, up to 4 successors a pair."""
    states, actions = int(random.integers(2, 11)), int(random.integers(2, 5))
    transitions = np.zeros((states, actions, states))
    for row in transitions.reshape(-1, states):
        successors = random.choice(states, min(states, int(random.integers(1, 5))), replace=False)
        row[successors] = random.dirichlet(np.ones(len(successors)))
    sigma = np.exp(random.uniform(np.log(0.03), np.log(3.0), size=(states, actions)))
    if random.random() < 0.3:
        sigma[random.random(sigma.shape) < 0.3] = 0.0
    if kind == "linear":
        sigma[:] = 0.0
    return {
        "discount": float(random.choice(DISCOUNTS)),
        "initial": random.dirichlet(np.ones(states)),
        "transitions": transitions,
        "reward": random.normal(size=(states, actions)),
        "sigma": sigma,
    }


def occupancy_of(model: dict, policy: np.ndarray) -> np.ndarray:
    gamma = model["discount"]
    step = np.einsum("sa,sat->st", policy, model["transitions"])
    mass = np.linalg.solve(np.eye(len(step)) - gamma * step.T, (1 - gamma) * model["initial"])
    return mass[:, None] * policy


def random_constraints(random: np.random.Generator, model: dict, kind: str, index: int) -> list:
    """Around the measure of a random policy; infeasible ones ask for less than the least cost."""
    if kind == "plain" or (kind == "linear" and index % 2 == 0):
        return []
    shape = model["reward"].shape
    measure = occupancy_of(model, random.dirichlet(np.ones(shape[1]), size=shape[0]))
    constraints = []
    for number in range(int(random.integers(1, 4))):
        cost = random.normal(size=shape)
        sense = "=" if number == 2 else str(random.choice(["<=", ">="]))
        room = {"<=": 0.01, ">=": -0.01, "=": 0.0}[sense]
        constraints.append((cost, sense, float((cost * measure).sum()) + room))
    if kind == "infeasible":
        cost = random.normal(size=shape)
        least = solve_linear(model | {"reward": -cost}, [])
        constraints.append((cost, "<=", -least - 1e-3))
    return constraints


def flow(model: dict, measure: cp.Variable):
    gamma, transitions = model["discount"], model["transitions"]
    states = len(transitions)
    inflow = sum(transitions[s].T @ measure[s] for s in range(states))
    return cp.sum(measure, axis=1) == (1 - gamma) * model["initial"] + gamma * inflow


def rows(measure: cp.Variable, constraints: list) -> list:
    left = [cp.sum(cp.multiply(cost, measure)) for cost, _, _ in constraints]
    relation = {"<=": lambda x, b: x <= b, ">=": lambda x, b: x >= b, "=": lambda x, b: x == b}
    return [relation[c[1]](x, c[2]) for x, c in zip(left, constraints, strict=True)]


def solve_linear(model: dict, constraints: list) -> float:
    measure = cp.Variable(model["reward"].shape, nonneg=True)
    value = cp.sum(cp.multiply(model["reward"], measure))
    program = cp.Problem(cp.Maximize(value), [flow(model, measure), *rows(measure, constraints)])
    return float(program.solve(solver="HIGHS"))


def solve(model: dict, constraints: list) -> dict:
    """lambda sqrt(-2 log lambda) = sqrt(2) t at best, where t^2 <= lambda e and e <= entropy."""
    measure = cp.Variable(model["reward"].shape, nonneg=True)
    uncertain = np.flatnonzero(model["sigma"])
    part = cp.vec(measure, order="C")[uncertain]
    entropy, mean = cp.Variable(len(uncertain)), cp.Variable(len(uncertain))
    cone = cp.SOC(part + entropy, cp.vstack([2 * mean, part - entropy]))
    bonus = np.sqrt(2.0) * cp.sum(cp.multiply(model["sigma"].ravel()[uncertain], mean))
    program = cp.Problem(
        cp.Maximize(cp.sum(cp.multiply(model["reward"], measure)) + bonus),
        [flow(model, measure), entropy <= cp.entr(part), cone, *rows(measure, constraints)],
    )
    status = None
    for tolerance in (1e-10, 1e-9, 1e-8):
        try:
            program.solve(
                solver="CLARABEL", tol_gap_abs=tolerance, tol_gap_rel=tolerance, tol_feas=tolerance
            )
        except cp.error.SolverError:
            continue
        status = program.status
        if status in ("optimal", "infeasible"):
            break
    return {"status": status, "value": program.value}


def problem_file(model: dict, constraints: list) -> dict:
    successors = [
        [[[int(t), row[t]] for t in np.nonzero(row)[0]] for row in of_state]
        for of_state in model["transitions"]
    ]
    data = {
        "format": "vapor-problem",
        "version": 1,
        "initial": model["initial"].tolist(),
        "discount": model["discount"],
        "layers": [
            {
                "reward_mean": model["reward"].tolist(),
                "sigma": model["sigma"].tolist(),
                "next": successors,
            }
        ],
    }
    if constraints:
        data["constraints"] = [
            {"name": f"row {i}", "sense": sense, "bound": bound, "cost": [cost.tolist()]}
            for i, (cost, sense, bound) in enumerate(constraints)
        ]
    return data


def main() -> None:
    check = "--check" in sys.argv[1:]
    entries = []
    for kind, count in KINDS.items():
        for index in range(count):
            random = np.random.default_rng([list(KINDS).index(kind), index])
            model = random_model(random, kind)
            constraints = random_constraints(random, model, kind, index)
            entry = {"name": f"{kind}-{index:02d}", "problem": problem_file(model, constraints)}
            if not check and kind == "linear":
                entry["linear_program"] = solve_linear(model, constraints)
            elif not check:
                entry["clarabel"] = solve(model, constraints)
                if kind == "infeasible":
                    entry["clarabel"] = {"status": entry["clarabel"]["status"]}
            entries.append(entry)
    if check:
        stored = json.loads(FILE.read_text())
        same = [e["problem"] for e in stored] == [e["problem"] for e in entries]
        sys.exit(None if same else "the stored problems are not what the seeds give")
    lines = ",\n".join(json.dumps(entry, separators=(",", ":")) for entry in entries)
    FILE.write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    main()
