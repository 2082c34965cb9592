#include "vapor/agent/thompson.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/agent/gaussian_belief.h"
#include "vapor/agent/rlsvi.h"

namespace vapor {
namespace {

using test_support::bandit;
using test_support::GaussianBelief;

// How often a rule takes arm 0 of the bandit N(0.3, 0.5^2), N(0, 1.2^2).
double frequency_of_first_arm(const PolicyRule& rule, int draws) {
  GaussianBelief belief(bandit({0.3, 0.0}, {0.5, 1.2}));
  std::vector<double> policy(2);
  double frequency = 0.0;
  for (int i = 0; i < draws; ++i) {
    RandomStream random = RandomStream(3).split(i);
    rule(belief, 1, random, policy);
    frequency += policy[0] / draws;
  }
  return frequency;
}

// P(X > Y) = Phi((E X - E Y) / sqrt(Var X + Var Y)); 20000 draws have standard error 0.0034.
const double kPhi = 0.5 * std::erfc(-(0.3 / 1.3) / std::sqrt(2.0));

TEST(Thompson, TakesAnArmAsOftenAsItIsBest) {
  EXPECT_NEAR(frequency_of_first_arm(thompson_rule(), 20000), kPhi, 0.014);
}

TEST(Rlsvi, TakesAnArmAsOftenAsItIsBestUnderTheTransformedBelief) {
  EXPECT_NEAR(frequency_of_first_arm(rlsvi_rule(), 20000), kPhi, 0.014);
}

TEST(Rlsvi, WithoutUncertaintyIsBackwardInduction) {
  const Problem problem = test_support::small_deep_sea(5, 0.0);
  GaussianBelief belief(problem);
  std::vector<double> policy(problem.shape.pairs());
  RandomStream random(1);
  rlsvi_rule()(belief, 1, random, policy);
  EXPECT_EQ(policy, backward_induction(problem, problem.reward_mean).policy);
}

}  // namespace
}  // namespace vapor
