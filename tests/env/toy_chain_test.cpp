#include "vapor/env/toy_chain.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/env/refusal.h"
#include "vapor/mdp/backward_induction.h"

namespace vapor {
namespace {

OptimalValues optimum(const Environment& chain) {
  return backward_induction(chain.model, chain.model.reward_mean);
}

// V* = 1 - epsilon (L - 1) in M+, by always going right; 0 in M-, by leaving at once.
TEST(ToyChain, ItsTwoFormsHaveTheValuesOfSection3) {
  for (Index L : {2, 3, 10, 50}) {
    for (bool one_action : {false, true}) {
      const double epsilon = 0.2 / L;
      const auto [plus, minus] =
          toy_chain_pair({.length = L, .epsilon = epsilon, .one_action = one_action});
      const OptimalValues in_plus = optimum(plus);
      const OptimalValues in_minus = optimum(minus);
      EXPECT_NEAR(in_plus.V[0], 1.0 - epsilon * (L - 1), 1e-12);
      EXPECT_EQ(in_minus.V[0], 0.0);
      EXPECT_EQ(in_plus.policy[1], 1.0);   // right
      EXPECT_EQ(in_minus.policy[0], 1.0);  // down
    }
  }
}

// Only the reward of s_L tells them apart.
TEST(ToyChain, ItsTwoFormsDifferInTheLastStateOnly) {
  const auto [plus, minus] = toy_chain_pair({.length = 6});
  ASSERT_EQ(plus.shape(), minus.shape());
  for (Index p = 0; p < plus.shape().pairs(); ++p) {
    const bool goal = std::find(plus.goals.begin(), plus.goals.end(), p) != plus.goals.end();
    EXPECT_EQ(plus.model.reward_mean[p] - minus.model.reward_mean[p], goal ? 2.0 : 0.0) << p;
    EXPECT_EQ(plus.known.reward_variance[p], goal ? 1.0 : 0.0) << p;
    EXPECT_EQ(plus.known.reward_mean[p], minus.known.reward_mean[p]) << p;
    EXPECT_EQ(plus.known.reward_mean[p], goal ? 0.0 : plus.model.reward_mean[p]) << p;
  }
  EXPECT_EQ(plus.goals, minus.goals);
}

TEST(ToyChain, HasTwoActionsInEveryStateUnlessDrawnAsInTheFigure) {
  const Environment two = toy_chain({.length = 4, .sign = 1});
  const Environment one = toy_chain({.length = 4, .sign = 1, .one_action = true});
  EXPECT_EQ(two.shape().states(), 7);
  EXPECT_EQ(two.shape().pairs(), 14);
  EXPECT_EQ(two.goals.size(), 2u);
  EXPECT_EQ(one.shape().states(), 7);
  EXPECT_EQ(one.shape().pairs(), 3 * 2 + 4);  // s_1, s_2, s_3; then s_4 and s'_2, s'_3, s'_4
  EXPECT_EQ(one.goals.size(), 1u);
}

// Down, anywhere, is for ever.
TEST(ToyChain, WhoLeavesNeverComesBack) {
  const Environment chain = toy_chain({.length = 8, .sign = 1});
  const Shape& shape = chain.shape();
  RandomStream random(1);
  for (Index exit = 0; exit + 1 < 8; ++exit) {
    std::vector<double> policy(shape.pairs(), 0.0);
    for (Index s = 0; s < shape.states(); ++s)
      policy[shape.pairs_of(s).first() + (chain.cells[s].column < exit ? 1 : 0)] = 1.0;
    const Episode episode = play(chain, policy, random);
    double total = 0.0;
    for (const Step& step : episode) total += step.reward;
    EXPECT_NEAR(total, -0.1 / 8 * exit, 1e-15);
    EXPECT_FALSE(reached_goal(chain, episode));
  }
}

// epsilon (L - 1) < 0.3 is what table 1 needs.
TEST(ToyChain, IsCheapByDefault) {
  for (Index L : {2, 10, 1000}) {
    const Environment chain = toy_chain({.length = L});
    EXPECT_LT(-chain.model.reward_mean[1] * (L - 1), 0.3);
    EXPECT_GT(-chain.model.reward_mean[1], 0.0);
  }
}

TEST(ToyChain, DrawsItsSignFairly) {
  int plus = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Environment chain = toy_chain({.length = 2, .seed = seed});
    plus += chain.model.reward_mean[chain.goals[0]] == 1.0 ? 1 : 0;
  }
  EXPECT_NEAR(plus, 200, 50);  // 5 standard deviations
}

TEST(ToyChain, RefusesBadSettingsByName) {
  test_support::refused("length", [] { toy_chain({.length = 1}); });
  test_support::refused("epsilon", [] { toy_chain({.epsilon = -1.0}); });
  test_support::refused("epsilon", [] { toy_chain({.epsilon = NAN}); });
  test_support::refused("sign", [] { toy_chain({.sign = 0}); });
}

}  // namespace
}  // namespace vapor
