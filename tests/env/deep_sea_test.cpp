#include "vapor/env/deep_sea.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "vapor/core/error.h"
#include "vapor/mdp/policy.h"

namespace vapor {
namespace {

Index column_of(const DeepSea& sea, Index row, Index state) {
  return state - sea.shape().states_of(row).first();
}

Index state_of_pair(Index pair) { return pair / 2; }

double total(const Episode& episode) {
  double sum = 0.0;
  for (const Step& step : episode) sum += step.reward;
  return sum;
}

// The policy that never goes right.
std::vector<double> always_left(const DeepSea& sea) {
  std::vector<double> policy = sea.optimal_policy();
  for (double& p : policy) p = 1.0 - p;
  return policy;
}

TEST(DeepSea, IsATriangleOfTwoActions) {
  const DeepSea sea(5, RandomStream(1));
  EXPECT_EQ(sea.shape().layers(), 5);
  EXPECT_EQ(sea.depth(), 5);
  for (Index l = 0; l < 5; ++l) EXPECT_EQ(sea.shape().states_of(l).size(), l + 1);
  EXPECT_EQ(sea.shape().pairs(), 2 * sea.shape().states());
}

// Every step costs 0.01 / depth, and the treasure is worth 1.
TEST(DeepSea, AlwaysRightFindsTheTreasure) {
  for (Index depth : {1, 2, 10, 50}) {
    const DeepSea sea(depth, RandomStream(depth));
    RandomStream random(2);
    const Episode episode = sea.play(sea.optimal_policy(), random);
    ASSERT_EQ(episode.size(), static_cast<std::size_t>(depth));
    EXPECT_NEAR(total(episode), 1.0 - 0.01, 1e-12) << depth;
    EXPECT_TRUE(sea.found_treasure(episode));
    for (Index row = 0; row + 1 < depth; ++row) {
      EXPECT_EQ(column_of(sea, row + 1, episode[row].next_state), row + 1);
      EXPECT_DOUBLE_EQ(episode[row].reward, -0.01 / depth);
    }
    EXPECT_EQ(episode.back().next_state, -1);
    EXPECT_DOUBLE_EQ(episode.back().reward, 1.0 - 0.01 / depth);
  }
}

TEST(DeepSea, AlwaysLeftStaysAtTheEdgeForNothing) {
  const DeepSea sea(10, RandomStream(3));
  RandomStream random(4);
  const Episode episode = sea.play(always_left(sea), random);
  EXPECT_EQ(total(episode), 0.0);
  EXPECT_FALSE(sea.found_treasure(episode));
  for (Index row = 0; row + 1 < 10; ++row)
    EXPECT_EQ(column_of(sea, row + 1, episode[row].next_state), 0);
}

// One step to the left, anywhere, and the treasure is out of reach.
TEST(DeepSea, OneStepLeftLosesTheTreasure) {
  const Index depth = 8;
  const DeepSea sea(depth, RandomStream(5));
  RandomStream random(6);
  for (Index wrong = 0; wrong < depth; ++wrong) {
    std::vector<double> policy = sea.optimal_policy();
    const Index corner = sea.shape().states_of(wrong).last() - 1;
    for (Index p : sea.shape().pairs_of(corner)) policy[p] = 1.0 - policy[p];
    const Episode episode = sea.play(policy, random);
    EXPECT_FALSE(sea.found_treasure(episode)) << wrong;
    EXPECT_NEAR(total(episode), -0.01 * (depth - 1) / depth, 1e-15) << wrong;
  }
}

// Each step goes one row down and one column left or right, from where the last one ended.
TEST(DeepSea, StepsFollowTheRules) {
  const DeepSea sea(12, RandomStream(7));
  const std::vector<double> right = sea.optimal_policy();
  RandomStream random(8);
  for (int i = 0; i < 200; ++i) {
    const Episode episode = sea.play(uniform_policy(sea.shape()), random);
    Index state = 0;
    for (Index row = 0; row < 12; ++row) {
      const Step& step = episode[row];
      ASSERT_EQ(state_of_pair(step.pair), state);
      const bool went_right = right[step.pair] == 1.0;
      ASSERT_TRUE(went_right || step.reward == 0.0);
      if (row + 1 == 12) break;
      const Index column = column_of(sea, row, state);
      const Index next = column_of(sea, row + 1, step.next_state);
      ASSERT_EQ(next, went_right ? column + 1 : std::max(column - 1, 0));
      state = step.next_state;
    }
  }
}

TEST(DeepSea, TheMappingIsTheSeeds) {
  const auto mapping = [](std::uint64_t seed) {
    return DeepSea(20, RandomStream(seed)).optimal_policy();
  };
  EXPECT_EQ(mapping(1), mapping(1));
  EXPECT_NE(mapping(1), mapping(2));
  // Neither action goes right everywhere: of 210 cells, each in about half.
  double first = 0.0;
  const std::vector<double> policy = mapping(1);
  for (std::size_t p = 0; p < policy.size(); p += 2) first += policy[p];
  EXPECT_GT(first, 70.0);
  EXPECT_LT(first, 140.0);
}

TEST(DeepSea, TheSameStreamPlaysTheSameEpisode) {
  const DeepSea sea(15, RandomStream(9));
  const auto pairs = [&](std::uint64_t seed) {
    RandomStream random(seed);
    std::vector<Index> result;
    for (const Step& step : sea.play(uniform_policy(sea.shape()), random))
      result.push_back(step.pair);
    return result;
  };
  EXPECT_EQ(pairs(1), pairs(1));
  EXPECT_NE(pairs(1), pairs(2));
}

TEST(DeepSea, ABadDepthIsRefused) {
  for (Index depth : {0, -3, 10001}) EXPECT_THROW(DeepSea(depth, RandomStream(1)), InputError);
  EXPECT_FALSE(DeepSea(3, RandomStream(1)).found_treasure({}));
}

}  // namespace
}  // namespace vapor
