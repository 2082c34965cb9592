#include "vapor/mdp/policy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tests/mdp/ragged_problem.h"
#include "vapor/core/random.h"

namespace vapor {
namespace {

using test_support::dense_row;
using test_support::ragged_problem;
using test_support::random_policy;

constexpr int kProblems = 200;

struct Flow {
  std::vector<double> occupancy;
  std::vector<double> mass;
};

Flow flow_of(const Problem& problem, const std::vector<double>& policy) {
  Flow flow{std::vector<double>(problem.shape.pairs(), -1.0),
            std::vector<double>(problem.shape.states(), -1.0)};
  forward_flow(problem, policy, flow.occupancy, flow.mass);
  return flow;
}

// One state; left leads to state 0 or 1 evenly, right through the base (0.1, 0.9).
Problem fork() {
  return ProblemBuilder({1.0})
      .layer()
      .state({{.next = {{0, 0.5}, {1, 0.5}}}, {.base_weight = 1.0}})
      .layer({0.1, 0.9})
      .state({{}, {}})
      .state({{}})
      .build();
}

TEST(Policy, UniformGivesEveryActionTheSame) {
  EXPECT_EQ(uniform_policy(fork().shape), (std::vector<double>{0.5, 0.5, 0.5, 0.5, 1.0}));
}

// mass(0) = 0.25 * 0.5 + 0.75 * 0.1 = 0.2, mass(1) = 0.25 * 0.5 + 0.75 * 0.9 = 0.8.
TEST(ForwardFlow, AForkByHand) {
  const Flow flow = flow_of(fork(), {0.25, 0.75, 0.4, 0.6, 1.0});
  EXPECT_DOUBLE_EQ(flow.mass[0], 1.0);
  EXPECT_DOUBLE_EQ(flow.mass[1], 0.2);
  EXPECT_DOUBLE_EQ(flow.mass[2], 0.8);
  const double expected[] = {0.25, 0.75, 0.08, 0.12, 0.8};
  for (Index p = 0; p < 5; ++p) EXPECT_DOUBLE_EQ(flow.occupancy[p], expected[p]) << p;
}

TEST(ForwardFlow, RepeatedNextStatesAdd) {
  const Problem problem = ProblemBuilder({1.0})
                              .layer()
                              .state({{.next = {{1, 0.25}, {0, 0.5}, {1, 0.25}}}})
                              .layer()
                              .state({{}})
                              .state({{}})
                              .build();
  const Flow flow = flow_of(problem, {1, 1, 1});
  EXPECT_DOUBLE_EQ(flow.mass[1], 0.5);
  EXPECT_DOUBLE_EQ(flow.mass[2], 0.5);
}

TEST(ForwardFlow, IsADistributionInEveryLayerAndHasNoResidual) {
  const RandomStream random(1);
  for (int i = 0; i < kProblems; ++i) {
    const Problem problem = ragged_problem(random.split(i), 1 + i % 5);
    const Flow flow = flow_of(problem, random_policy(random.split("policy"), problem.shape));
    EXPECT_LT(max_flow_residual(problem, flow.occupancy), 1e-15);
    for (Index l = 0; l < problem.shape.layers(); ++l) {
      double mass = 0.0;
      for (Index p : problem.shape.pairs_of_layer(l)) mass += flow.occupancy[p];
      EXPECT_NEAR(mass, 1.0, 1e-14);
    }
  }
}

// E[sum of rewards] = sum_p lambda(p) r(p), against a recursion over states from the definition.
TEST(ForwardFlow, GivesTheExpectedReward) {
  const RandomStream random(2);
  for (int i = 0; i < kProblems; ++i) {
    const Problem problem = ragged_problem(random.split(i), 4);
    const std::vector<double> policy = random_policy(random.split("policy"), problem.shape);
    std::vector<double> V(problem.shape.states(), 0.0);
    for (Index l = 3; l >= 0; --l) {
      for (Index s : problem.shape.states_of(l)) {
        for (Index p : problem.shape.pairs_of(s)) {
          double q = problem.reward_mean[p];
          const std::vector<double> row = dense_row(problem, l, p);
          for (Index t = 0; t < problem.shape.states(); ++t) q += row[t] * V[t];
          V[s] += policy[p] * q;
        }
      }
    }
    double by_recursion = 0.0;
    for (Index s : problem.shape.states_of(0)) by_recursion += problem.initial[s] * V[s];
    const Flow flow = flow_of(problem, policy);
    double by_occupancy = 0.0;
    for (Index p = 0; p < problem.shape.pairs(); ++p)
      by_occupancy += flow.occupancy[p] * problem.reward_mean[p];
    EXPECT_NEAR(by_occupancy, by_recursion, 1e-13);
  }
}

TEST(PolicyOfOccupancy, InvertsForwardFlowWhereStatesAreReached) {
  const RandomStream random(3);
  for (int i = 0; i < kProblems; ++i) {
    const Problem problem = ragged_problem(random.split(i), 4);
    const std::vector<double> policy = random_policy(random.split("policy"), problem.shape);
    const Flow flow = flow_of(problem, policy);
    std::vector<double> recovered(policy.size());
    policy_of_occupancy(problem.shape, flow.occupancy, recovered);
    for (Index s = 0; s < problem.shape.states(); ++s)
      for (Index p : problem.shape.pairs_of(s)) {
        if (flow.mass[s] > 0.0)
          EXPECT_NEAR(recovered[p], policy[p], 1e-14);
        else
          EXPECT_DOUBLE_EQ(recovered[p], 1.0 / problem.shape.pairs_of(s).size());
      }
    const Flow again = flow_of(problem, recovered);
    for (Index p = 0; p < problem.shape.pairs(); ++p)
      EXPECT_NEAR(again.occupancy[p], flow.occupancy[p], 1e-15);
  }
}

TEST(PolicyOfOccupancy, KeepsTheRatiosOfDenormalMasses) {
  Shape shape;
  shape.add_layer();
  shape.add_state(2);
  const double tiny = 4.0 * std::numeric_limits<double>::denorm_min();
  std::vector<double> policy(2);
  policy_of_occupancy(shape, std::vector<double>{tiny, 3.0 * tiny}, policy);
  EXPECT_DOUBLE_EQ(policy[0], 0.25);
  EXPECT_DOUBLE_EQ(policy[1], 0.75);
}

TEST(PolicyOfOccupancy, TreatsNegativeEntriesAsZero) {
  Shape shape;
  shape.add_layer();
  shape.add_state(2);
  std::vector<double> policy(2);
  policy_of_occupancy(shape, std::vector<double>{-1e-18, 0.5}, policy);
  EXPECT_EQ(policy, (std::vector<double>{0.0, 1.0}));
}

// residual = inflow - outflow, by hand: state 0 has inflow 1 and outflow 0.9; the 0.6 of the left
// action gives 0.3 to each next state, the 0.3 of the right one 0.03 and 0.27 through the base.
TEST(FlowResidual, AnInfeasibleTableByHand) {
  const std::vector<double> occupancy{0.6, 0.3, 0.1, 0.1, 0.9};
  std::vector<double> residual(3);
  flow_residual(fork(), occupancy, residual);
  EXPECT_NEAR(residual[0], 1.0 - 0.9, 1e-15);
  EXPECT_NEAR(residual[1], 0.3 + 0.03 - 0.2, 1e-15);
  EXPECT_NEAR(residual[2], 0.3 + 0.27 - 0.9, 1e-15);
  EXPECT_NEAR(max_flow_residual(fork(), occupancy), 0.33, 1e-15);
}

// r(s) = [s in first layer] rho(s) + sum_p P(s | p) lambda(p) - sum_a lambda(s, a) for any table.
TEST(FlowResidual, AgreesWithItsDefinition) {
  RandomStream random(4);
  for (int i = 0; i < kProblems; ++i) {
    const Problem problem = ragged_problem(random.split(i), 3);
    const Shape& shape = problem.shape;
    std::vector<double> occupancy(shape.pairs());
    for (double& x : occupancy) x = random.normal();
    std::vector<double> residual(shape.states(), 7.0);
    flow_residual(problem, occupancy, residual);
    std::vector<double> expected(shape.states(), 0.0);
    std::copy(problem.initial.begin(), problem.initial.end(), expected.begin());
    for (Index l = 0; l < shape.layers(); ++l)
      for (Index s : shape.states_of(l))
        for (Index p : shape.pairs_of(s)) {
          expected[s] -= occupancy[p];
          const std::vector<double> row = dense_row(problem, l, p);
          for (Index t = 0; t < shape.states(); ++t) expected[t] += row[t] * occupancy[p];
        }
    for (Index s = 0; s < shape.states(); ++s) EXPECT_NEAR(residual[s], expected[s], 1e-13);
  }
}

TEST(SparsePlusBase, FlowsLikeItsDenseExpansion) {
  const RandomStream random(5);
  for (int i = 0; i < kProblems; ++i) {
    const Problem problem = ragged_problem(random.split(i), 4);
    const std::vector<double> policy = random_policy(random.split("policy"), problem.shape);
    const Flow sparse = flow_of(problem, policy);
    const Flow dense = flow_of(test_support::dense_expansion(problem), policy);
    for (Index p = 0; p < problem.shape.pairs(); ++p)
      EXPECT_NEAR(sparse.occupancy[p], dense.occupancy[p], 1e-14);
  }
}

}  // namespace
}  // namespace vapor
