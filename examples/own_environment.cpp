// An environment of your own: a model, its noise and its goal. Everything else follows.
#include <cstdio>

#include "vapor/belief/tabular_belief.h"
#include "vapor/env/environment.h"
#include "vapor/mdp/backward_induction.h"
#include "vapor/mdp/policy.h"
#include "vapor/mdp/problem_builder.h"
#include "vapor/solver/solve.h"

// Two slot machines behind a door: leave (pays 0.3 for certain), or enter, and pull one of two arms
// whose mean rewards are 0.2 and 0.8.
vapor::Environment casino() {
  vapor::Environment env;
  env.model = vapor::ProblemBuilder({1.0})
                  .layer()
                  .state({{.reward_mean = 0.3, .next = {{0, 1.0}}}, {.next = {{1, 1.0}}}})
                  .layer()
                  .state({{.reward_mean = 0.0}})                        // outside: go home
                  .state({{.reward_mean = 0.2}, {.reward_mean = 0.8}})  // inside: two arms
                  .build();
  env.noise = {0.0, 0.0, 0.0, 0.1, 0.1};  // standard deviations, by pair
  env.goals = {4};                        // the good arm
  env.cells = {{0, 0}, {1, 0}, {1, 1}};   // where states are drawn: row and column
  env.rows = env.columns = 2;
  return env;
}

int main() {
  const vapor::Environment env = casino();
  vapor::TabularBelief belief({.shape = env.shape(), .initial = env.model.initial, .repeat = 10.0},
                              vapor::reward_only());
  const vapor::OptimalValues best = backward_induction(env.model, env.model.reward_mean);
  vapor::RandomStream random(5);
  vapor::Solution solution;
  int successes = 0;
  double regret = 0.0;
  for (int episode = 0; episode < 50; ++episode) {
    solution = vapor::solve(belief.problem(), {}, solution.policy);
    const auto lambda = occupancy_of(env.model, solution.policy);  // under the true model
    regret += best.V[0];
    for (std::size_t p = 0; p < lambda.size(); ++p) regret -= lambda[p] * env.model.reward_mean[p];
    const vapor::Episode steps = play(env, solution.policy, random);
    successes += reached_goal(env, steps) ? 1 : 0;
    belief.update(steps);
  }
  std::printf("the good arm in %d of 50 episodes, regret %.3f\n", successes, regret);
  return successes > 25 ? 0 : 1;
}
