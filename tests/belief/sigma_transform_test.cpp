#include "vapor/belief/sigma_transform.h"

#include <gtest/gtest.h>

#include <cmath>

#include "vapor/core/error.h"

namespace vapor {
namespace {

// sigma_hat^2 = 3.6^2 sigma^2 + (L - l)^2 / sum alpha
TEST(SigmaTransform, ThePapers) {
  const SigmaTransform transform = paper_transform();
  EXPECT_DOUBLE_EQ(transform({.reward_variance = 0.25, .dirichlet_mass = 101.0, .steps_left = 7}),
                   std::sqrt(12.96 * 0.25 + 49.0 / 101.0));
  EXPECT_DOUBLE_EQ(transform({.reward_variance = 1.0, .dirichlet_mass = 1.0, .steps_left = 0}),
                   3.6);
}

TEST(SigmaTransform, RewardOnlyIgnoresTheDynamics) {
  const PairUncertainty pair{.reward_variance = 0.25, .dirichlet_mass = 1.0, .steps_left = 90};
  EXPECT_DOUBLE_EQ(reward_only()(pair), 0.5);
  EXPECT_DOUBLE_EQ(reward_only(0.04)(pair), 0.1);
  EXPECT_EQ(reward_only(0.0)(pair), 0.0);
}

TEST(SigmaTransform, ABadScaleIsRefused) {
  for (double bad : {-1.0, double{NAN}, double{INFINITY}})
    EXPECT_THROW(reward_only(bad), InputError) << bad;
}

}  // namespace
}  // namespace vapor
