#include "vapor/agent/max_entropy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

#include "tests/agent/gaussian_belief.h"
#include "vapor/core/error.h"

namespace vapor {
namespace {

using test_support::GaussianBelief;
using test_support::play_model;
using test_support::small_deep_sea;

// Action 0 leads to a state of three actions, action 1 to one of a single action. With x the
// probability of action 0 the entropy is 2 H(x) + x log 3, largest at x = sqrt(3) / (1 + sqrt(3)).
Problem fork() {
  return ProblemBuilder({1.0})
      .layer()
      .state({{.next = {{0, 1.0}}}, {.next = {{1, 1.0}}}})
      .layer()
      .state({{}, {}, {}})
      .state({{}})
      .build();
}
const double kForkOptimum = std::sqrt(3.0) / (1.0 + std::sqrt(3.0));

TEST(MaxEntropy, ProgramIsExact) {
  MaxEntropyAgent agent(std::make_unique<GaussianBelief>(fork()),
                        {.method = MaxEntropyMethod::kProgram});
  const auto policy = agent.policy(RandomStream(1));
  EXPECT_NEAR(policy[0], kForkOptimum, 1e-5);
  EXPECT_NEAR(policy[2], 1.0 / 3.0, 1e-5);
  ASSERT_NE(agent.solution(), nullptr);
  EXPECT_NEAR(agent.solution()->value, 2.0 * std::log(1.0 + std::sqrt(3.0)), 1e-8);
}

// What was visited on average approaches the optimum.
TEST(MaxEntropy, GameConvergesToTheProgram) {
  MaxEntropyAgent agent(std::make_unique<GaussianBelief>(fork()));
  RandomStream random(3);
  double visits = 0.0;
  for (int t = 0; t < 3000; ++t) {
    const Episode episode = play_model(fork(), agent.policy(random), 0.0, random);
    visits += episode[0].pair == 0 ? 1.0 : 0.0;
    agent.observe(episode);
  }
  EXPECT_NEAR(visits / 3000.0, kForkOptimum, 0.01);
}

// Known deterministic dynamics: as long as a pair is untried, every episode tries a new one.
TEST(WeightedMaxEntropy, EveryEpisodeTriesSomethingNewUntilAllIsCovered) {
  for (MaxEntropyMethod method : {MaxEntropyMethod::kGame, MaxEntropyMethod::kProgram}) {
    const Problem model = small_deep_sea(5, 0.0);
    MaxEntropyAgent agent(std::make_unique<GaussianBelief>(model),
                          {.weighted = true, .method = method});
    RandomStream random(6);
    std::set<Index> tried;
    int episodes = 0;
    while (static_cast<Index>(tried.size()) < model.shape.pairs() && episodes < 100) {
      const std::size_t before = tried.size();
      const Episode episode = play_model(model, agent.policy(random), 0.0, random);
      for (const Step& step : episode) tried.insert(step.pair);
      agent.observe(episode);
      ++episodes;
      EXPECT_TRUE(method == MaxEntropyMethod::kProgram || tried.size() > before);
    }
    EXPECT_GE(episodes, 2 * 5);  // the last layer has 2 x depth pairs, one an episode
    EXPECT_LE(episodes, method == MaxEntropyMethod::kGame ? model.shape.pairs() : 99);
  }
}

// One state and two actions, met in two layers; the first episode takes 0 and then 1.
std::vector<double> policy_after_0_1(std::vector<Index> stationary_pairs) {
  const Problem problem = ProblemBuilder({1.0})
                              .layer()
                              .state({{.next = {{0, 1.0}}}, {.next = {{0, 1.0}}}})
                              .layer()
                              .state({{}, {}})
                              .build();
  MaxEntropyAgent agent(std::make_unique<GaussianBelief>(problem), {.weighted = true},
                        std::move(stationary_pairs));
  agent.observe({{0, 0.0, 1}, {3, 0.0, -1}});
  const auto policy = agent.policy(RandomStream(1));
  return {policy.begin(), policy.end()};
}

TEST(WeightedMaxEntropy, CountsStationaryPairs) {
  EXPECT_EQ(policy_after_0_1({}), (std::vector{0.0, 1.0, 1.0, 0.0}));
  EXPECT_EQ(policy_after_0_1({0, 1, 0, 1}), (std::vector{0.5, 0.5, 0.5, 0.5}));
  EXPECT_THROW(policy_after_0_1({0, 1}), InputError);
  EXPECT_THROW(policy_after_0_1({0, 1, -1, 1}), InputError);
}

// The same world: in the first layer always 1, in the second 0, 0 and 1.
TEST(MaxEntropy, PooledForecasterCountsThroughAllLayers) {
  const Problem problem = ProblemBuilder({1.0})
                              .layer()
                              .state({{.next = {{0, 1.0}}}, {.next = {{0, 1.0}}}})
                              .layer()
                              .state({{}, {}})
                              .build();
  const auto policy_of = [&](bool pooled) {
    MaxEntropyAgent agent(std::make_unique<GaussianBelief>(problem), {.pooled = pooled},
                          {0, 1, 0, 1});
    agent.observe({{1, 0.0, 1}, {2, 0.0, -1}});
    agent.observe({{1, 0.0, 1}, {2, 0.0, -1}});
    agent.observe({{1, 0.0, 1}, {3, 0.0, -1}});
    const auto policy = agent.policy(RandomStream(1));
    return std::vector<double>(policy.begin(), policy.end());
  };
  // By layer: 0 is new in the first layer; in the second 1 was taken once, 0 twice.
  EXPECT_EQ(policy_of(false), (std::vector{1.0, 0.0, 0.0, 1.0}));
  // Pooled: 1 was taken four times, 0 twice.
  EXPECT_EQ(policy_of(true), (std::vector{1.0, 0.0, 1.0, 0.0}));
}

}  // namespace
}  // namespace vapor
