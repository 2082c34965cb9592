#include "vapor/solver/flow_operator.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/mdp/ragged_problem.h"
#include "vapor/mdp/policy.h"

namespace vapor {
namespace {

using test_support::dense_row;
using test_support::ragged_problem;
using test_support::random_policy;

std::vector<double> random_table(RandomStream random, Index size) {
  std::vector<double> table(size);
  for (double& x : table) x = random.normal();
  return table;
}

TEST(FlowOperator, IsItsDefinition) {
  const RandomStream random(1);
  for (int i = 0; i < 100; ++i) {
    const Problem problem = ragged_problem(random.split(i), 1 + i % 5);
    const Shape& shape = problem.shape;
    const std::vector<double> V = random_table(random.split(i).split("V"), shape.states());
    std::vector<double> advantage(shape.pairs(), 99.0);
    FlowOperator(problem).apply(V, advantage);
    for (Index l = 0; l < shape.layers(); ++l)
      for (Index s : shape.states_of(l))
        for (Index p : shape.pairs_of(s)) {
          double expected = -V[s];
          const std::vector<double> row = dense_row(problem, l, p);
          for (Index t = 0; t < shape.states(); ++t) expected += row[t] * V[t];
          EXPECT_NEAR(advantage[p], expected, 1e-14);
        }
  }
}

// <J V, lambda> = <V, J' lambda>
TEST(FlowOperator, TransposeIsAdjoint) {
  const RandomStream random(2);
  for (int i = 0; i < 200; ++i) {
    const Problem problem = ragged_problem(random.split(i), 1 + i % 6);
    const Shape& shape = problem.shape;
    const std::vector<double> V = random_table(random.split(i).split("V"), shape.states());
    const std::vector<double> lambda = random_table(random.split(i).split("l"), shape.pairs());
    std::vector<double> advantage(shape.pairs(), 99.0);
    std::vector<double> imbalance(shape.states(), 99.0);
    FlowOperator(problem).apply(V, advantage);
    FlowOperator(problem).apply_transpose(lambda, imbalance);
    double left = 0.0;
    double right = 0.0;
    for (Index p = 0; p < shape.pairs(); ++p) left += advantage[p] * lambda[p];
    for (Index s = 0; s < shape.states(); ++s) right += V[s] * imbalance[s];
    EXPECT_NEAR(left, right, 1e-13 * shape.pairs());
    EXPECT_GT(std::abs(left), 1e-9);
  }
}

// On an occupancy measure only the initial distribution is left over.
TEST(FlowOperator, OfAnOccupancyMeasureIsTheInitialDistribution) {
  const RandomStream random(3);
  for (int i = 0; i < 100; ++i) {
    const Problem problem = ragged_problem(random.split(i), 4);
    const Shape& shape = problem.shape;
    std::vector<double> lambda(shape.pairs()), mass(shape.states()), imbalance(shape.states());
    const std::vector<double> policy = random_policy(random.split(i), shape);
    FlowOperator(problem).push_forward(policy, lambda, mass);
    std::vector<double> expected(shape.pairs());
    forward_flow(problem, policy, expected, mass);
    for (Index p = 0; p < shape.pairs(); ++p) EXPECT_NEAR(lambda[p], expected[p], 1e-15);
    FlowOperator(problem).apply_transpose(lambda, imbalance);
    for (Index s = 0; s < shape.states(); ++s)
      EXPECT_NEAR(imbalance[s], s < shape.states_of(0).last() ? -problem.initial[s] : 0.0, 1e-15);
  }
}

}  // namespace
}  // namespace vapor
