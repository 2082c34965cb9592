#include "vapor/env/environment.h"

#include <gtest/gtest.h>

#include <vector>

#include "vapor/mdp/problem_builder.h"

namespace vapor {
namespace {

// Two starts; from the first a sparse successor (0.2), then a base over {0.25, 0, 0.75}.
Environment with_base() {
  Environment environment;
  environment.model = ProblemBuilder({0.25, 0.75})
                          .layer()
                          .state({{.reward_mean = 1.0, .next = {{1, 0.2}}, .base_weight = 0.8}})
                          .state({{.reward_mean = 2.0, .next = {{2, 1.0}}}})
                          .layer({0.25, 0.0, 0.75})
                          .state({{}})
                          .state({{}})
                          .state({{.reward_mean = 3.0}, {.reward_mean = 0.5}})
                          .build();
  environment.noise.assign(environment.shape().pairs(), 0.0);
  environment.goals = {5};
  return environment;
}

TEST(Take, ComesToTheBaseAfterTheSparseStates) {
  const Environment environment = with_base();
  const auto next = [&](double uniform) { return take(environment, 0, uniform, 0.0).next_state; };
  EXPECT_EQ(next(0.0), 3);
  EXPECT_EQ(next(0.19), 3);
  EXPECT_EQ(next(0.21), 2);
  EXPECT_EQ(next(0.39), 2);
  EXPECT_EQ(next(0.41), 4);  // the state of base probability 0 is passed over
  EXPECT_EQ(next(0.9999999999999999), 4);
  EXPECT_EQ(take(environment, 5, 0.5, 0.0).next_state, -1);
}

// A next state is the first at which the cumulative probability exceeds the number, not reaches it.
TEST(Take, GivesTheBoundaryToTheLaterState) {
  Environment environment;
  environment.model = ProblemBuilder({1.0})
                          .layer()
                          .state({{.next = {{0, 0.0}, {1, 0.25}, {0, 0.75}}}})
                          .layer()
                          .state({{}})
                          .state({{}})
                          .build();
  environment.noise.assign(environment.shape().pairs(), 0.0);
  EXPECT_EQ(take(environment, 0, 0.0, 0.0).next_state, 2);
  EXPECT_EQ(take(environment, 0, 0.25, 0.0).next_state, 1);
}

TEST(Take, AddsGaussianNoiseOrTossesACoin) {
  Environment environment = with_base();
  environment.noise.assign(environment.shape().pairs(), 0.5);
  EXPECT_EQ(take(environment, 5, 0.0, -3.0).reward, 0.5 - 1.5);
  environment.reward_noise = RewardNoise::kBernoulli;
  EXPECT_EQ(take(environment, 5, 0.0, 0.49).reward, 1.0);
  EXPECT_EQ(take(environment, 5, 0.0, 0.5).reward, 0.0);
}

TEST(Play, StartsByTheInitialDistributionAndFollowsThePolicy) {
  const Environment environment = with_base();
  const std::vector<double> policy = {1, 1, 1, 1, 0, 1};  // by pair: always the goal in state 4
  RandomStream random(1);
  int from_the_first = 0;
  int successes = 0;
  const int n = 4000;
  for (int i = 0; i < n; ++i) {
    const Episode episode = play(environment, policy, random);
    ASSERT_EQ(episode.size(), 2u);
    EXPECT_NE(episode[1].pair, 4);
    from_the_first += episode[0].pair == 0 ? 1 : 0;
    EXPECT_EQ(reached_goal(environment, episode), episode[1].pair == 5);
    successes += episode[1].pair == 5 ? 1 : 0;
  }
  EXPECT_NEAR(from_the_first, 0.25 * n, 140);           // 5 sqrt(n p (1 - p))
  EXPECT_NEAR(successes, (0.75 + 0.25 * 0.6) * n, 95);  // 0.6 = 0.8 * 0.75
}

TEST(Play, TheSameStreamPlaysTheSameEpisode) {
  const Environment environment = with_base();
  const std::vector<double> policy(6, 1.0);
  const auto pairs = [&](std::uint64_t seed) {
    RandomStream random(seed);
    std::vector<Index> result;
    for (int i = 0; i < 10; ++i)
      for (const Step& step : play(environment, policy, random)) result.push_back(step.pair);
    return result;
  };
  EXPECT_EQ(pairs(1), pairs(1));
  EXPECT_NE(pairs(1), pairs(2));
}

}  // namespace
}  // namespace vapor
