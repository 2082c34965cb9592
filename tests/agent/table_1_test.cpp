// Table 1 of the paper on its toy pair: what each agent does in the first episode, exactly.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/agent/toy_pair.h"
#include "vapor/agent/registry.h"

namespace vapor {
namespace {

constexpr double kCost = 0.02;  // of both steps

// The probability of going right at the start and in the middle of the chain.
struct Right {
  double start, middle;
};

Right right(const std::string& spec, std::uint64_t seed = 1) {
  const auto agent = make_agent(Spec("--agent", spec), test_support::toy_pair(kCost));
  const auto policy = agent->policy(RandomStream(seed));
  return {policy[1], policy[5]};
}

TEST(Table1, BayesOptimal) {
  EXPECT_EQ(right("bayes-optimal").start, 1.0);
  EXPECT_EQ(right("bayes-optimal").middle, 1.0);
}

TEST(Table1, MarginalIsAFairCoinEverywhere) {
  EXPECT_DOUBLE_EQ(right("marginal-optimality").start, 0.5);
  EXPECT_DOUBLE_EQ(right("marginal-optimality").middle, 0.5);
}

TEST(Table1, ConditionalIsAFairCoinOnce) {
  EXPECT_DOUBLE_EQ(right("conditional-optimality").start, 0.5);
  EXPECT_DOUBLE_EQ(right("conditional-optimality").middle, 1.0);
}

// Every state has as many actions below it whichever way one goes, so only the cost tells.
TEST(Table1, SoftQIsAFairCoinButForTheCost) {
  EXPECT_NEAR(right("soft-q").middle, 1.0 / (1.0 + std::exp(kCost / 2.0)), 1e-14);
  EXPECT_NEAR(right("soft-q").start, 0.5, kCost);
}

TEST(Table1, ThompsonIsAllRightOrDownAtOnce) {
  double rights = 0.0;
  for (int seed = 0; seed < 2000; ++seed) {
    const Right drawn = right("thompson", seed);
    EXPECT_EQ(drawn.start, drawn.middle);
    rights += drawn.start;
  }
  EXPECT_NEAR(rights / 2000.0, 0.5, 0.045);
}

TEST(Table1, VaporGoesRight) {
  EXPECT_NEAR(right("vapor:tolerance=1e-9").start, 1.0, 1e-8);
  EXPECT_NEAR(right("vapor:tolerance=1e-9").middle, 1.0, 1e-8);
}

}  // namespace
}  // namespace vapor
