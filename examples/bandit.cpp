// A bandit with three arms: how likely is each to be the best, and why?
#include <cstdio>

#include "vapor/mdp/problem_builder.h"
#include "vapor/solver/solve.h"

int main() {
  // One layer, one state: arms that differ in what is believed of their mean reward.
  const vapor::Problem problem = vapor::ProblemBuilder({1.0})
                                     .layer()
                                     .state({{.reward_mean = 1.0, .sigma = 0.1},    // known, good
                                             {.reward_mean = 0.5, .sigma = 1.0},    // uncertain
                                             {.reward_mean = 0.0, .sigma = 0.01}})  // known, bad
                                     .build();

  const vapor::Solution solution = vapor::solve(problem);

  std::printf("value %.9f, at most %.3g from the optimum\n", solution.value, solution.gap);
  for (int arm = 0; arm < 3; ++arm)
    std::printf("arm %d: probability %.4f, temperature %.4f\n", arm, solution.policy[arm],
                solution.temperature[arm]);
}
