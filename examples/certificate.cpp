// Trust nothing: recompute the certificate of a solution from its tables alone.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "vapor/mdp/policy.h"
#include "vapor/mdp/random_problem.h"
#include "vapor/solver/solve.h"

int main() {
  const vapor::Problem problem =
      vapor::random_problem({.layers = 6, .states = 5, .actions = 3}, vapor::RandomStream(4));
  const vapor::Solution solution = vapor::solve(problem);
  const vapor::Shape& shape = problem.shape;

  // Below: what the reported occupancy is worth, sum lambda (E r + sigma sqrt(-2 log lambda)).
  double value = 0.0;
  for (vapor::Index p = 0; p < shape.pairs(); ++p) {
    const double lambda = solution.occupancy[p];
    if (lambda > 0.0)
      value += lambda * (problem.reward_mean[p] +
                         problem.sigma[p] * std::sqrt(std::max(0.0, -2.0 * std::log(lambda))));
  }

  // Above: the dual function of the reported values V. For a pair with advantage
  // delta = E r + P V' - V, the most that lambda delta + sigma lambda sqrt(-2 log lambda) can be is
  // sigma exp(-w^2 / 2) / w, w the positive root of w^2 + (delta / sigma) w - 1 = 0.
  double bound = 0.0;
  for (vapor::Index s : shape.states_of(0)) bound += problem.initial[s] * solution.values[s];
  for (vapor::Index s = 0; s < shape.states(); ++s)
    for (vapor::Index p : shape.pairs_of(s)) {
      const double delta = problem.reward_mean[p] - solution.values[s] +
                           problem.transitions.expectation(p, solution.values, 0.0);
      const double x = delta / problem.sigma[p];
      const double w = 0.5 * (std::sqrt(x * x + 4.0) - x);
      bound += problem.sigma[p] * std::exp(-0.5 * w * w) / w;
    }

  std::printf("value  %.12f recomputed, %.12f reported\n", value, solution.value);
  std::printf("bound  %.12f recomputed, %.12f reported\n", bound, solution.upper_bound());
  std::printf("flow   %.1e off at most\n", max_flow_residual(problem, solution.occupancy));
  const bool right = std::abs(value - solution.value) < 1e-9 &&
                     std::abs(bound - solution.upper_bound()) < 1e-9 && bound >= value - 1e-12;
  return right ? 0 : 1;
}
