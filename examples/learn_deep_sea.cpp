// Algorithm 1 of the paper on DeepSea: believe, solve, act, learn.
#include <cstdio>

#include "vapor/belief/tabular_belief.h"
#include "vapor/env/deep_sea.h"
#include "vapor/solver/solve.h"

int main() {
  const vapor::Environment sea = vapor::deep_sea({.depth = 20, .mapping_seed = 7});
  vapor::RandomStream random(7);

  vapor::TabularBelief belief({.shape = sea.shape(), .initial = {1.0}, .repeat = 10000.0},
                              vapor::reward_only(0.03));
  vapor::Solver solver;
  vapor::Solution solution;

  int found = 0;
  for (int episode = 1; episode <= 200; ++episode) {
    solution = solver.solve(belief.problem(), solution.policy);  // warm from the last policy
    const vapor::Episode steps = play(sea, solution.policy, random);
    belief.update(steps);
    found += reached_goal(sea, steps) ? 1 : 0;
    if (10 * found >= episode) {
      std::printf("depth %d: treasure in a tenth of the first %d episodes\n", sea.shape().layers(),
                  episode);
      return 0;
    }
  }
  std::printf("not learnt in 200 episodes\n");
  return 1;
}
