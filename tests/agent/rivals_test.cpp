// The updates of the rivals, pinned to numbers worked by hand. One state with actions 0 and 1
// (pairs 0 and 1) leads to two states with one action each (pairs 2 and 3). Action 0 was taken
// twice: once it paid .5 and led to the first, which paid 1, once it paid .1 and led to the second,
// which paid 0. Action 1 was never tried.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "vapor/agent/bayes_ucbvi.h"
#include "vapor/agent/beb.h"
#include "vapor/agent/eubrl.h"
#include "vapor/agent/ids.h"
#include "vapor/agent/opsrl.h"
#include "vapor/agent/r_max.h"
#include "vapor/agent/rand_q.h"
#include "vapor/agent/ube.h"
#include "vapor/agent/vbrb.h"

namespace vapor {
namespace {

Shape fork_shape() {
  Shape shape;
  shape.add_layer();
  shape.add_state(2);
  shape.add_layer();
  shape.add_state(1);
  shape.add_state(1);
  return shape;
}

std::vector<double> values_of(const CountAgent::Rule& rule, std::uint64_t seed = 1,
                              Places places = {}) {
  CountAgent agent(fork_shape(), std::move(places), rule);
  agent.observe({{0, 0.5, 1}, {2, 1.0, -1}});
  agent.observe({{0, 0.1, 2}, {3, 0.0, -1}});
  agent.policy(RandomStream(seed));
  return {agent.Q().begin(), agent.Q().end()};
}

void expect_values(const std::vector<double>& Q, const std::vector<double>& expected) {
  ASSERT_EQ(Q.size(), expected.size());
  for (std::size_t p = 0; p < Q.size(); ++p) EXPECT_NEAR(Q[p], expected[p], 1e-6) << "pair " << p;
}

TEST(RMax, KnownPairsAreTakenForTheTruth) {
  expect_values(values_of(r_max_rule({.m = 1.0})), {0.3 + 0.5, 2.0, 1.0, 0.0});
  expect_values(values_of(r_max_rule({.m = 2.0, .high = 3.0})), {0.3 + 3.0, 6.0, 3.0, 3.0});
}

// Posterior masses 1 + 2, 1, 1 + 1 and 1 + 1.
TEST(Beb, BonusByHand) {
  const double Q2 = 1.0 + 0.1 / 3.0, Q3 = 0.1 / 3.0, V = (Q2 + Q3) / 2.0;
  expect_values(values_of(beb_rule({.beta = 0.1, .mass = 1.0})),
                {0.3 + 0.1 / 4.0 + V, 0.1 / 2.0 + V, Q2, Q3});
  EXPECT_NEAR(values_of(beb_rule({.theorem = true}))[3], 2.0 * 2.0 * 2.0 / 3.0, 1e-12);
}

// Normal-gamma with kappa = beta = .1, alpha = 1. Pair 2: kappa 1.1, beta .1 + .5 (.1 / 1.1),
// alpha 1.5. Pair 0: sum .6, squares .26 with spread .08, kappa 2.1, alpha 2. Dirichlet (1.5, 1.5)
// and (.5, .5) have variances of 1/8 and 1/4 in all.
constexpr double kMean0 = 0.6 / 2.1, kVariance0 = 0.144285714 / (2.1 * 2.0);
constexpr double kMean2 = 1.0 / 1.1, kVariance2 = 0.145454545 / (1.1 * 1.5);
constexpr double kVariance3 = 0.1 / (1.1 * 1.5);

TEST(Vbrb, BonusByHand) {
  const double Q2 = kMean2 + 2.0 * std::sqrt(kVariance2), Q3 = 2.0 * std::sqrt(kVariance3);
  const double V = (Q2 + Q3) / 2.0;
  const VbrbSettings settings = {
      .reward_scale = 2.0, .transition_scale = 3.0, .mass = 1.0, .beta = 0.1};
  expect_values(values_of(vbrb_rule(settings)),
                {kMean0 + 2.0 * std::sqrt(kVariance0) + 3.0 * std::sqrt(0.125) + V,
                 2.0 + 3.0 * std::sqrt(0.25) + V, Q2, Q3});
}

// Rewards by (s, a, s'): of action 0 .5 and .1, seen once each. The largest uncertainty is that of
// action 1: sqrt(1/4) + sqrt(1).
TEST(Eubrl, ValuesByHand) {
  const auto weighted = [](double reward, double E) {
    return (1.0 - E / 1.5) * reward + E / 1.5 * E;
  };
  const double Q2 = weighted(kMean2, std::sqrt(kVariance2));
  const double Q3 = weighted(0.0, std::sqrt(kVariance3));
  const double V = (Q2 + Q3) / 2.0;
  const double variance = (0.111363636 + 0.100454545) / 2.0 / (1.1 * 1.5);
  const double E0 = std::sqrt(0.125) + std::sqrt(variance);
  expect_values(values_of(eubrl_rule({.alpha = 0.5, .beta = 0.1})),
                {weighted((0.5 + 0.1) / 2.0 / 1.1, E0) + V, 1.5 + V, Q2, Q3});
}

// The largest uncertainty is remembered: after action 1 is known as well, it is still 1.5.
TEST(Eubrl, LargestUncertaintyIsKeptAndSaved) {
  CountAgent agent(fork_shape(), {}, eubrl_rule({.alpha = 0.5, .beta = 0.1}));
  agent.policy(RandomStream(1));
  for (int i = 0; i < 20; ++i)
    for (Index a : {0, 1}) agent.observe({{a, 0.0, 1 + i % 2}, {2 + i % 2, 0.0, -1}});
  Archive saved;
  agent.archive(saved);
  agent.policy(RandomStream(1));
  const double E = std::sqrt(0.1 / (20.1 * 11.0));
  EXPECT_NEAR(agent.Q()[2], E * E / 1.5, 1e-12);
  CountAgent restored(fork_shape(), {}, eubrl_rule({.alpha = 0.5, .beta = 0.1}));
  Archive loaded = Archive::restoring(saved.bytes());
  restored.archive(loaded);
  restored.policy(RandomStream(1));
  EXPECT_EQ(restored.Q()[2], agent.Q()[2]);
}

// E P(s')^2 = 1.5 / 3 x 2.5 / 4 for action 0 and .5 x 1.5 / 2 for action 1.
TEST(Ube, ExactAndUpperByHand) {
  const double v = kMean2 / 2.0, spread = kMean2 * kMean2 / 2.0 - v * v;
  const double u = kVariance2 + kVariance3;
  const auto expected = [&](double w0, double w1) -> std::vector<double> {
    return {kMean0 + v + 2.0 * std::sqrt(kVariance0 + spread / 4.0 + w0 * u),
            v + 2.0 * std::sqrt(1.0 + spread / 2.0 + w1 * u), kMean2 + 2.0 * std::sqrt(kVariance2),
            2.0 * std::sqrt(kVariance3)};
  };
  UbeSettings settings = {.gain = 2.0, .mass = 1.0, .beta = 0.1};
  expect_values(values_of(ube_rule(settings)), expected(0.3125, 0.375));
  settings.equation = UbeEquation::kUpper;
  expect_values(values_of(ube_rule(settings)), expected(0.5, 0.5));
}

// Under exact's assumption the variance is exact: draws of P, r and of independent values.
TEST(Ube, ExactIsTheVarianceOfDraws) {
  RandomStream random(3);
  double sum = 0.0, squares = 0.0;
  constexpr int kDraws = 400'000;
  for (int i = 0; i < kDraws; ++i) {
    const double P = random.beta(1.5, 1.5);
    const double V2 = kMean2 + std::sqrt(kVariance2) * random.normal();
    const double V3 = std::sqrt(kVariance3) * random.normal();
    const double Q = kMean0 + std::sqrt(kVariance0) * random.normal() + P * V2 + (1.0 - P) * V3;
    sum += Q / kDraws, squares += Q * Q / kDraws;
  }
  const double Q = values_of(ube_rule({.gain = 1.0, .mass = 1.0, .beta = 0.1}))[0];
  EXPECT_NEAR(Q, sum + std::sqrt(squares - sum * sum), 2e-3);
}

// Without the outcome that was not met, action 0 is worth .1 + 1.4 U with U uniform. With it (n0 =
// 1), pair 3 is worth U: its quantile is the level.
TEST(BayesUcbvi, QuantilesOfUniforms) {
  const auto certain = values_of(bayes_ucbvi_rule({.level = 0.8, .n0 = 0.0, .samples = 100'000}));
  EXPECT_NEAR(certain[0], 0.1 + 1.4 * 0.8, 0.01);
  expect_values({certain.begin() + 1, certain.end()}, {2.0, 1.0, 0.0});
  const auto doubting = values_of(bayes_ucbvi_rule({.level = 0.9, .n0 = 1.0, .samples = 100'000}));
  EXPECT_NEAR(doubting[3], 0.9, 0.01);
}

// The largest of 8 uniforms has mean 8 / 9.
TEST(Opsrl, LargestOfEightUniforms) {
  double mean = 0.0;
  for (int seed = 0; seed < 4000; ++seed)
    mean += values_of(opsrl_rule({.samples = 8, .n0 = 1.0}), seed)[3] / 4000.0;
  EXPECT_NEAR(mean, 8.0 / 9.0, 0.01);
  EXPECT_EQ(values_of(opsrl_rule({.n0 = 1.0}))[1], 2.0);
}

// Nearly certain rates (kappa small): W = (H + 1) / (H + 1 + n) = 3/4 and, with n0 = 1, B = 1/2 in
// the mean over many tables' seeds.
TEST(RandQ, FirstVisitByHand) {
  double certain = 0.0, doubting = 0.0;
  for (int seed = 0; seed < 2000; ++seed) {
    for (const double n0 : {1e-9, 1.0}) {
      RandQAgent agent(fork_shape(), {.samples = 1, .n0 = n0, .kappa = 1e-3});
      agent.policy(RandomStream(seed));
      agent.observe({{0, 0.5, 1}, {2, 0.2, -1}});
      (n0 < 1.0 ? certain : doubting) += agent.Q()[2] / 2000.0;
      EXPECT_EQ(agent.Q()[1], 2.0);
      if (n0 < 1.0) {
        EXPECT_NEAR(agent.Q()[0], 0.25 * 2.0 + 0.75 * (0.5 + 1.0), 0.05);
      }
    }
  }
  EXPECT_NEAR(certain, 0.25 + 0.75 * 0.2, 0.002);
  // n = 2, so W = 3/5, and B ~ Beta(2, 1) has mean 2/3.
  EXPECT_NEAR(doubting, 0.4 + 0.6 * (2.0 / 3.0 * 0.2 + 1.0 / 3.0), 0.01);
}

// (.1 + .2 p)^2 / (.5 p) is least at p = 1/2.
TEST(Ids, TwoActionsByHand) {
  std::vector<double> pi(2);
  ids_distribution(std::vector{0.1, 0.3}, std::vector{0.0, 0.5}, pi);
  EXPECT_NEAR(pi[1], 0.5, 1e-12);
  ids_distribution(std::vector{0.1, 0.3}, std::vector{0.0, 0.0}, pi);  // nothing to learn
  EXPECT_EQ(pi, (std::vector{1.0, 0.0}));
  ids_distribution(std::vector{0.3, 0.0}, std::vector{1.0, 0.0}, pi);  // nothing to lose
  EXPECT_EQ(pi, (std::vector{0.0, 1.0}));
}

TEST(Ids, NoMixtureOfThreeIsBetter) {
  RandomStream random(5);
  for (int i = 0; i < 200; ++i) {
    std::vector<double> Delta(3), v(3), pi(3);
    for (double& x : Delta) x = random.uniform();
    for (double& x : v) x = random.uniform();
    const auto ratio = [&](const std::vector<double>& mixture) {
      double regret = 0.0, information = 0.0;
      for (int a = 0; a < 3; ++a) regret += mixture[a] * Delta[a], information += mixture[a] * v[a];
      return regret * regret / information;
    };
    ids_distribution(Delta, v, pi);
    for (int j = 0; j <= 50; ++j)
      for (int k = 0; j + k <= 50; ++k)
        EXPECT_LE(ratio(pi), ratio({j / 50.0, k / 50.0, (50 - j - k) / 50.0}) + 1e-12);
  }
}

// Where an episode is over nothing is worth anything, whatever the bonus.
TEST(Rivals, EndsAreWorthNothing) {
  const Places places = {.is_end = {0, 1, 0}};
  for (const CountAgent::Rule& rule : {r_max_rule(), beb_rule(), vbrb_rule(), eubrl_rule(),
                                       ube_rule(), bayes_ucbvi_rule(), opsrl_rule()})
    EXPECT_EQ(values_of(rule, 1, places)[2], 0.0);
  EXPECT_EQ(RandQAgent(fork_shape(), {}, places).Q()[2], 0.0);
}

// Two layers that are one place: what is seen in one is known in the other.
TEST(Rivals, PooledCountsServeAllLayers) {
  Shape shape;
  for (int l = 0; l < 2; ++l) shape.add_layer(), shape.add_state(2);
  CountAgent agent(shape, {.of_state = {0, 0}, .stationary = true}, r_max_rule({.m = 1.0}));
  agent.observe({{0, 0.25, 1}, {3, 0.75, -1}});
  agent.policy(RandomStream(1));
  // Action 1 was seen in the last layer alone: what follows it in the first is still unknown.
  expect_values({agent.Q().begin(), agent.Q().end()}, {0.25 + 0.75, 2.0, 0.25, 0.75});
}

}  // namespace
}  // namespace vapor
