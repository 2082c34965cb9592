"""A bandit with three arms: how likely is each to be the best, and why?"""

import vapor

# One layer, one state: arms that differ in what is believed of their mean reward. The first is
# known and good, the second uncertain, the third known and bad.
problem = vapor.Problem(reward_mean=[[[1.0, 0.5, 0.0]]], sigma=[[[0.1, 1.0, 0.01]]])

solution = vapor.solve(problem)

print(f"value {solution.value:.9f}, at most {solution.gap:.3g} from the optimum")
for arm in range(3):
    probability = solution.policy[0][0, arm]
    print(f"arm {arm}: probability {probability:.4f}, "
          f"temperature {solution.temperature[0][0, arm]:.4f}")  # fmt: skip
