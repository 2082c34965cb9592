"""Constraints on the occupancy against Clarabel (CVXPY) and HiGHS (SciPy) on random problems."""

import operator
import pickle
from fractions import Fraction

import cvxpy
import numpy as np
import pytest
from scipy.optimize import linprog
from solvers_test import flow

import vapor
from vapor import Constraint

SENSES = ("<=", ">=", "=")

# Two equalities that rounding cannot always tell from one, near the optimum: their residual may be
# left a little above the tolerance, and the status then says so.
HARD = {59}


def random_costs(
    problem: vapor.Problem, random: np.random.Generator, count: int
) -> list[np.ndarray]:
    """Cost tables of several kinds: every pair, a few pairs, a whole layer."""
    layout = problem.layout
    costs = []
    for number in range(count):
        cost = random.normal(size=layout.pairs) * 10.0 ** random.integers(-2, 3)
        if number % 3 == 1:
            cost[random.random(layout.pairs) < 0.8] = 0.0
        if number % 3 == 2:
            layer = int(random.integers(layout.layers))
            first, last = layout.first_pair[layout.first_state[layer : layer + 2]]
            cost[:first] = cost[last:] = 0.0
        costs.append(cost)
    return costs


def feasible_problem(seed: int, sigma: bool = True) -> vapor.Problem:
    """A random problem with constraints that a random policy meets, some of them with room."""
    random = np.random.default_rng(seed)
    shape = [(1, 4, 3), (3, 4, 2), (5, 5, 3), (8, 6, 3)][seed % 4]
    problem = vapor.random_problem(
        *shape,
        base_weight=0.3 * (seed % 2),
        zero_sigma_share=0.25 * (seed % 3) if sigma else 1.0,
        sigma_range=(0.1, 2.0),
        seed=seed,
    )
    weights = random.exponential(size=problem.layout.pairs)
    by_state = np.add.reduceat(weights, problem.layout.first_pair[:-1])
    measure = problem.occupancy(weights / np.repeat(by_state, problem.layout.actions)).flat
    constraints = []
    for number, cost in enumerate(random_costs(problem, random, 1 + seed % 4)):
        sense = SENSES[int(random.integers(3))] if number % 2 else SENSES[int(random.integers(2))]
        room = 0.0 if sense == "=" else abs(cost) @ measure * random.choice([0.01, 0.1])
        bound = cost @ measure + (room if sense == "<=" else -room)
        constraints.append(Constraint(f"c{number}", cost, sense, float(bound)))
    return problem.constrained(constraints)


def clarabel(problem: vapor.Problem) -> float:
    """The value of the program as cones (solvers_test.py has the same without constraints)."""
    matrix, arrives = flow(problem)
    sigma = problem.sigma.flat
    noisy = np.flatnonzero(sigma > 0)
    x = cvxpy.Variable(problem.layout.pairs, nonneg=True)
    y, t = cvxpy.Variable(len(noisy)), cvxpy.Variable(len(noisy))
    product = cvxpy.SOC(x[noisy] + t, cvxpy.vstack([2 * y, x[noisy] - t]), axis=0)
    rules = [matrix @ x == arrives, cvxpy.entr(x[noisy]) >= t, product]
    for c in problem.constraints:
        scale = np.abs(c.cost).max()
        left, right = (c.cost / scale) @ x, c.bound / scale
        compare = {"<=": operator.le, ">=": operator.ge, "=": operator.eq}[c.sense]
        rules.append(compare(left, right))
    objective = problem.reward_mean.flat @ x + np.sqrt(2.0) * sigma[noisy] @ y
    program = cvxpy.Problem(cvxpy.Maximize(objective), rules)
    program.solve(solver=cvxpy.CLARABEL, tol_gap_abs=1e-9, tol_gap_rel=1e-9, tol_feas=1e-9)
    assert program.status in ("optimal", "optimal_inaccurate")
    return float(program.value)


def highs(problem: vapor.Problem, cost: np.ndarray | None = None) -> float:
    """The least cost (without one: the most reward) over the occupancy measures."""
    matrix, arrives = flow(problem)
    above = [(c.cost, c.bound) for c in problem.constraints if c.sense == "<="]
    above += [(-c.cost, -c.bound) for c in problem.constraints if c.sense == ">="]
    equal = [(c.cost, c.bound) for c in problem.constraints if c.sense == "="]
    program = linprog(
        -problem.reward_mean.flat if cost is None else cost,
        A_ub=np.array([a for a, _ in above]) if above else None,
        b_ub=[b for _, b in above] if above else None,
        A_eq=np.vstack([matrix.toarray(), *[a[None] for a, _ in equal]]),
        b_eq=np.concatenate([arrives, [b for _, b in equal]]),
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    assert program.status == 0
    return float(-program.fun if cost is None else program.fun)


def check(problem: vapor.Problem, solution: vapor.Solution) -> None:
    """The constraints are met: inequalities exactly, equalities to the tolerance."""
    assert solution.status == "solved", solution
    for c, use in zip(problem.constraints, solution.constraints, strict=True):
        used = c.cost @ solution.occupancy.flat
        size = np.abs(c.cost) @ solution.occupancy.flat + abs(c.bound)
        assert use.used == pytest.approx(used, abs=1e-13 * size)
        assert used <= c.bound + 1e-14 * size or c.sense != "<="
        assert used >= c.bound - 1e-14 * size or c.sense != ">="
        scale = max(np.abs(c.cost).max(), abs(c.bound))
        assert abs(used - c.bound) <= 1e-9 * scale or c.sense != "="
        assert use.price >= 0.0 or c.sense != "<="
        assert use.price <= 0.0 or c.sense != ">="
    assert solution.constraint_residual <= 1e-9
    if all(c.sense != "=" for c in problem.constraints):
        assert solution.constraint_residual == 0.0


@pytest.mark.parametrize("block", range(10))
def test_clarabel_finds_the_same_constrained_value(block: int) -> None:
    for seed in range(20 * block, 20 * (block + 1)):
        problem = feasible_problem(seed)
        solution = vapor.solve(problem)
        if solution.status != "solved" and seed in HARD:
            assert solution.relative_gap < 1e-6
            assert solution.constraint_residual < 1e-7
        else:
            check(problem, solution)
        theirs = clarabel(problem)
        assert solution.value == pytest.approx(theirs, rel=1e-6, abs=1e-6), seed


def test_without_sigma_highs_finds_the_same_constrained_value() -> None:
    for seed in range(100):
        problem = feasible_problem(seed, sigma=False)
        solution = vapor.solve(problem)
        check(problem, solution)
        theirs = highs(problem)
        assert solution.value == pytest.approx(theirs, rel=1e-8, abs=1e-8), seed
        assert solution.upper_bound >= theirs - 1e-7 * max(1.0, abs(theirs))


@pytest.mark.parametrize("room", [1e-6, 1e-3, 0.3])
def test_what_cannot_be_met_is_proved(room: float) -> None:
    """Less than the least cost of all measures, by a little or by much."""
    for seed in range(70):
        problem = feasible_problem(seed)
        random = np.random.default_rng(seed)
        cost = np.abs(random.normal(size=problem.layout.pairs))
        least = highs(problem.constrained([]), cost)
        impossible = Constraint("impossible", cost, "<=", least * (1.0 - room))
        problem = problem.constrained([impossible, *problem.constraints[:2]])
        solution = vapor.solve(problem)
        assert solution.status == "infeasible", (seed, solution)
        assert solution.value == solution.upper_bound == -np.inf
        assert solution.infeasibility < 0.0
        # The proof, again: rho V + b y + sum max(0, P V - V - C' y) is below 0.
        matrix, arrives = flow(problem)
        values = np.nan_to_num(solution.values.flat)
        prices = np.array([c.price for c in solution.constraints])
        costs = np.array([c.cost for c in problem.constraints])
        bounds = np.array([c.bound for c in problem.constraints])
        for c in solution.constraints:
            assert c.price * {"<=": 1, ">=": -1, "=": 0}[c.sense] >= 0
        advantage = -(matrix.T @ values) - costs.T @ prices
        proof = arrives @ values + bounds @ prices + np.maximum(advantage, 0.0).sum()
        assert proof < 0.0
        assert proof == pytest.approx(solution.infeasibility, abs=1e-10)


def exact_rows(problem: vapor.Problem) -> list[dict[int, Fraction]]:
    """By pair: next state (through all layers) -> probability, divided by the exact sum."""
    _, _, _, _, _, begin, next_state, probability, base_weight, base = problem.tables
    layout = problem.layout
    rows: list[dict[int, Fraction]] = []
    for layer in range(layout.layers):
        pairs = range(*layout.first_pair[layout.first_state[layer : layer + 2]].tolist())
        after = layout.first_state[layer + 1]
        shared: dict[int, Fraction] = {}
        if layer + 1 < layout.layers:
            states = range(*layout.first_state[layer + 1 : layer + 3].tolist())
            total = sum(Fraction(base[s]) for s in states)
            shared = {s: Fraction(base[s]) / total for s in states} if total else {}
        for pair in pairs:
            row = {s: Fraction(base_weight[pair]) * x for s, x in shared.items()}
            for k in range(begin[pair], begin[pair + 1]):
                s = int(next_state[k] + after)
                row[s] = row.get(s, Fraction(0)) + Fraction(probability[k])
            total = sum(row.values())
            rows.append({s: x / total for s, x in row.items()} if row else {})
    return rows


def exact_measure(problem: vapor.Problem, policy: np.ndarray) -> list[Fraction]:
    """The occupancy of a policy whose states are divided by their exact sums, in fractions."""
    layout = problem.layout
    mass = [Fraction(0)] * len(layout.actions)
    total = sum(map(Fraction, problem.initial.tolist()))
    for state, x in enumerate(problem.initial.tolist()):
        mass[state] = Fraction(x) / total
    rows = exact_rows(problem)
    measure = [Fraction(0)] * layout.pairs
    for state in range(len(layout.actions)):
        pairs = range(*layout.first_pair[state : state + 2].tolist())
        total = sum(Fraction(policy[p]) for p in pairs)
        for p in pairs:
            measure[p] = mass[state] * Fraction(policy[p]) / total
            for s, x in rows[p].items():
                mass[s] += x * measure[p]
    return measure


def test_inequalities_and_bounds_hold_in_fractions() -> None:
    """What the certificate promises in real arithmetic, without sigma: fractions can say it."""
    for seed in range(1, 60, 2):
        problem = feasible_problem(seed, sigma=False)
        if problem.layout.pairs > 30:
            continue
        solution = vapor.solve(problem)
        measure = exact_measure(problem, solution.policy.flat)
        value = sum(
            Fraction(r) * x for r, x in zip(problem.reward_mean.flat, measure, strict=True)
        )
        assert Fraction(solution.value) <= value <= Fraction(solution.upper_bound)
        inequalities = all(c.sense != "=" for c in problem.constraints)
        assert (solution.constraint_residual == 0.0) == inequalities
        for c in problem.constraints:
            used = sum(Fraction(a) * x for a, x in zip(c.cost, measure, strict=True))
            size = max(Fraction(np.abs(c.cost).max()), abs(Fraction(c.bound)))
            assert used <= Fraction(c.bound) or c.sense != "<="
            assert used >= Fraction(c.bound) or c.sense != ">="
            residual = abs(used - Fraction(c.bound)) / size
            assert residual <= Fraction(solution.constraint_residual) or c.sense != "="


def test_proofs_hold_in_fractions() -> None:
    for seed in range(1, 40, 4):
        problem = feasible_problem(seed)
        cost = np.abs(np.random.default_rng(seed).normal(size=problem.layout.pairs))
        least = highs(problem.constrained([]), cost)
        problem = problem.constrained([Constraint("impossible", cost, "<=", 0.9 * least)])
        solution = vapor.solve(problem)
        values = [Fraction(v) for v in np.nan_to_num(solution.values.flat)]
        price = Fraction(solution.constraints[0].price)
        rows = exact_rows(problem)
        states = np.repeat(np.arange(len(values)), problem.layout.actions)
        total = sum(map(Fraction, problem.initial.tolist()))
        proof = Fraction(problem.constraints[0].bound) * price
        proof += sum(Fraction(x) / total * v for x, v in zip(problem.initial, values, strict=False))
        for p, row in enumerate(rows):
            ahead = sum(x * values[s] for s, x in row.items())
            proof += max(Fraction(0), ahead - values[states[p]] - Fraction(cost[p]) * price)
        assert proof <= Fraction(solution.infeasibility) < 0


def test_prices_are_finite_differences_of_the_value() -> None:
    for seed in range(24):
        problem = feasible_problem(seed)
        solution = vapor.solve(problem, tol=1e-12)
        for number, constraint in enumerate(problem.constraints):
            values = []
            step = 1e-4 * max(1.0, abs(constraint.bound)) * np.abs(constraint.cost).max()
            step = min(step, 1e-3 * np.abs(constraint.cost).max())
            for sign in (1.0, -1.0):
                moved = list(problem.constraints)
                moved[number] = constraint._replace(bound=constraint.bound + sign * step)
                answer = vapor.solve(problem.constrained(moved), tol=1e-12)
                values.append(answer.value)
            slope = (values[0] - values[1]) / (2.0 * step)
            price = solution.constraints[number].price
            # Where the price jumps, as it does without sigma, it lies between the two sides.
            left = (solution.value - values[1]) / step
            right = (values[0] - solution.value) / step
            scale = 1e-3 * (abs(slope) + 1e-3 / np.abs(constraint.cost).max())
            assert min(left, right) - scale <= price <= max(left, right) + scale, (seed, number)


def test_a_cost_may_be_a_function_a_mapping_or_a_table() -> None:
    problem = vapor.random_problem(3, 4, 2, seed=3)
    table = [np.array([[s + 10 * a for a in range(2)] for s in range(4)], float)] * 3
    forms = [
        lambda s, a: s + 10 * a,
        lambda layer, s, a: s + 10 * a,
        {(layer, s, a): s + 10 * a for layer in range(3) for s in range(4) for a in range(2)},
        table,
        np.concatenate([layer.ravel() for layer in table]),
    ]
    values = []
    for cost in forms:
        limited = problem.constrained([Constraint("cost", cost, "<=", 12.0)])
        values.append(vapor.solve(limited).value)
    assert len(set(values)) == 1
    by_state = problem.constrained([Constraint("s", {(1, 2): 1.0}, "<=", 0.1)])
    assert (by_state.constraints[0].cost != 0).sum() == 2
    by_layer = problem.constrained([Constraint("l", {1: 1.0}, "=", 1.0)])
    assert (by_layer.constraints[0].cost != 0).sum() == 8
    # A layer is always visited once: the constraint says nothing.
    assert vapor.solve(by_layer).value == pytest.approx(vapor.solve(problem).value, rel=1e-8)


@pytest.mark.parametrize(
    ("constraint", "message"),
    [
        (Constraint("x", {(0, 9): 1.0}, "<=", 1.0), 'constraint "x": cost: .*no state 9'),
        (Constraint("x", {(7,): 1.0}, "<=", 1.0), 'constraint "x": cost: .*no layer 7'),
        (Constraint("x", {0: 1.0}, "<", 1.0), r'constraints\[0\] \("x"\).sense: must be one of'),
        (Constraint("x", {0: 1.0}, "<=", float("nan")), r'\("x"\).bound: must be finite'),
        (Constraint("x", {0: float("inf")}, "<=", 1.0), 'constraint "x": cost.* must be finite'),
        (Constraint("x", [[[1.0]]], "<=", 1.0), 'constraint "x": cost'),
        (Constraint("x", lambda s: 1.0, "<=", 1.0), 'constraint "x": cost: must take'),
        (Constraint("", {0: 1.0}, "<=", 1.0), r"constraints\[0\].name"),
        (Constraint("x", {0: 1.0}, "<=", "much"), r'\("x"\).bound: must be a number'),
    ],
)
def test_a_malformed_constraint_is_refused_by_name(constraint: Constraint, message: str) -> None:
    problem = vapor.random_problem(2, 3, 2, seed=1)
    with pytest.raises(vapor.InputError, match=message):
        problem.constrained([constraint])


def test_a_name_is_used_once() -> None:
    problem = vapor.random_problem(2, 3, 2, seed=1)
    twice = [Constraint("x", {0: 1.0}, "<=", 1.0)] * 2
    with pytest.raises(vapor.InputError, match=r'constraints\[1\] \("x"\).name'):
        problem.constrained(twice)


def test_files_and_pickles_keep_constraints(tmp_path) -> None:
    problem = feasible_problem(7)
    assert len(problem.constraints) > 1
    copies = [pickle.loads(pickle.dumps(problem))]
    for name in ("p.json", "p.npz"):
        problem.write(tmp_path / name)
        copies.append(vapor.Problem.read(tmp_path / name))
    value = vapor.solve(problem).value
    for copy in copies:
        assert vapor.solve(copy).value == value
        for ours, theirs in zip(problem.constraints, copy.constraints, strict=True):
            assert (ours.name, ours.sense, ours.bound) == (theirs.name, theirs.sense, theirs.bound)
            assert (ours.cost == theirs.cost).all()
    solution = pickle.loads(pickle.dumps(vapor.solve(problem)))
    assert solution.constraints == vapor.solve(problem).constraints
