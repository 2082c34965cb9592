#include "vapor/belief/optimality.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vapor/core/check.h"
#include "vapor/core/error.h"
#include "vapor/mdp/backward_induction.h"
#include "vapor/mdp/policy.h"

namespace vapor {
namespace {

double value_at_start(const Problem& problem, std::span<const double> V) {
  double value = 0.0;
  for (std::size_t s = 0; s < problem.initial.size(); ++s) value += problem.initial[s] * V[s];
  return value;
}

Optimality empty_optimality(std::size_t pairs) {
  Optimality result;
  result.marginal.assign(pairs, 0.0);
  result.occupancy.assign(pairs, 0.0);
  result.standard_error.assign(pairs, 0.0);
  return result;
}

// Welford (1962): the running mean, and the sum of squared distances from it.
void accumulate(double x, double n, double& mean, double& squares) {
  const double before = x - mean;
  mean += before / n;
  squares += before * (x - mean);
}

}  // namespace

Optimum optimum_of(const Problem& problem, std::span<const double> reward) {
  OptimalValues optimal = backward_induction(problem, reward);
  Optimum result;
  result.policy = std::move(optimal.policy);
  result.value = value_at_start(problem, optimal.V);
  result.occupancy.resize(problem.shape.pairs());
  std::vector<double> mass(problem.shape.states());
  forward_flow(problem, result.policy, result.occupancy, mass);
  return result;
}

Optimality enumerated_optimality(std::span<const Optimum> optima, std::span<const double> weight) {
  VAPOR_CHECK_GT(optima.size(), 0u);
  VAPOR_CHECK_EQ(optima.size(), weight.size());
  Optimality result = empty_optimality(optima[0].policy.size());
  for (std::size_t i = 0; i < optima.size(); ++i) {
    result.value += weight[i] * optima[i].value;
    for (std::size_t p = 0; p < result.marginal.size(); ++p) {
      result.marginal[p] += weight[i] * optima[i].policy[p];
      result.occupancy[p] += weight[i] * optima[i].occupancy[p];
    }
  }
  return result;
}

Optimality sampled_optimality(const Problem& problem, int samples, const DrawOptimalPolicy& draw) {
  if (samples < 2) throw InputError("samples", fmt::format("must be at least 2, got {}", samples));
  const Index pairs = problem.shape.pairs();
  Optimality result = empty_optimality(pairs);
  std::vector<double> policy(pairs);
  std::vector<double> occupancy(pairs);
  std::vector<double> mass(problem.shape.states());
  for (int n = 1; n <= samples; ++n) {
    accumulate(draw(policy), n, result.value, result.value_standard_error);
    forward_flow(problem, policy, occupancy, mass);
    for (Index p = 0; p < pairs; ++p) {
      result.marginal[p] += policy[p];
      accumulate(occupancy[p], n, result.occupancy[p], result.standard_error[p]);
    }
  }
  const double n = samples;
  const auto standard_error = [n](double squares) { return std::sqrt(squares / (n - 1.0) / n); };
  for (double& marginal : result.marginal) marginal /= n;
  for (double& error : result.standard_error) error = standard_error(error);
  result.value_standard_error = standard_error(result.value_standard_error);
  return result;
}

Optimality gaussian_optimality(const Problem& problem, RandomStream& random, int samples) {
  std::vector<double> reward(problem.shape.pairs());
  return sampled_optimality(problem, samples, [&](std::span<double> policy) {
    for (Index p = 0; p < problem.shape.pairs(); ++p)
      reward[p] = problem.reward_mean[p] + problem.sigma[p] * random.normal();
    const OptimalValues optimal = backward_induction(problem, reward);
    std::copy(optimal.policy.begin(), optimal.policy.end(), policy.begin());
    return value_at_start(problem, optimal.V);
  });
}

}  // namespace vapor
