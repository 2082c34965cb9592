"""Learn what a demonstrator wants: rewards whose optimal policy explains what was done."""

import numpy as np

import vapor

random = np.random.default_rng(7)
layers, states, actions, features = 5, 4, 3, 4
transitions = random.dirichlet(np.ones(states), size=(layers - 1, states, actions))
feature = random.normal(size=(layers * states * actions, features))
start = np.full(states, 1 / states)


def world(weights: np.ndarray) -> vapor.Problem:
    rewards = (feature @ weights).reshape(layers, states, actions)
    return vapor.Problem(rewards, np.full_like(rewards, 0.5), transitions, start)


# How often a demonstrator took each action, who wants something that we do not know.
wanted = np.array([1.0, -0.5, 0.0, 0.8])
shown = vapor.solve(world(wanted)).occupancy.flat

weights = np.zeros(features)
for step in range(200):
    problem = world(weights)
    found = vapor.differentiate(problem, vapor.solve(problem))
    loss = -shown @ np.log(found.policy.flat)
    # The gradient goes through the policy, which goes through the optimum.
    gradient = feature.T @ found.adjoint(policy=-shown / found.policy.flat).reward_mean.flat
    weights -= 0.03 * gradient
    if step % 50 == 0:
        print(f"step {step:3}: loss {loss:.4f}, weights {np.round(weights, 3)}")

print(f"wanted {wanted}, learnt {np.round(weights, 3)}")
assert np.abs(weights - wanted).max() < 0.05
