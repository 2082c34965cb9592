#include "vapor/solver/equal_temperature.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "vapor/core/clock.h"
#include "vapor/core/root_finding.h"
#include "vapor/solver/k_learning.h"
#include "vapor/solver/solve.h"

namespace vapor {
namespace {

// Makes `inner` the inner problem at temperature tau.
void set_temperature(const Problem& problem, double tau, Problem& inner) {
  for (std::size_t p = 0; p < inner.sigma.size(); ++p) {
    inner.reward_mean[p] =
        problem.reward_mean[p] + 0.5 * problem.sigma[p] * (problem.sigma[p] / tau);
    inner.sigma[p] = tau;
  }
}

TemperatureBalance balance_of(const Problem& problem, double tau, const Solution& solution) {
  TemperatureBalance balance;
  for (std::size_t p = 0; p < problem.sigma.size(); ++p) {
    const double lambda = solution.occupancy[p];
    if (lambda <= 0.0) continue;
    const double ratio = problem.sigma[p] / tau;
    balance.entropy -= lambda * std::log(lambda);
    balance.optimism += 0.5 * lambda * ratio * ratio;
  }
  return balance;
}

}  // namespace

EqualTemperatureSolution solve_equal_temperature(const Problem& problem, const Settings& settings,
                                                 const EqualTemperatureSolution* warm) {
  refuse_constraints(problem, "equal-temperature VAPOR");
  refuse_discount(problem, "equal-temperature VAPOR");
  refuse_families(problem, "equal-temperature VAPOR");
  EqualTemperatureSolution result;
  const double largest = *std::max_element(problem.sigma.begin(), problem.sigma.end());
  if (largest == 0.0) {
    result.solution = solve(problem, settings);
    return result;
  }
  // The limit on seconds is of all inner solves together; past it the last of them stands, at the
  // temperature that the search had come to.
  struct TimeIsUp {};
  const Deadline deadline(Clock::now(), settings.max_seconds);
  Settings inner = settings;
  inner.regulariser = RegulariserKind::kWeightedEntropy;
  inner.progress = [&](const Progress& p) {
    return !deadline.passed() && (!settings.progress || settings.progress(p));
  };
  // K-learning's temperature is near, and its policy too: it costs a small part of one solve.
  double start = 0.0;
  if (warm != nullptr && warm->tau > 0.0 && std::isfinite(warm->tau)) {
    start = warm->tau;
    result.solution.policy = warm->solution.policy;
  } else {
    KLearningSolution k = solve_k_learning(problem);
    start = k.tau;
    result.solution.policy = std::move(k.policy);
  }
  // The value is flat in tau around its minimum: off by x in the logarithm of the ratio it is off
  // by less than x^2 / 4 of itself.
  const double tolerance = std::max(1e-8, 0.3 * std::sqrt(settings.tolerance));
  Solver solver(inner);
  Problem at_tau = problem;
  double solved_at = std::numeric_limits<double>::quiet_NaN();
  const auto balance = [&](double log_tau) {
    solved_at = log_tau;
    result.tau = std::exp(log_tau);
    set_temperature(problem, result.tau, at_tau);
    result.solution = solver.solve(at_tau, result.solution.policy);
    if (deadline.passed()) throw TimeIsUp();
    return balance_of(problem, result.tau, result.solution);
  };
  try {
    const double root = log_temperature_root(balance, start, tolerance);
    if (root != solved_at) balance(root);
  } catch (const TimeIsUp&) {
    result.solution.status = Status::kTimeLimit;
  }
  return result;
}

}  // namespace vapor
