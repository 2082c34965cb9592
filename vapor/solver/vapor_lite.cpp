#include "vapor/solver/vapor_lite.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "vapor/core/error.h"
#include "vapor/core/root_finding.h"
#include "vapor/mdp/policy.h"

namespace vapor {

double vapor_lite_maximiser(std::span<const double> q, std::span<const double> sigma,
                            std::span<double> pi) {
  // sum_a exp((q_a - nu) / sigma_a) is at least 1 at the largest q and at most 1 at the largest
  // q_a + sigma_a log A.
  const double log_actions = std::log(static_cast<double>(q.size()));
  double low = -std::numeric_limits<double>::infinity();
  double high = low;
  for (std::size_t a = 0; a < q.size(); ++a) {
    low = std::max(low, q[a]);
    high = std::max(high, q[a] + sigma[a] * log_actions);
  }
  const auto missing = [&](double nu) {
    double sum = 0.0;
    for (std::size_t a = 0; a < q.size(); ++a)
      if (sigma[a] > 0.0) sum += std::exp((q[a] - nu) / sigma[a]);
    return 1.0 - sum;
  };
  // At `low` an action with sigma = 0 may take what is missing; else the root is above it.
  const double nu = missing(low) >= 0.0 ? low : increasing_root(missing, low, high);
  double left = 1.0;
  double maximum = nu;
  for (std::size_t a = 0; a < q.size(); ++a) {
    pi[a] = sigma[a] > 0.0 ? std::min(std::exp((q[a] - nu) / sigma[a]), 1.0) : 0.0;
    left -= pi[a];
    maximum += pi[a] * sigma[a];
  }
  for (std::size_t a = 0; a < q.size() && left > 0.0; ++a) {
    if (sigma[a] > 0.0 || q[a] < nu) continue;
    pi[a] = left;
    left = 0.0;
  }
  const double sum = [&] {
    double total = 0.0;
    for (double p : pi) total += p;
    return total;
  }();
  for (double& p : pi) p /= sum;
  return maximum;
}

VaporLiteSolution solve_vapor_lite(const Problem& problem, double c) {
  if (!(c > 0.0 && std::isfinite(c))) throw InputError("c", fmt::format("must be > 0, got {}", c));
  const Shape& shape = problem.shape;
  VaporLiteSolution solution;
  solution.V.assign(shape.states(), 0.0);
  solution.policy.assign(shape.pairs(), 0.0);
  solution.occupancy.assign(shape.pairs(), 0.0);
  std::vector<double> q(shape.pairs());
  std::vector<double> sigma(problem.sigma);
  for (double& x : sigma) x *= c;
  for (Index l = shape.layers() - 1; l >= 0; --l) {
    const bool last = l + 1 == shape.layers();
    const double base = last ? 0.0 : base_value(shape, problem.transitions, l + 1, solution.V);
    for (Index s : shape.states_of(l)) {
      const Range pairs = shape.pairs_of(s);
      for (Index p : pairs)
        q[p] = problem.reward_mean[p] + problem.transitions.expectation(p, solution.V, base);
      const auto slice = [&](auto& table) {
        return std::span(table).subspan(pairs.first(), pairs.size());
      };
      solution.V[s] = vapor_lite_maximiser(slice(q), slice(sigma), slice(solution.policy));
    }
  }
  std::vector<double> mass(shape.states());
  forward_flow(problem, solution.policy, solution.occupancy, mass);
  for (std::size_t s = 0; s < problem.initial.size(); ++s)
    solution.value += problem.initial[s] * solution.V[s];
  return solution;
}

double vapor_lite_scale(const Shape& shape, double episode) {
  return std::numbers::sqrt2 *
         (1.0 + std::log(static_cast<double>(shape.states()) * shape.layers() * episode));
}

}  // namespace vapor
