#include "vapor/env/deep_sea.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/env/refusal.h"
#include "vapor/mdp/backward_induction.h"
#include "vapor/mdp/policy.h"

namespace vapor {
namespace {

double total(const Episode& episode) {
  double sum = 0.0;
  for (const Step& step : episode) sum += step.reward;
  return sum;
}

double optimal_value(const Environment& environment) {
  return backward_induction(environment.model, environment.model.reward_mean).V[0];
}

TEST(DeepSea, IsATriangleOfTwoActions) {
  const Environment sea = deep_sea({.depth = 5});
  EXPECT_EQ(sea.shape().layers(), 5);
  for (Index l = 0; l < 5; ++l) EXPECT_EQ(sea.shape().states_of(l).size(), l + 1);
  EXPECT_EQ(sea.shape().pairs(), 2 * sea.shape().states());
  EXPECT_FALSE(sea.known.dynamics);
}

// depth steps to the right at 0.01 / depth each, and a treasure of 1.
TEST(DeepSea, IsWorthOneMinusTheWay) {
  for (Index depth : {1, 2, 10, 50}) {
    const DeepSeaSettings settings = {.depth = depth, .mapping_seed = 3};
    const Environment sea = deep_sea(settings);
    EXPECT_NEAR(optimal_value(sea), 1.0 - 0.01, 1e-12) << depth;
    RandomStream random(2);
    const Episode episode = play(sea, always_right(settings), random);
    EXPECT_NEAR(total(episode), 1.0 - 0.01, 1e-12) << depth;
    EXPECT_TRUE(reached_goal(sea, episode));
    EXPECT_DOUBLE_EQ(episode.back().reward, 1.0 - 0.01 / depth);
  }
}

// A treasure that is not worth its way is left alone: the optimal policy never goes right.
TEST(DeepSea, StaysAtTheEdgeWhenTheWayIsTooDear) {
  EXPECT_EQ(optimal_value(deep_sea({.depth = 8, .move_cost = 1.5})), 0.0);
  EXPECT_NEAR(optimal_value(deep_sea({.depth = 8, .move_cost = 0.5})), 0.5, 1e-12);
}

// One failure loses the treasure: (1 - 1/depth)^(depth - 1) of the ways get to the last column,
// where going right pays whether it fails or not. That is bsuite's optimal return.
TEST(DeepSea, TheStochasticSeaIsWorthTheChanceOfNoFailure) {
  for (Index depth : {1, 2, 5, 10, 30}) {
    const DeepSeaSettings settings = {.depth = depth, .stochastic = true};
    const Environment sea = deep_sea(settings);
    std::vector<double> occupancy(sea.shape().pairs());
    std::vector<double> mass(sea.shape().states());
    forward_flow(sea.model, always_right(settings), occupancy, mass);
    double value = 0.0;
    for (Index p = 0; p < sea.shape().pairs(); ++p)
      value += occupancy[p] * sea.model.reward_mean[p];
    const double no_failure = std::pow(1.0 - 1.0 / depth, depth - 1);
    EXPECT_NEAR(occupancy[sea.goals.at(0)], no_failure, 1e-12) << depth;
    EXPECT_NEAR(value, no_failure - 0.01, 1e-12) << depth;
    // Optimal is a little better: after a failure there is nothing to pay for.
    EXPECT_GE(optimal_value(sea), value - 1e-12) << depth;
    EXPECT_LE(optimal_value(sea), no_failure) << depth;
  }
}

TEST(DeepSea, TheStochasticSeaIsNoisyInTheBottomCorners) {
  const Environment sea = deep_sea({.depth = 6, .stochastic = true});
  for (Index s = 0; s < sea.shape().states(); ++s) {
    const Cell cell = sea.cells[s];
    const bool corner = cell.row == 5 && (cell.column == 0 || cell.column == 5);
    for (Index p : sea.shape().pairs_of(s)) EXPECT_EQ(sea.noise[p], corner ? 1.0 : 0.0);
  }
}

TEST(DeepSea, AlwaysLeftStaysAtTheEdgeForNothing) {
  const DeepSeaSettings settings = {.depth = 10, .mapping_seed = 3};
  const Environment sea = deep_sea(settings);
  std::vector<double> always_left = always_right(settings);
  for (double& p : always_left) p = 1.0 - p;
  RandomStream random(4);
  const Episode episode = play(sea, always_left, random);
  EXPECT_EQ(total(episode), 0.0);
  EXPECT_FALSE(reached_goal(sea, episode));
  for (Index row = 0; row + 1 < 10; ++row) EXPECT_EQ(sea.cells[episode[row].next_state].column, 0);
}

// One step to the left, anywhere, and the treasure is out of reach.
TEST(DeepSea, OneStepLeftLosesTheTreasure) {
  const Index depth = 8;
  const DeepSeaSettings settings = {.depth = depth, .mapping_seed = 5};
  const Environment sea = deep_sea(settings);
  RandomStream random(6);
  for (Index wrong = 0; wrong < depth; ++wrong) {
    std::vector<double> policy = always_right(settings);
    const Index corner = sea.shape().states_of(wrong).last() - 1;
    for (Index p : sea.shape().pairs_of(corner)) policy[p] = 1.0 - policy[p];
    const Episode episode = play(sea, policy, random);
    EXPECT_FALSE(reached_goal(sea, episode)) << wrong;
    EXPECT_NEAR(total(episode), -0.01 * (depth - 1) / depth, 1e-15) << wrong;
  }
}

TEST(DeepSea, NeitherActionGoesRightEverywhere) {
  Index second = 0;
  for (Index action : right_actions({.depth = 20, .mapping_seed = 1})) second += action;
  EXPECT_GT(second, 70);  // of 210 cells
  EXPECT_LT(second, 140);
  for (Index action : right_actions({.depth = 20, .randomise_actions = false}))
    EXPECT_EQ(action, 1);
}

TEST(DeepSea, RefusesBadSettingsByName) {
  for (Index depth : {0, -3, 2001})
    test_support::refused("depth", [&] { deep_sea({.depth = depth}); });
  for (double cost : {-0.1, std::nan(""), 1e7})
    test_support::refused("move_cost", [&] { deep_sea({.move_cost = cost}); });
}

}  // namespace
}  // namespace vapor
