#include "vapor/mdp/constrained_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "vapor/mdp/backward_induction.h"
#include "vapor/mdp/policy.h"
#include "vapor/mdp/problem_builder.h"
#include "vapor/mdp/random_problem.h"

namespace vapor {
namespace {

double inner(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// One state, three arms of rewards 0, .6, 1 and costs 0, .5, 1: half of it buys .6, three quarters
// the middle of .6 and 1.
TEST(ConstrainedPlan, MixesTheArmsAboveAndBelowTheBudget) {
  const Problem arms =
      ProblemBuilder({1.0})
          .layer()
          .state({{.reward_mean = 0.0}, {.reward_mean = 0.6}, {.reward_mean = 1.0}})
          .build();
  const std::vector<double> cost = {0.0, 0.5, 1.0};
  const ConstrainedPlan half = constrained_optimum(arms, cost, 0.5);
  EXPECT_TRUE(half.feasible);
  EXPECT_DOUBLE_EQ(half.value, 0.6);
  const ConstrainedPlan more = constrained_optimum(arms, cost, 0.75);
  EXPECT_DOUBLE_EQ(more.value, 0.8);
  EXPECT_DOUBLE_EQ(more.cost, 0.75);
  EXPECT_DOUBLE_EQ(more.price, 0.8);
  EXPECT_NEAR(more.policy[1], 0.5, 1e-15);
  EXPECT_NEAR(more.policy[2], 0.5, 1e-15);
  const ConstrainedPlan all = constrained_optimum(arms, cost, 2.0);
  EXPECT_EQ(all.value, 1.0);
  EXPECT_EQ(all.price, 0.0);
  const ConstrainedPlan none = constrained_optimum(arms, {std::vector{0.3, 0.2, 1.0}}, 0.1);
  EXPECT_FALSE(none.feasible);
  EXPECT_EQ(none.cost, 0.2);
  EXPECT_EQ(none.policy, (std::vector<double>{0.0, 1.0, 0.0}));
}

// Two layers. Action 0 leads to the good state with a probability in [.2, .7], action 1 in
// [.5, .6]; the good state pays 1 and costs 2. An optimist takes .7 at a cost of 1.4; a budget of 1
// leaves it half of each of two vertices: 0.7 x and the way to the other state by its other end.
TEST(ConstrainedPlan, ChoosesTransitionsWithinTheirIntervals) {
  IntervalModel model;
  model.shape.add_layer();
  model.shape.add_state(2);
  model.shape.add_layer();
  model.shape.add_state(1);
  model.shape.add_state(1);
  model.initial = {1.0};
  model.row = {0, 2, 0, 0};
  model.low = {0.2, 0.3, 0.5, 0.4};
  model.high = {0.7, 0.8, 0.6, 0.5};
  const std::vector<double> reward = {0.0, 0.0, 1.0, 0.0};
  const std::vector<double> cost = {0.0, 0.0, 2.0, 0.0};
  ConstrainedPlanner planner;
  const ConstrainedPlan free = planner.plan(model, reward, cost, 2.0);
  EXPECT_DOUBLE_EQ(free.value, 0.7);
  EXPECT_EQ(free.policy[0], 1.0);
  const ConstrainedPlan bound = planner.plan(model, reward, cost, 1.0);
  EXPECT_TRUE(bound.feasible);
  EXPECT_DOUBLE_EQ(bound.value, 0.5);
  EXPECT_DOUBLE_EQ(bound.cost, 1.0);
  EXPECT_DOUBLE_EQ(bound.price, 0.5);
  const ConstrainedPlan least = planner.plan(model, reward, cost, 0.3);
  EXPECT_FALSE(least.feasible);
  EXPECT_DOUBLE_EQ(least.cost, 0.4);
}

// Duality on random MDPs: the policy attains the value at a cost within the budget, and the dual
// at its price is the same number, so nothing is better.
TEST(ConstrainedPlan, AttainsItsDualOnRandomProblems) {
  int bound = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    RandomStream random(seed);
    Problem problem = random_problem({}, random);
    std::vector<double> cost(problem.shape.pairs());
    for (double& c : cost) c = random.uniform();
    const std::vector<double> dear = backward_induction(problem, problem.reward_mean).policy;
    const double budget = random.uniform(0.3, 1.0) * inner(occupancy_of(problem, dear), cost);
    const ConstrainedPlan plan = constrained_optimum(problem, cost, budget);
    if (!plan.feasible) continue;
    const std::vector<double> occupancy = occupancy_of(problem, plan.policy);
    EXPECT_NEAR(inner(occupancy, problem.reward_mean), plan.value, 1e-9) << seed;
    EXPECT_LE(inner(occupancy, cost), budget + 1e-9) << seed;
    std::vector<double> charged = problem.reward_mean;
    for (std::size_t p = 0; p < charged.size(); ++p) charged[p] -= plan.price * cost[p];
    const std::vector<double> V = backward_induction(problem, charged).V;
    const double dual =
        plan.price * budget +
        std::inner_product(problem.initial.begin(), problem.initial.end(), V.begin(), 0.0);
    EXPECT_NEAR(dual, plan.value, 1e-9) << seed;
    bound += plan.price > 0.0 ? 1 : 0;
  }
  EXPECT_GT(bound, 100);
}

}  // namespace
}  // namespace vapor
