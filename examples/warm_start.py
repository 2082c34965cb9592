"""A belief changes a little between episodes, and so does its solution: start from the last one."""

import numpy as np

import vapor

problem = vapor.random_problem(layers=20, states=30, actions=4, seed=3)

first = vapor.solve(problem, tol=1e-9)
print(f"cold: {first.iterations} iterations, value {first.value:.9f}")

sigma = np.array(problem.sigma)
sigma[0, 0, 0] *= 0.5  # one pair was visited
shape = (30, 4, 30)
transitions = [problem.transitions(layer).reshape(shape) for layer in range(19)]
changed = vapor.Problem(problem.reward_mean, sigma, transitions, problem.initial)
second = vapor.solve(changed, tol=1e-9, warm_start=first)
print(f"warm: {second.iterations} iterations, value {second.value:.9f}, "
      f"relative gap {second.relative_gap:.1e}")  # fmt: skip
assert second.status == "solved"
