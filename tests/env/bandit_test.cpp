#include "vapor/env/bandit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/env/refusal.h"

namespace vapor {
namespace {

TEST(Bandit, IsOneStateWhoseArmsPayZeroOrOne) {
  const Environment arms = bandit({.arms = 7, .seed = 3});
  EXPECT_EQ(arms.shape().layers(), 1);
  EXPECT_EQ(arms.shape().states(), 1);
  EXPECT_EQ(arms.shape().pairs(), 7);
  RandomStream random(1);
  double sum = 0.0;
  constexpr int n = 10000;
  for (int t = 0; t < n; ++t) {
    const Step step = take(arms, 4, random);
    EXPECT_TRUE(step.reward == 0.0 || step.reward == 1.0);
    EXPECT_EQ(step.next_state, -1);
    sum += step.reward;
  }
  EXPECT_NEAR(sum / n, arms.model.reward_mean[4], 5.0 * std::sqrt(0.25 / n));
}

TEST(Bandit, ItsMeansAreUniform) {
  const Environment arms = bandit({.arms = 4000});
  const std::vector<double>& means = arms.model.reward_mean;
  EXPECT_NEAR(std::accumulate(means.begin(), means.end(), 0.0) / 4000.0, 0.5,
              5.0 * std::sqrt(1.0 / 12.0 / 4000.0));
  EXPECT_GE(*std::ranges::min_element(means), 0.0);
  EXPECT_LE(*std::ranges::max_element(means), 1.0);
}

TEST(Bandit, RefusesNoArms) {
  test_support::refused("arms", [] { bandit({.arms = 0}); });
}

}  // namespace
}  // namespace vapor
