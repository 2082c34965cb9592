// Your own MDP with your own belief: a shape, a prior, two observed episodes, and what to do next.
#include <cstdio>

#include "vapor/belief/tabular_belief.h"
#include "vapor/solver/solve.h"

int main() {
  // A crossroads with two roads, each leading to one of two towns, in which there is one thing to
  // do. Pairs are numbered through all states: 0 and 1 are the roads, 2 and 3 the towns.
  vapor::Shape shape;
  shape.add_layer();
  shape.add_state(2);
  shape.add_layer();
  shape.add_state(1);
  shape.add_state(1);

  // Mean rewards N(0, 1) seen with noise of variance 0.25, towns reached as a Dirichlet says.
  vapor::TabularBelief belief({.shape = shape,
                               .initial = {1.0},
                               .reward = vapor::GaussianRewards{.noise_variance = 0.25},
                               .dynamics = vapor::DirichletDynamics{.mass = 1.0}},
                              vapor::reward_only() + vapor::range_bound());

  // Twice the first road led to the first town (state 1), which paid little.
  for (int episode = 0; episode < 2; ++episode)
    belief.update({{.pair = 0, .reward = 0.0, .next_state = 1},
                   {.pair = 2, .reward = 0.2, .next_state = -1}});

  const vapor::Problem& problem = belief.problem();
  const vapor::Solution solution = vapor::solve(problem);
  const char* names[] = {"first road", "second road", "first town", "second town"};
  std::printf("%-12s %8s %10s %8s %8s\n", "", "E r", "sigma_hat", "lambda", "policy");
  for (vapor::Index p = 0; p < shape.pairs(); ++p)
    std::printf("%-12s %8.4f %10.4f %8.4f %8.4f\n", names[p], problem.reward_mean[p],
                problem.sigma[p], solution.occupancy[p], solution.policy[p]);

  // What was never tried is worth trying.
  return solution.policy[1] > solution.policy[0] ? 0 : 1;
}
