"""Which pair to measure next? The one whose uncertainty the value hangs on."""

import numpy as np

import vapor

problem = vapor.random_problem(layers=3, states=3, actions=2, seed=11)
solution = vapor.solve(problem)
found = vapor.differentiate(problem, solution)

# After n Gaussian observations sigma is proportional to 1 / sqrt(n + 1); one more, from n = 0,
# takes sigma to sigma / sqrt(2). The gradient says how much of the optimism that pays for.
by_sigma = found.adjoint(value=1.0).sigma.flat
shrinks = problem.sigma.flat * (1 - 1 / np.sqrt(2))
promise = by_sigma * shrinks
best = int(np.argmax(promise))
layer, state, action = next(
    (layer, state, action)
    for layer, table in enumerate(problem.sigma)
    for state, row in enumerate(table)
    for action in range(len(row))
    if problem.layout.pair(layer, state, action) == best
)
print(f"measure action {action} in state {state} of layer {layer}:")
print(f"  the bound falls by about {promise[best]:.4f}")

# What it does in truth: the measurement is made, and the problem solved again.
sigma = problem.sigma.flat.copy()
sigma[best] -= shrinks[best]
tables = (*problem.tables[:4], sigma, *problem.tables[5:])
measured = vapor.problem.problem_of_tables(tables)
fall = solution.value - vapor.solve(measured).value
print(f"  and fell by {fall:.4f}")
assert 0.5 * promise[best] < fall < 1.5 * promise[best]
