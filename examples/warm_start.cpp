// A belief changes a little between episodes, and so does its solution: start from the last policy.
#include <cstdio>

#include "vapor/mdp/random_problem.h"
#include "vapor/solver/solve.h"

int main() {
  vapor::Problem problem =
      vapor::random_problem({.layers = 20, .states = 30, .actions = 4}, vapor::RandomStream(3));
  vapor::Solver solver({.tolerance = 1e-9});

  const vapor::Solution first = solver.solve(problem);
  std::printf("cold: %d iterations, value %.9f\n", first.iterations, first.value);

  problem.sigma[0] *= 0.5;  // one pair was visited
  const vapor::Solution second = solver.solve(problem, first.policy);
  std::printf("warm: %d iterations, value %.9f, relative gap %.1e\n", second.iterations,
              second.value, second.relative_gap());
  return second.status == vapor::Status::kSolved ? 0 : 1;
}
