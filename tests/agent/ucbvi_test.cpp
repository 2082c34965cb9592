#include "vapor/agent/ucbvi.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/agent/gaussian_belief.h"
#include "vapor/mdp/random_problem.h"

namespace vapor {
namespace {

// Rewards in {0, 1} with these means, so that the range is [0, 1].
Problem bernoulli_model(std::uint64_t seed) {
  Problem model =
      random_problem({.layers = 3, .states = 3, .actions = 2, .successors = 2}, RandomStream(seed));
  for (double& mean : model.reward_mean) mean = 1.0 / (1.0 + std::exp(-2.0 * mean));
  return model;
}

// At scale 1 and delta 0.05 optimism holds in all episodes at once in 95% of the runs. These bounds
// are far from tight: no run of these 30 breaks them.
TEST(Ucbvi, HoeffdingBonusIsOptimistic) {
  for (int seed = 0; seed < 30; ++seed) {
    const Problem model = bernoulli_model(seed);
    const OptimalValues optimal = backward_induction(model, model.reward_mean);
    UcbviAgent agent(model.shape);
    RandomStream random(100 + seed);
    for (int t = 0; t < 300; ++t) {
      Episode episode = test_support::play_model(model, agent.policy(random), 0.0, random);
      for (Index s = 0; s < model.shape.states(); ++s)
        ASSERT_GE(agent.values()[s], optimal.V[s] - 1e-12);
      for (Step& step : episode) step.reward = random.uniform() < step.reward ? 1.0 : 0.0;
      agent.observe(episode);
    }
  }
}

// Without a bonus it is not: the test above can fail.
TEST(Ucbvi, WithoutBonusOptimismFails) {
  int failures = 0;
  for (int seed = 0; seed < 30; ++seed) {
    const Problem model = bernoulli_model(seed);
    const OptimalValues optimal = backward_induction(model, model.reward_mean);
    UcbviAgent agent(model.shape, {.scale = 0.0});
    RandomStream random(100 + seed);
    bool failed = false;
    for (int t = 0; t < 300; ++t) {
      Episode episode = test_support::play_model(model, agent.policy(random), 0.0, random);
      for (Index s = 0; s < model.shape.states(); ++s) failed |= agent.values()[s] < optimal.V[s];
      for (Step& step : episode) step.reward = random.uniform() < step.reward ? 1.0 : 0.0;
      agent.observe(episode);
    }
    failures += failed;
  }
  EXPECT_GT(failures, 20);
}

// One state, two arms that pay in [-1, 1]; arm 0 pulled 4 times, arm 1 9 times.
double value_after_13_pulls(UcbviBonus bonus, double scale) {
  Shape shape;
  shape.add_layer();
  shape.add_state(2);
  UcbviAgent agent(shape, {.bonus = bonus, .scale = scale, .delta = 0.1, .low = -1.0});
  for (int i = 0; i < 4; ++i) agent.observe({{0, i < 2 ? -0.5 : -0.3, -1}});
  for (int i = 0; i < 9; ++i) agent.observe({{1, -1.0, -1}});
  agent.policy(RandomStream(1));
  return agent.values()[0];
}

TEST(Ucbvi, BonusByHand) {
  const double iota = std::log(2.0 * 4.0 * 5.0 / 0.1);
  EXPECT_NEAR(value_after_13_pulls(UcbviBonus::kHoeffding, 0.1),
              -0.4 + 0.1 * 2.0 * std::sqrt(iota / 8.0), 1e-14);
  const double iota2 = iota + std::log(2.0);
  EXPECT_NEAR(value_after_13_pulls(UcbviBonus::kBernstein, 0.01),
              -0.4 + 0.01 * (std::sqrt(2.0 * 0.01 * iota2 / 4.0) + 7.0 * 2.0 * iota2 / 9.0), 1e-14);
}

}  // namespace
}  // namespace vapor
