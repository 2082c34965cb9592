#include "vapor/solver/saddle_point.h"

#include <algorithm>
#include <cmath>

#include "vapor/mdp/policy.h"
#include "vapor/solver/certificate.h"
#include "vapor/solver/stopping.h"

namespace vapor {
namespace {

constexpr int kSaddleIterations = 1000;
constexpr int kSaddlePatience = 100;

// tau = sigma / w with w = sqrt(-2 log lambda), at lambda per copy; 0 where sigma is.
double temperature(double lambda, double sigma) {
  if (sigma == 0.0) return 0.0;
  return sigma / Vapor::w(std::log(std::max(lambda, 1e-300)));
}

}  // namespace

ReducedSolution saddle_point(const Reduced& reduced, const Start& start, const Settings& settings) {
  const Problem& problem = reduced.problem;
  const std::size_t pairs = problem.shape.pairs();
  Stopping stopping(settings, kSaddleIterations, kSaddlePatience);
  Settings inner_settings;
  inner_settings.method =
      settings.method == Method::kSaddlePoint ? Method::kNewton : settings.method;
  inner_settings.tolerance = std::max(1e-13, 0.1 * settings.tolerance);

  inner_settings.max_bytes = settings.max_bytes;
  const Clock::time_point begin = Clock::now();

  ReducedSolution best;
  std::vector<double> delta(pairs), lambda(pairs);
  std::vector<double> mass(problem.shape.states());
  std::vector<double> policy(start.policy.begin(), start.policy.end());
  forward_flow(problem, policy, lambda, mass);
  Reduced game = reduced;  // the policy player's problem
  Newton<WeightedEntropy> newton;
  const FlowOperator J(problem);
  while (true) {
    // Temperature player.
    for (std::size_t p = 0; p < pairs; ++p) {
      const double sigma = problem.sigma[p];
      const double tau = temperature(lambda[p] / reduced.copies[p], sigma);
      game.problem.sigma[p] = tau;
      game.problem.reward_mean[p] =
          problem.reward_mean[p] + (sigma > 0.0 ? 0.5 * sigma * (sigma / tau) : 0.0);
    }
    // Policy player.
    inner_settings.max_seconds = settings.max_seconds - seconds_since(begin);
    ReducedSolution answer =
        newton.solve(game, {policy, stopping.iterations() == 0 ? 0.0 : 0.1}, inner_settings);
    best.linear_iterations += answer.linear_iterations;
    const Bounds bounds = certificate<Vapor>(reduced, answer.occupancy, answer.V);
    advantages(problem, J, answer.V, delta);
    for (std::size_t p = 0; p < pairs; ++p)
      lambda[p] = reduced.copies[p] * std::exp(Vapor::log_maximiser(delta[p], problem.sigma[p]));
    policy = answer.policy;
    if (bounds.gap < best.gap) {
      best.gap = bounds.gap;
      best.value = bounds.value;
      best.V = std::move(answer.V);
      best.occupancy = std::move(answer.occupancy);
      best.policy = policy;
    }
    if (stopping.done(best.value, best.gap)) break;
  }
  best.status = stopping.status();
  best.iterations = stopping.iterations();
  return best;
}

}  // namespace vapor
