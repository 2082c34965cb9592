#include "vapor/belief/sigma_transform.h"

#include <gtest/gtest.h>

#include <cmath>

#include "vapor/core/error.h"

namespace vapor {
namespace {

constexpr PairUncertainty kPair{
    .reward_variance = 0.25, .dirichlet_mass = 101.0, .steps_left = 7, .value_variance = 0.5};

// sigma_hat^2 = 3.6^2 sigma^2 + (L - l)^2 / sum alpha
TEST(SigmaTransform, ThePapers) {
  const SigmaTransform transform = paper_transform();
  EXPECT_DOUBLE_EQ(transform.sigma(kPair), std::sqrt(12.96 * 0.25 + 49.0 / 101.0));
  EXPECT_DOUBLE_EQ(
      transform.sigma({.reward_variance = 1.0, .dirichlet_mass = 1.0, .steps_left = 0}), 3.6);
  EXPECT_FALSE(transform.uses_values);
}

TEST(SigmaTransform, KnownDynamicsAddNothing) {
  PairUncertainty known = kPair;
  known.dirichlet_mass = INFINITY;
  EXPECT_EQ(range_bound().variance(known), 0.0);
  EXPECT_DOUBLE_EQ(paper_transform().sigma(known), 1.8);
}

TEST(SigmaTransform, RewardOnlyIgnoresTheDynamics) {
  EXPECT_DOUBLE_EQ(reward_only().sigma(kPair), 0.5);
  EXPECT_DOUBLE_EQ(reward_only(0.04).sigma(kPair), 0.1);
  EXPECT_EQ(reward_only(0.0).sigma(kPair), 0.0);
}

TEST(SigmaTransform, VariancesAddAndScale) {
  const SigmaTransform exact = reward_only(2.0) + value_variance();
  EXPECT_DOUBLE_EQ(exact.variance(kPair), 1.0);
  EXPECT_DOUBLE_EQ(scaled(exact, 0.09).sigma(kPair), 0.3);
  EXPECT_TRUE(exact.uses_values);
  EXPECT_TRUE(scaled(exact, 0.09).uses_values);
  EXPECT_FALSE(scaled(paper_transform(), 2.0).uses_values);
}

TEST(SigmaTransform, ABadFactorIsRefused) {
  for (double bad : {-1.0, double{NAN}, double{INFINITY}}) {
    EXPECT_THROW(reward_only(bad), InputError) << bad;
    EXPECT_THROW(scaled(reward_only(), bad), InputError) << bad;
  }
}

TEST(SigmaTransform, NamesAreThoseOfTheirTerms) {
  const auto variance = [](const char* name) {
    return named_transform("transform", name).variance(kPair);
  };
  EXPECT_DOUBLE_EQ(variance("paper"), 12.96 * 0.25 + 49.0 / 101.0);
  EXPECT_DOUBLE_EQ(variance("reward-only"), 0.25);
  EXPECT_DOUBLE_EQ(variance("range"), 0.25 + 49.0 / 101.0);
  EXPECT_DOUBLE_EQ(variance("dirichlet-variance"), 0.25 + 0.5);
  EXPECT_THROW(variance("rewards-only"), InputError);
}

}  // namespace
}  // namespace vapor
