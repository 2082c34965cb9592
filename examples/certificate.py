"""Trust nothing: recompute the certificate of a solution from its tables alone."""

import numpy as np

import vapor

problem = vapor.random_problem(layers=6, states=5, actions=3, seed=4)
solution = vapor.solve(problem)
reward, sigma = np.array(problem.reward_mean), np.array(problem.sigma)
occupancy, V = np.array(solution.occupancy), np.array(solution.values)

# Below: what the reported occupancy is worth, sum lambda (E r + sigma sqrt(-2 log lambda)).
logs = np.log(occupancy, out=np.zeros_like(occupancy), where=occupancy > 0.0)
value = float(np.sum(occupancy * (reward + sigma * np.sqrt(-2.0 * logs))))

# Above: the dual function of the reported values V. For a pair with advantage
# delta = E r + P V' - V, the most that lambda delta + sigma lambda sqrt(-2 log lambda) can be is
# sigma exp(-w^2 / 2) / w, w the positive root of w^2 + (delta / sigma) w - 1 = 0.
after = np.zeros_like(reward)
for layer in range(5):
    after[layer] = (problem.transitions(layer) @ V[layer + 1]).reshape(5, 3)
x = (reward + after - V[:, :, None]) / sigma
w = 0.5 * (np.sqrt(x * x + 4.0) - x)
bound = float(problem.initial @ V[0] + np.sum(sigma * np.exp(-0.5 * w * w) / w))

# The occupancy of the reported policy is the reported occupancy.
flow = np.abs(problem.occupancy(solution.policy).flat - solution.occupancy.flat).max()

print(f"value  {value:.12f} recomputed, {solution.value:.12f} reported")
print(f"bound  {bound:.12f} recomputed, {solution.upper_bound:.12f} reported")
print(f"flow   {flow:.1e} off at most")
assert abs(value - solution.value) < 1e-9
assert abs(bound - solution.upper_bound) < 1e-9
