"""An environment of your own: a model, its noise and its goal. Everything else follows."""

import numpy as np

import vapor

# Two slot machines behind a door: leave (pays 0.3 for certain), or enter, and pull one of two arms
# whose mean rewards are 0.2 and 0.8. Outside there is one thing to do, inside two.
model = vapor.Problem(
    reward_mean=[[[0.3, 0.0]], [[0.0], [0.2, 0.8]]],
    sigma=[[[0.0, 0.0]], [[0.0], [0.0, 0.0]]],
    transitions=[[[[1.0, 0.0], [0.0, 1.0]]]],
)
casino = vapor.Environment.of_model(
    model, noise=np.array([0.0, 0.0, 0.0, 0.1, 0.1]), goals=(model.layout.pair(1, 1, 1),)
)
belief = vapor.Belief.gaussian(model, repeat=10.0, transform="reward-only")

random = vapor.RandomStream(5)
solution = None
successes, regret = 0, 0.0
for _ in range(50):
    solution = vapor.solve(belief.problem, warm_start=solution)
    regret += casino.optimal_value() - casino.value(solution.policy)
    steps = casino.play(solution.policy, random)
    successes += casino.reached_goal(steps)
    belief.update(steps)

print(f"the good arm in {successes} of 50 episodes, regret {regret:.3f}")
assert successes > 25
