#include "vapor/mdp/backward_induction.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "tests/mdp/ragged_problem.h"
#include "vapor/core/random.h"
#include "vapor/mdp/policy.h"

namespace vapor {
namespace {

using test_support::ragged_problem;

double value_of(const Problem& problem, const std::vector<double>& policy) {
  std::vector<double> occupancy(problem.shape.pairs());
  std::vector<double> mass(problem.shape.states());
  forward_flow(problem, policy, occupancy, mass);
  double value = 0.0;
  for (Index p = 0; p < problem.shape.pairs(); ++p) value += occupancy[p] * problem.reward_mean[p];
  return value;
}

// The best of all deterministic policies: one action a state, counted like an odometer.
double best_by_enumeration(const Problem& problem) {
  const Shape& shape = problem.shape;
  std::vector<Index> action(shape.states(), 0);
  double best = -std::numeric_limits<double>::infinity();
  while (true) {
    std::vector<double> policy(shape.pairs(), 0.0);
    for (Index s = 0; s < shape.states(); ++s) policy[shape.pairs_of(s).first() + action[s]] = 1.0;
    best = std::max(best, value_of(problem, policy));
    Index s = 0;
    while (s < shape.states() && ++action[s] == shape.pairs_of(s).size()) action[s++] = 0;
    if (s == shape.states()) return best;
  }
}

double initial_value(const Problem& problem, const OptimalValues& values) {
  double value = 0.0;
  for (Index s : problem.shape.states_of(0)) value += problem.initial[s] * values.V[s];
  return value;
}

TEST(BackwardInduction, TwoLayersByHand) {
  const Problem problem = ProblemBuilder({1.0})
                              .layer()
                              .state({{.reward_mean = 1.0, .next = {{0, 1.0}}},
                                      {.reward_mean = 0.5, .next = {{1, 0.5}}, .base_weight = 0.5}})
                              .layer({0.25, 0.75})
                              .state({{.reward_mean = 0.0}, {.reward_mean = -1.0}})
                              .state({{.reward_mean = 2.0}})
                              .build();
  const OptimalValues values = backward_induction(problem, problem.reward_mean);
  // Q(0,1) = 0.5 + 0.5 * 2 + 0.5 * (0.25 * 0 + 0.75 * 2) = 2.25.
  EXPECT_EQ(values.Q, (std::vector<double>{1.0, 2.25, 0.0, -1.0, 2.0}));
  EXPECT_EQ(values.V, (std::vector<double>{2.25, 0.0, 2.0}));
  EXPECT_EQ(values.policy, (std::vector<double>{0, 1, 1, 0, 1}));
}

TEST(BackwardInduction, ReachesTheBestDeterministicPolicy) {
  const RandomStream random(1);
  for (int i = 0; i < 100; ++i) {
    const Problem problem = ragged_problem(random.split(i), 1 + i % 3);
    const OptimalValues values = backward_induction(problem, problem.reward_mean);
    const double best = best_by_enumeration(problem);
    EXPECT_NEAR(initial_value(problem, values), best, 1e-13) << i;
    EXPECT_NEAR(value_of(problem, values.policy), best, 1e-13) << i;
  }
}

TEST(BackwardInduction, UsesTheRewardItIsGiven) {
  const Problem problem = ragged_problem(RandomStream(2), 3);
  const std::vector<double> ones(problem.shape.pairs(), 1.0);
  EXPECT_NEAR(initial_value(problem, backward_induction(problem, ones)), 3.0, 1e-14);
}

TEST(BackwardInduction, SettlesTiesByTheFirstAction) {
  const Problem problem = ProblemBuilder({1.0}).layer().state({{}, {}, {}}).build();
  const OptimalValues values = backward_induction(problem, std::vector<double>{1.0, 2.0, 2.0});
  EXPECT_EQ(values.policy, (std::vector<double>{0, 1, 0}));
}

TEST(SparsePlusBase, HasTheValuesOfItsDenseExpansion) {
  const RandomStream random(3);
  for (int i = 0; i < 100; ++i) {
    const Problem problem = ragged_problem(random.split(i), 4);
    const Problem dense = test_support::dense_expansion(problem);
    const OptimalValues a = backward_induction(problem, problem.reward_mean);
    const OptimalValues b = backward_induction(dense, dense.reward_mean);
    for (Index p = 0; p < problem.shape.pairs(); ++p) EXPECT_NEAR(a.Q[p], b.Q[p], 1e-13);
  }
}

}  // namespace
}  // namespace vapor
