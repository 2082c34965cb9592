#include "vapor/belief/finite_belief.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/belief/toy_models.h"
#include "vapor/core/error.h"

namespace vapor {
namespace {

using test_support::bandit;
using test_support::toy_belief;

// Two states after one action: there with probability p, else not.
Problem coin(double p, double reward) {
  return ProblemBuilder({1.0})
      .layer()
      .state({{.reward_mean = reward, .next = {{0, p}, {1, 1.0 - p}}}})
      .layer()
      .state({{}})
      .state({{}})
      .build();
}

std::vector<double> weights_of(const FiniteBelief& belief) {
  return {belief.weights().begin(), belief.weights().end()};
}

TEST(FiniteBelief, TheProblemIsTheMean) {
  FiniteBelief belief({{coin(0.25, 1.0), 3.0}, {coin(0.75, 5.0), 1.0}});
  const Problem& problem = belief.problem();
  EXPECT_DOUBLE_EQ(problem.reward_mean[0], 2.0);
  EXPECT_EQ(problem.transitions.next_state, (std::vector<Index>{1, 2}));
  EXPECT_DOUBLE_EQ(problem.transitions.probability[0], 0.375);
  EXPECT_DOUBLE_EQ(problem.transitions.probability[1], 0.625);
  // Two values, the higher with probability 1/4: (1/2) 16 / (2 log 3).
  EXPECT_DOUBLE_EQ(problem.sigma[0], std::sqrt(4.0 / std::log(3.0)));
  EXPECT_EQ(problem.sigma[1], 0.0);
}

TEST(FiniteBelief, ThreeValuesHaveHoeffdingsProxy) {
  FiniteBelief belief({{bandit({0.0})}, {bandit({1.0})}, {bandit({6.0})}});
  EXPECT_DOUBLE_EQ(belief.problem().sigma[0], 3.0);
  FiniteBelief two({{bandit({0.0})}, {bandit({1.0}), 0.0}, {bandit({6.0})}});
  EXPECT_DOUBLE_EQ(two.problem().sigma[0], 3.0);
  FiniteBelief one({{bandit({4.0})}, {bandit({4.0})}});
  EXPECT_EQ(one.problem().sigma[0], 0.0);
}

TEST(FiniteBelief, ADeterministicRewardRulesOut) {
  FiniteBelief belief({{bandit({1.0, 0.0})}, {bandit({1.0, 2.0})}, {bandit({3.0, 2.0})}});
  belief.update({{.pair = 0, .reward = 1.0 + 1e-10, .next_state = -1}});
  EXPECT_EQ(weights_of(belief), (std::vector<double>{0.5, 0.5, 0.0}));
  belief.update({{.pair = 1, .reward = 2.0, .next_state = -1}});
  EXPECT_EQ(weights_of(belief), (std::vector<double>{0.0, 1.0, 0.0}));
  EXPECT_EQ(belief.problem().sigma, std::vector<double>(2, 0.0));
}

TEST(FiniteBelief, TransitionsAreEvidence) {
  FiniteBelief belief({{coin(0.25, 0.0)}, {coin(0.75, 0.0)}, {coin(1.0, 0.0)}});
  belief.update({{.pair = 0, .reward = 0.0, .next_state = 2}});
  const std::vector<double> w = weights_of(belief);
  EXPECT_NEAR(w[0], 0.75, 1e-15);
  EXPECT_NEAR(w[1], 0.25, 1e-15);
  EXPECT_EQ(w[2], 0.0);
}

// Bayes on Gaussian likelihoods: the odds are exp(-(x - r1)^2 / 2v + (x - r2)^2 / 2v), and those of
// a thousand observations do not underflow.
TEST(FiniteBelief, NoisyRewardsAreWeighed) {
  FiniteBelief belief({{bandit({0.0})}, {bandit({1.0})}}, 4.0);
  belief.update({{.pair = 0, .reward = 3.0, .next_state = -1}});
  EXPECT_NEAR(weights_of(belief)[1] / weights_of(belief)[0], std::exp(9.0 / 8.0 - 4.0 / 8.0),
              1e-12);
  for (int i = 0; i < 1000; ++i) belief.update({{.pair = 0, .reward = 60.0, .next_state = -1}});
  EXPECT_NEAR(weights_of(belief)[1], 1.0, 1e-12);
  for (int i = 0; i < 1001; ++i) belief.update({{.pair = 0, .reward = -59.0, .next_state = -1}});
  EXPECT_NEAR(weights_of(belief)[0], 1.0, 1e-6);
}

TEST(FiniteBelief, WhatNoModelExplainsIsRefused) {
  FiniteBelief belief({{bandit({1.0})}, {bandit({2.0})}});
  EXPECT_THROW(belief.update({{.pair = 0, .reward = 1.5, .next_state = -1}}), InputError);
  EXPECT_EQ(weights_of(belief), std::vector<double>(2, 0.5));
  EXPECT_THROW(belief.update({{.pair = 1, .reward = 1.0, .next_state = -1}}), InputError);
}

// Table 1: at s_1 the marginal and the conditional are 1/2; on the chain the marginal stays 1/2,
// and the conditional P(Gamma*(s, right)) / P(Gamma*(s)) is 1.
TEST(FiniteBelief, OptimalityOfTheToyChain) {
  constexpr int kLength = 5;
  FiniteBelief belief = toy_belief(kLength);
  RandomStream random(1);
  const Optimality o = belief.optimality(random, 0);
  const Shape& shape = belief.shape();
  for (Index l = 0; l + 1 < kLength; ++l) {
    const Index leave = shape.pairs_of(shape.states_of(l).first()).first();
    EXPECT_DOUBLE_EQ(o.marginal[leave], 0.5);
    EXPECT_DOUBLE_EQ(o.marginal[leave + 1], 0.5);
    EXPECT_DOUBLE_EQ(o.occupancy[leave], l == 0 ? 0.5 : 0.0);
    EXPECT_DOUBLE_EQ(o.occupancy[leave + 1], 0.5);
  }
  EXPECT_DOUBLE_EQ(o.value, 0.5 * (1.0 - 0.01 * (kLength - 1)));
  EXPECT_EQ(o.standard_error, std::vector<double>(shape.pairs(), 0.0));
}

TEST(FiniteBelief, SamplesFollowTheWeights) {
  FiniteBelief belief({{bandit({1.0, 0.0}), 1.0}, {bandit({0.0, 2.0}), 3.0}});
  RandomStream random(2);
  std::vector<double> policy(2);
  double second = 0.0;
  for (int i = 0; i < 10000; ++i) {
    const double value = belief.sample_optimal_policy(random, policy);
    EXPECT_EQ(value, policy[1] == 1.0 ? 2.0 : 1.0);
    second += policy[1];
  }
  EXPECT_NEAR(second / 10000, 0.75, 0.02);
}

TEST(FiniteBelief, Archive) {
  const auto make = [] { return FiniteBelief({{bandit({0.0})}, {bandit({1.0})}}, 1.0); };
  FiniteBelief unbroken = make();
  unbroken.update({{.pair = 0, .reward = 0.3, .next_state = -1}});
  Archive saved;
  unbroken.archive(saved);
  FiniteBelief restored = make();
  Archive archive = Archive::restoring(saved.bytes());
  restored.archive(archive);
  archive.expect_end();
  EXPECT_EQ(weights_of(restored), weights_of(unbroken));
  EXPECT_EQ(restored.problem().sigma, unbroken.problem().sigma);
}

TEST(FiniteBelief, BadModelsAreRefused) {
  EXPECT_THROW(FiniteBelief({}), InputError);
  EXPECT_THROW(FiniteBelief({{bandit({1.0}), -1.0}}), InputError);
  EXPECT_THROW(FiniteBelief({{bandit({1.0}), 0.0}}), InputError);
  EXPECT_THROW(FiniteBelief({{bandit({1.0})}, {bandit({1.0, 2.0})}}), InputError);
  EXPECT_THROW(FiniteBelief({{bandit({1.0})}}, -1.0), InputError);
}

}  // namespace
}  // namespace vapor
