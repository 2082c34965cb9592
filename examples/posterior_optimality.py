"""P(Gamma*), how likely each pair is to be on the optimal path, beside VAPOR's lambda."""

import vapor

# A small grid world whose dynamics and prior of rewards are known.
world = vapor.Environment("grid_world:size=3,horizon=4", seed=2)
belief = vapor.Belief.about(world)

truth = belief.optimality(vapor.RandomStream(1), samples=5000)  # the mean of 5000 optima
solution = vapor.solve(belief.problem)

print("first step   P(Gamma*)            lambda")
for action, direction in enumerate(["up", "right", "down", "left"]):
    print(f"{direction:10}   {truth.occupancy[0][0, action]:.4f} +- "
          f"{truth.standard_error[0][0, action]:.4f}   "
          f"{solution.occupancy[0][0, action]:.4f}")  # fmt: skip

# Equation (4) of the paper: E V* <= max V(lambda).
print(f"E V* {truth.value:.4f} +- {truth.value_standard_error:.4f}, "
      f"VAPOR's bound {solution.upper_bound:.4f}")  # fmt: skip
assert truth.value <= solution.upper_bound + 3.0 * truth.value_standard_error
