#include "vapor/mdp/divergence.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace vapor {
namespace {

using Table = std::vector<double>;

TEST(Divergence, AgainstTheFormulas) {
  const Table tau{2.0, 3.0}, P{0.25, 0.75}, lambda{0.5, 0.5};
  const double kl = 2.0 * 0.25 * std::log(0.5) + 3.0 * 0.75 * std::log(1.5);
  EXPECT_DOUBLE_EQ(weighted_kl(tau, P, lambda), kl);
  EXPECT_DOUBLE_EQ(weighted_bregman(tau, P, lambda), kl + 2.0 * 0.25 - 3.0 * 0.25);
}

TEST(Divergence, ZeroAtEqualityAndBregmanIsNeverNegative) {
  const Table tau{1.0, 9.0, 0.1}, P{0.2, 0.5, 0.3};
  EXPECT_EQ(weighted_kl(tau, P, P), 0.0);
  EXPECT_EQ(weighted_bregman(tau, P, P), 0.0);
  const Table lambda{0.6, 0.1, 0.3};
  EXPECT_GT(weighted_bregman(tau, P, lambda), 0.0);
  EXPECT_LT(weighted_kl(Table{9.0, 0.1, 1.0}, P, lambda), 0.0);  // the KL form can be
}

// 0 log 0 = 0; no temperature, no term; what is possible must not be excluded.
TEST(Divergence, Conventions) {
  EXPECT_EQ(weighted_kl(Table{1.0}, Table{0.0}, Table{0.0}), 0.0);
  EXPECT_EQ(weighted_kl(Table{1.0}, Table{0.0}, Table{0.4}), 0.0);
  EXPECT_DOUBLE_EQ(weighted_bregman(Table{2.0}, Table{0.0}, Table{0.4}), 0.8);
  EXPECT_EQ(weighted_kl(Table{1.0}, Table{0.1}, Table{0.0}), INFINITY);
  EXPECT_EQ(weighted_bregman(Table{1.0}, Table{0.1}, Table{0.0}), INFINITY);
  EXPECT_EQ(weighted_kl(Table{NAN, 0.0}, Table{0.1, 0.9}, Table{0.9, 0.1}), 0.0);
  EXPECT_EQ(weighted_bregman(Table{INFINITY}, Table{1.0}, Table{1.0 - 1e-15}), 0.0);
  EXPECT_EQ(weighted_bregman(Table{INFINITY}, Table{0.9}, Table{1.0}), INFINITY);
}

// Two layers of two states: the first layer differs by 0.3 in states, the second only in actions.
TEST(Divergence, TotalVariationIsAveragedOverTimesteps) {
  Shape shape;
  for (int l = 0; l < 2; ++l) {
    shape.add_layer();
    shape.add_state(2);
    shape.add_state(1);
  }
  const Table P{0.5, 0.2, 0.3, 0.1, 0.4, 0.5};
  const Table lambda{0.2, 0.2, 0.6, 0.4, 0.1, 0.5};
  EXPECT_NEAR(total_variation(shape, P, lambda), (0.3 + 0.3) / 2.0, 1e-15);
  EXPECT_NEAR(state_total_variation(shape, P, lambda), 0.3 / 2.0, 1e-15);
  EXPECT_EQ(total_variation(shape, P, P), 0.0);
}

}  // namespace
}  // namespace vapor
