#include "vapor/solver/equal_temperature.h"

#include <algorithm>
#include <cmath>

#include "vapor/core/root_finding.h"
#include "vapor/solver/solve.h"

namespace vapor {
namespace {

// The inner problem at temperature tau.
Problem at_temperature(const Problem& problem, double tau) {
  Problem inner = problem;
  for (std::size_t p = 0; p < inner.sigma.size(); ++p) {
    inner.reward_mean[p] += 0.5 * problem.sigma[p] * (problem.sigma[p] / tau);
    inner.sigma[p] = tau;
  }
  return inner;
}

double entropy_minus_optimism(const Problem& problem, double tau, const Solution& solution) {
  double slope = 0.0;
  for (std::size_t p = 0; p < problem.sigma.size(); ++p) {
    const double lambda = solution.occupancy[p];
    if (lambda <= 0.0) continue;
    const double ratio = problem.sigma[p] / tau;
    slope += lambda * (-std::log(lambda) - 0.5 * ratio * ratio);
  }
  return slope;
}

}  // namespace

EqualTemperatureSolution solve_equal_temperature(const Problem& problem, const Settings& settings) {
  EqualTemperatureSolution result;
  const double largest = *std::max_element(problem.sigma.begin(), problem.sigma.end());
  if (largest == 0.0) {
    result.solution = solve(problem, settings);
    return result;
  }
  Settings inner = settings;
  inner.regulariser = RegulariserKind::kWeightedEntropy;
  const auto slope = [&](double log_tau) {
    result.tau = std::exp(log_tau);
    result.solution = solve(at_temperature(problem, result.tau), inner, result.solution.policy);
    return entropy_minus_optimism(problem, result.tau, result.solution);
  };
  slope(log_temperature_root(slope, largest));
  return result;
}

}  // namespace vapor
