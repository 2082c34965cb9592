// What every solution must satisfy, whatever the method and the status, recomputed here from the
// definitions: feasibility, both bounds, and where a table may have no number.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "vapor/mdp/policy.h"
#include "vapor/mdp/problem.h"
#include "vapor/solver/settings.h"
#include "vapor/solver/solution.h"

namespace vapor::test_support {

// f(lambda) by its definition.
inline long double regulariser_value(RegulariserKind kind, long double lambda, long double sigma) {
  if (kind == RegulariserKind::kLinear || sigma == 0.0L || lambda <= 0.0L) return 0.0L;
  const long double log_lambda = std::min(std::log(lambda), 0.0L);
  if (kind == RegulariserKind::kVapor) return sigma * lambda * std::sqrt(-2.0L * log_lambda);
  return -sigma * lambda * log_lambda;
}

// f*(delta) = max over [0, 1] of lambda delta + f(lambda).
inline long double conjugate(RegulariserKind kind, long double delta, long double sigma) {
  if (kind == RegulariserKind::kLinear || sigma == 0.0L) return std::max(delta, 0.0L);
  if (kind == RegulariserKind::kVapor) {
    const long double x = delta / sigma;
    const long double sum = std::abs(x) + std::sqrt(x * x + 4.0L);
    const long double w = x > 0.0L ? 2.0L / sum : 0.5L * sum;
    return sigma * std::exp(-0.5L * w * w) / w;
  }
  return delta >= sigma ? delta : sigma * std::exp(delta / sigma - 1.0L);
}

// By state: whether a policy arrives.
inline std::vector<char> reachable_states(const Problem& problem) {
  const Shape& shape = problem.shape;
  const Transitions& P = problem.transitions;
  std::vector<char> reachable(shape.states(), 0);
  for (Index s : shape.states_of(0)) reachable[s] = problem.initial[s] > 0.0;
  for (Index l = 0; l + 1 < shape.layers(); ++l) {
    bool base = false;
    for (Index s : shape.states_of(l)) {
      if (!reachable[s]) continue;
      for (Index p : shape.pairs_of(s)) {
        base = base || P.base_weight[p] > 0.0;
        for (Offset k = P.begin[p]; k < P.begin[p + 1]; ++k)
          if (P.probability[k] > 0.0) reachable[P.next_state[k]] = 1;
      }
    }
    for (Index s : shape.states_of(l + 1))
      if (base && P.base[s] > 0.0) reachable[s] = 1;
  }
  return reachable;
}

// By pair: whether every policy takes it with probability 1, so that f(lambda) = 0.
inline std::vector<char> forced_pairs(const Problem& problem) {
  const Shape& shape = problem.shape;
  const std::vector<char> reachable = reachable_states(problem);
  std::vector<char> forced(shape.pairs(), 0);
  for (Index l = 0; l < shape.layers(); ++l) {
    std::vector<Index> pairs;
    for (Index s : shape.states_of(l))
      if (reachable[s])
        for (Index p : shape.pairs_of(s)) pairs.push_back(p);
    if (pairs.size() == 1) forced[pairs[0]] = 1;
  }
  return forced;
}

// sum_p lambda_p E r_p + f(lambda_p). Where lambda is forced to 1, f is 0 whatever rounding has
// made of lambda: f(1 - 1e-16) is 1e-8.
inline long double objective(RegulariserKind kind, const Problem& problem,
                             const std::vector<double>& lambda) {
  const std::vector<char> forced = forced_pairs(problem);
  long double sum = 0.0L;
  for (std::size_t p = 0; p < lambda.size(); ++p) {
    sum += static_cast<long double>(lambda[p]) * problem.reward_mean[p];
    if (!forced[p]) sum += regulariser_value(kind, lambda[p], problem.sigma[p]);
  }
  return sum;
}

// A bound and what its rounding is relative to: the sum of the magnitudes it is made of.
struct BoundWithScale {
  long double bound = 0.0L;
  long double scale = 0.0L;
};

// D(V) = sum rho V + sum_p f*(delta_p) over the reachable pairs, in extended precision; the term of
// a forced pair is delta itself.
inline BoundWithScale dual_bound(RegulariserKind kind, const Problem& problem,
                                 const std::vector<double>& V,
                                 const std::vector<double>& occupancy) {
  const Shape& shape = problem.shape;
  const Transitions& P = problem.transitions;
  const std::vector<char> reachable = reachable_states(problem);
  const std::vector<char> forced = forced_pairs(problem);
  const auto value = [&](Index s) { return std::isnan(V[s]) ? 0.0L : (long double){V[s]}; };
  BoundWithScale d;
  for (Index s : shape.states_of(0)) d.bound += problem.initial[s] * value(s);
  for (Index l = 0; l < shape.layers(); ++l) {
    long double base = 0.0L;
    if (l + 1 < shape.layers())
      for (Index s : shape.states_of(l + 1)) base += P.base[s] * value(s);
    for (Index s : shape.states_of(l)) {
      if (!reachable[s] || std::isnan(V[s])) continue;
      for (Index p : shape.pairs_of(s)) {
        long double delta = problem.reward_mean[p] - value(s) + P.base_weight[p] * base;
        for (Offset k = P.begin[p]; k < P.begin[p + 1]; ++k)
          delta += P.probability[k] * value(P.next_state[k]);
        d.bound += forced[p] ? delta : conjugate(kind, delta, problem.sigma[p]);
        d.scale += occupancy[p] * (std::abs(value(s)) + std::abs(problem.reward_mean[p])) +
                   regulariser_value(kind, occupancy[p], problem.sigma[p]);
      }
    }
  }
  return d;
}

inline void check_tables(const Problem& problem, const Solution& solution, RegulariserKind kind) {
  const Shape& shape = problem.shape;
  ASSERT_EQ(solution.policy.size(), static_cast<std::size_t>(shape.pairs()));
  ASSERT_EQ(solution.occupancy.size(), solution.policy.size());
  ASSERT_EQ(solution.temperature.size(), solution.policy.size());
  ASSERT_EQ(solution.values.size(), static_cast<std::size_t>(shape.states()));
  const std::vector<char> reachable = reachable_states(problem);
  std::vector<double> pushed(shape.pairs()), mass(shape.states());
  forward_flow(problem, solution.policy, pushed, mass);
  for (Index s = 0; s < shape.states(); ++s) {
    double sum = 0.0;
    for (Index p : shape.pairs_of(s)) {
      ASSERT_GE(solution.policy[p], 0.0) << "pair " << p;
      ASSERT_GE(solution.occupancy[p], 0.0) << "pair " << p;
      ASSERT_NEAR(solution.occupancy[p], pushed[p], 1e-9) << "pair " << p;
      sum += solution.policy[p];
      const double tau = solution.temperature[p];
      const bool no_temperature = kind == RegulariserKind::kLinear ||
                                  (kind == RegulariserKind::kVapor && problem.sigma[p] == 0.0);
      ASSERT_EQ(std::isnan(tau), no_temperature) << "pair " << p << ": " << tau;
      ASSERT_FALSE(tau < 0.0) << "pair " << p << ": " << tau;
      ASSERT_TRUE(!std::isinf(tau) || std::abs(solution.occupancy[p] - 1.0) < 1e-12)
          << "pair " << p;
    }
    ASSERT_NEAR(sum, 1.0, 1e-12) << "state " << s;
    // What every policy reaches with next to no probability may count as unreachable.
    const double V = solution.values[s];
    ASSERT_TRUE(reachable[s] || std::isnan(V)) << "state " << s << ": " << V;
    ASSERT_TRUE(mass[s] < 1e-100 || std::isfinite(V)) << "state " << s << ": " << V;
  }
}

// What the last half digit of a reported lambda makes of the objective: near lambda = 1, where the
// slope has no bound, it is far more than half a digit.
inline long double rounding_of_tables(RegulariserKind kind, const Problem& problem,
                                      const std::vector<double>& occupancy) {
  const std::vector<char> forced = forced_pairs(problem);
  long double sum = 0.0L;
  for (std::size_t p = 0; p < occupancy.size(); ++p) {
    if (forced[p]) continue;
    const long double lambda = occupancy[p];
    sum += std::abs(regulariser_value(kind, lambda, problem.sigma[p]) -
                    regulariser_value(kind, lambda * (1.0L - 0x1.0p-53L), problem.sigma[p]));
  }
  return sum;
}

// Both bounds are what the reported tables give, evaluated anew.
inline void check_bounds(const Problem& problem, const Solution& solution, RegulariserKind kind) {
  const auto near = [](long double a, long double b, long double scale) {
    return std::abs(a - b) <= 1e-12L * std::max(1.0L, scale);
  };
  const BoundWithScale dual = dual_bound(kind, problem, solution.values, solution.occupancy);
  const long double primal = objective(kind, problem, solution.occupancy);
  const long double scale =
      dual.scale + 1e12L * rounding_of_tables(kind, problem, solution.occupancy);
  EXPECT_PRED3(near, solution.value, primal, scale) << solution.value - primal;
  EXPECT_PRED3(near, solution.upper_bound(), dual.bound, dual.scale)
      << solution.upper_bound() - dual.bound;
}

inline void check_solution(const Problem& problem, const Solution& solution,
                           RegulariserKind kind = RegulariserKind::kVapor) {
  ASSERT_TRUE(std::isfinite(solution.value)) << solution.value;
  ASSERT_TRUE(std::isfinite(solution.gap)) << solution.gap;
  EXPECT_GE(solution.gap, 0.0);
  EXPECT_TRUE(std::isfinite(solution.dual_residual)) << solution.dual_residual;
  EXPECT_LE(solution.flow_residual, 1e-9);
  EXPECT_EQ(solution.flow_residual, max_flow_residual(problem, solution.occupancy));
  check_tables(problem, solution, kind);
  check_bounds(problem, solution, kind);
}

}  // namespace vapor::test_support
