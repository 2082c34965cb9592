"""Weighted entropy: the same solver, another regulariser. Cover what matters, as evenly as can be."""

import math

import vapor

# A hall with three doors; the third leads to a gallery where two pictures were never seen. Without
# rewards, max -sum sigma lambda log lambda covers the pairs whose weight sigma is 1.
problem = vapor.Problem(
    reward_mean=[[[0.0, 0.0, 0.0]], [[0.0], [0.0, 0.0]]],
    sigma=[[[1.0, 1.0, 1.0]], [[0.0], [1.0, 1.0]]],  # a wall, seen often; two pictures
    transitions=[[[[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]]],
)

solution = vapor.solve(problem, regulariser="weighted_entropy")

print(f"entropy {solution.value:.6f}, at most {solution.gap:.1e} below the largest")
for door, probability in enumerate(solution.policy[0][0]):
    print(f"door {door + 1}: {probability:.4f}")

# By hand, with q for the third door: 2 h((1 - q) / 2) + h(q) + 2 h(q / 2), h(x) = -x log x, has
# slope log((1 - q) / q^2) - 1, which is 0 where q^2 = (1 - q) / e.
c = 1.0 / math.e
by_hand = 0.5 * (-c + math.sqrt(c * c + 4.0 * c))
print(f"by hand the third door has {by_hand:.4f}")
assert abs(solution.policy[0][0, 2] - by_hand) < 1e-4
