#include "vapor/agent/soft_q.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/agent/gaussian_belief.h"

namespace vapor {
namespace {

// Action 0 ends in a state of three actions that pay 0, action 1 in one that pays 1 at one action:
// at temperature tau the values are tau log 3 and 1, and pi(0) = 3 / (3 + exp(1 / tau)). The sigmas
// change nothing.
TEST(SoftQ, CountsActionsAsIfTheyWereReward) {
  const double tau = 0.7;
  test_support::GaussianBelief belief(
      ProblemBuilder({1.0})
          .layer()
          .state({{.sigma = 3.0, .next = {{0, 1.0}}}, {.sigma = 0.1, .next = {{1, 1.0}}}})
          .layer()
          .state({{}, {.sigma = 5.0}, {}})
          .state({{.reward_mean = 1.0}})
          .build());
  std::vector<double> policy(6);
  RandomStream random(1);
  soft_q_rule(tau)(belief, 1, random, policy);
  EXPECT_NEAR(policy[0], 3.0 / (3.0 + std::exp(1.0 / tau)), 1e-14);
  for (int p = 2; p < 5; ++p) EXPECT_NEAR(policy[p], 1.0 / 3.0, 1e-14);
  EXPECT_EQ(policy[5], 1.0);
}

}  // namespace
}  // namespace vapor
