// P(Gamma*), how likely each pair is to be on the optimal path, beside VAPOR's lambda.
#include <cstdio>

#include "vapor/belief/tabular_belief.h"
#include "vapor/env/grid_world.h"
#include "vapor/mdp/divergence.h"
#include "vapor/solver/solve.h"

int main() {
  // A small grid world whose dynamics and prior of rewards are known.
  const vapor::Environment world = vapor::grid_world({.size = 3, .horizon = 4, .seed = 2});
  vapor::TabularBelief belief(
      {.shape = world.shape(),
       .initial = world.model.initial,
       .reward = vapor::GaussianRewards{.mean = world.known.reward_mean,
                                        .variance = world.known.reward_variance},
       .dynamics = world.model.transitions},
      vapor::reward_only());

  vapor::RandomStream random(1);
  const vapor::Optimality truth = belief.optimality(random, 5000);  // the mean of 5000 optima
  const vapor::Solution solution = vapor::solve(belief.problem());

  std::puts("first step   P(Gamma*)            lambda");
  const char* directions[] = {"up", "right", "down", "left"};
  for (vapor::Index p : world.shape().pairs_of(0))
    std::printf("%-10s   %.4f +- %.4f   %.4f\n", directions[p], truth.occupancy[p],
                truth.standard_error[p], solution.occupancy[p]);

  // Equation (4): E V* <= max V(lambda); and lemma 5 in the form that holds (docs/paper-slips.md).
  const double slack = solution.upper_bound() - truth.value;
  const double distance =
      vapor::weighted_bregman(solution.temperature, truth.occupancy, solution.occupancy);
  std::printf("E V* %.4f +- %.4f, VAPOR's bound %.4f\n", truth.value, truth.value_standard_error,
              solution.upper_bound());
  std::printf("Bregman distance %.4f, at most %.4f\n", distance, slack);
  return distance <= slack + 3.0 * truth.value_standard_error ? 0 : 1;
}
