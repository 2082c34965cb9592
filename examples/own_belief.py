"""Your own MDP with your own belief: a prior, two observed episodes, and what to do next."""

import numpy as np

import vapor

# A crossroads with two roads, each leading to one of two towns, in which there is one thing to do.
# The problem says only what there is: layers, states, actions and where an episode begins.
crossroads = vapor.Problem(
    reward_mean=[np.zeros((1, 2)), np.zeros((2, 1))],
    sigma=[np.zeros((1, 2)), np.zeros((2, 1))],
    transitions=[np.full((1, 2, 2), 0.5)],
)

# Mean rewards N(0, 1) seen with noise of variance 0.25, towns reached as a Dirichlet says.
belief = vapor.Belief.gaussian(
    crossroads, noise_variance=0.25, dirichlet_mass=1.0, transform="range"
)

# Twice the first road led to the first town, which paid little. Pairs and states are numbered
# through all layers: 0 and 1 are the roads, 2 and 3 the towns.
for _ in range(2):
    belief.update(
        vapor.Episode(
            pairs=np.array([0, 2], dtype=np.int32),
            rewards=np.array([0.0, 0.2]),
            next_states=np.array([1, -1], dtype=np.int32),
        )
    )

problem = belief.problem
solution = vapor.solve(problem)
print(f"{'':12} {'E r':>8} {'sigma_hat':>10} {'lambda':>8} {'policy':>8}")
for pair, name in enumerate(["first road", "second road", "first town", "second town"]):
    numbers = [table.flat[pair] for table in (problem.reward_mean, problem.sigma)]
    numbers += [table.flat[pair] for table in (solution.occupancy, solution.policy)]
    print(f"{name:12} {numbers[0]:8.4f} {numbers[1]:10.4f} {numbers[2]:8.4f} {numbers[3]:8.4f}")

# What was never tried is worth trying.
assert solution.policy[0][0, 1] > solution.policy[0][0, 0]
