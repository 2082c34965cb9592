// Every agent knows the end of an episode: on FrozenLake, where the ones that keep counts of their
// own once learned to die, since an end that was never left promised the most.
#include "tests/agent/frozen_lake.h"

#include <gtest/gtest.h>

#include <string>

#include "vapor/agent/registry.h"

namespace vapor {
namespace {

using test_support::FrozenLake;

// The mean return of the last quarter of the episodes.
double late_return(const FrozenLake& lake, const std::string& agent_spec, int episodes) {
  const auto agent = make_agent(Spec("agent", agent_spec), lake.belief());
  const RandomStream root(1);
  double sum = 0.0;
  for (int t = 0; t < episodes; ++t) {
    RandomStream random = root.split("play").split(t);
    const Episode episode = lake.play(agent->policy(root.split("agent").split(t)), random);
    agent->observe(episode);
    if (4 * t < 3 * episodes) continue;
    for (const Step& step : episode) sum += step.reward;
  }
  const auto quarter = episodes / 4;
  return sum / static_cast<double>(quarter);
}

// The bonuses of the counting agents are tuned: at the constants of their theory they explore for
// tens of thousands of episodes.
TEST(FrozenLake, WithoutIceEveryAgentReachesTheGoal) {
  const FrozenLake lake(false);
  EXPECT_DOUBLE_EQ(lake.optimum(), 1.0);
  for (const char* agent : {"vapor", "vapor-lite", "k-learning"})
    EXPECT_GE(late_return(lake, agent, 120), 0.95) << agent;
  EXPECT_GE(late_return(lake, "thompson", 200), 0.85);
  for (const char* agent : {"ucbvi:scale=0.01", "optimistic-q:c=0.001"})
    EXPECT_GE(late_return(lake, agent, 400), 0.95) << agent;
}

// The best policy succeeds with probability 0.199 within 20 steps; a mean over 150 episodes has a
// deviation of 0.033. An agent that gives the goal up after a first reward of 0 has 0.
TEST(FrozenLake, OnIceEveryAgentComesNearTheOptimum) {
  const FrozenLake lake(true);
  EXPECT_NEAR(lake.optimum(), 0.199, 0.001);
  for (const char* agent : {"vapor", "vapor-lite", "thompson", "k-learning", "ucbvi:scale=0.01"})
    EXPECT_GE(late_return(lake, agent, 600), 0.1) << agent;
  EXPECT_GE(late_return(lake, "optimistic-q:c=0.001", 1500), 0.1);
}

}  // namespace
}  // namespace vapor
