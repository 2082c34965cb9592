#include "vapor/env/lazy_chain.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "vapor/env/four_rooms.h"
#include "vapor/env/frozen_lake.h"
#include "vapor/mdp/backward_induction.h"

namespace vapor {
namespace {

double worth(const Environment& world) {
  return backward_induction(world.model, world.model.reward_mean)
      .V[std::ranges::max_element(world.model.initial) - world.model.initial.begin()];
}

// Right: n - 1 steps of -1 and one of 2 n - 1. Without the time for it, nothing is best, and worth
// as much as left.
TEST(LazyChain, IsWorthGoingRight) {
  for (Index n : {1, 2, 8}) {
    EXPECT_NEAR(worth(lazy_chain({.length = n})), n / (2.0 * n - 1.0), 1e-12) << n;
    EXPECT_LE(worth(lazy_chain({.length = n, .horizon = std::max(1, n - 1)})), n == 1 ? 1.0 : 0.0);
  }
}

// One step from the middle of three cells, n = 1: the left end pays 0, the right end 1.
TEST(LazyChain, SlipsPayTheirMean) {
  const Environment chain = lazy_chain({.length = 1, .horizon = 1, .slip = 0.25});
  const Index first = chain.shape().pairs_of(1).first();
  EXPECT_DOUBLE_EQ(chain.model.reward_mean[first], 0.25);
  EXPECT_DOUBLE_EQ(chain.model.reward_mean[first + 1], 0.75);
  EXPECT_DOUBLE_EQ(chain.model.reward_mean[first + 2], 0.0);
}

// The shortest way has 6 steps, and one more pays. On slippery ice the best policy reaches the goal
// with probability 14/17 in the long run, as is known of this map.
TEST(FrozenLake, ValuesAreKnown) {
  EXPECT_EQ(worth(frozen_lake({.slippery = false, .horizon = 7})), 1.0);
  EXPECT_EQ(worth(frozen_lake({.slippery = false, .horizon = 6})), 0.0);
  EXPECT_NEAR(worth(frozen_lake({.slippery = true, .horizon = 3000})), 14.0 / 17.0, 1e-6);
}

// The far corner of five cells is 8 steps away; two steps of ten are left to be paid.
TEST(FourRooms, OneRewardInTheFarCorner) {
  EXPECT_EQ(worth(four_rooms({.size = 5, .goal = true})), 2.0);
  EXPECT_EQ(worth(four_rooms({.size = 5})), 0.0);
}

}  // namespace
}  // namespace vapor
