#include "vapor/solver/equal_temperature.h"

#include <algorithm>
#include <cmath>

#include "vapor/core/clock.h"
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

EqualTemperatureSolution solve_equal_temperature(const Problem& problem, const Settings& settings) {
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
  // The inner answers are certified, not exact, and the value is flat in tau around its minimum.
  constexpr double kTolerance = 1e-8;
  Solver solver(inner);
  const auto balance = [&](double log_tau) {
    result.tau = std::exp(log_tau);
    result.solution = solver.solve(at_temperature(problem, result.tau), result.solution.policy);
    if (deadline.passed()) throw TimeIsUp();
    return balance_of(problem, result.tau, result.solution);
  };
  try {
    balance(log_temperature_root(balance, largest, kTolerance));
  } catch (const TimeIsUp&) {
    result.solution.status = Status::kTimeLimit;
  }
  return result;
}

}  // namespace vapor
