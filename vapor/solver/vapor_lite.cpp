#include "vapor/solver/vapor_lite.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "vapor/core/error.h"
#include "vapor/mdp/policy.h"

namespace vapor {

double vapor_lite_maximiser(std::span<const double> q, std::span<const double> sigma,
                            std::span<double> pi) {
  const double low = *std::max_element(q.begin(), q.end());
  // g(nu) = log sum_a exp((q_a - nu) / sigma_a) is convex and falls. Where it is negative at the
  // largest q, an action with sigma = 0 takes what is missing and nu is that q; else Newton's steps
  // from there approach the root from below, and every exponent stays <= 0.
  double nu = low;
  constexpr int kMostSteps = 100;  // quadratic after the first few; about six are made
  for (int i = 0; i < kMostSteps; ++i) {
    double sum = 0.0;
    double weighted = 0.0;
    for (std::size_t a = 0; a < q.size(); ++a) {
      if (sigma[a] <= 0.0) continue;
      const double e = std::exp((q[a] - nu) / sigma[a]);
      sum += e;
      weighted += e / sigma[a];
    }
    if (sum <= 1.0) break;
    const double next = nu + std::log(sum) * sum / weighted;
    if (!(next > nu)) break;
    nu = next;
  }
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
  refuse_constraints(problem, "VAPOR-lite");
  refuse_discount(problem, "VAPOR-lite");
  refuse_families(problem, "VAPOR-lite");
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
