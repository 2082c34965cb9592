// The two agents that learn Q from steps alone, by hand on a chain_shape of two states.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "vapor/agent/epsilon_greedy.h"
#include "vapor/agent/optimistic_q.h"

namespace vapor {
namespace {

// One state with actions 0 and 1, then one with pairs 2, 3, 4.
Shape chain_shape() {
  Shape shape;
  shape.add_layer();
  shape.add_state(2);
  shape.add_layer();
  shape.add_state(3);
  return shape;
}

TEST(EpsilonGreedy, LearnsFromTheLastStepToTheFirst) {
  EpsilonGreedyAgent agent(chain_shape(), {.epsilon = 0.2, .learning_rate = 0.5});
  auto policy = agent.policy(RandomStream(1));
  EXPECT_EQ(std::vector(policy.begin(), policy.begin() + 2), (std::vector{0.5, 0.5}));
  // Q(4) = 0.5, and Q(1) = 0.5 (-0.1 + 0.5) in the same episode: the best action of the start.
  agent.observe({{1, -0.1, 1}, {4, 1.0, -1}});
  policy = agent.policy(RandomStream(1));
  EXPECT_DOUBLE_EQ(policy[1], 0.9);
  EXPECT_DOUBLE_EQ(policy[0], 0.1);
  EXPECT_NEAR(policy[4], 0.8 + 0.2 / 3.0, 1e-15);
  // Q(1) = 0.2 + 0.5 (-2 + 0.5 - 0.2) < 0 = Q(0).
  agent.observe({{1, -2.0, 1}, {2, 0.0, -1}});
  EXPECT_DOUBLE_EQ(agent.policy(RandomStream(1))[0], 0.9);
}

TEST(OptimisticQ, TwoVisitsByHand) {
  const double c = 0.25, delta = 0.1, H = 2.0, pairs = 5.0;
  OptimisticQAgent agent(chain_shape(), {.c = c, .delta = delta});
  EXPECT_EQ(std::vector(agent.Q().begin(), agent.Q().end()),
            (std::vector{2.0, 2.0, 1.0, 1.0, 1.0}));

  // First visits: alpha_1 = 1 forgets the start. V(s') is 1, as before the episode.
  agent.observe({{0, 0.3, 1}, {3, 0.6, -1}});
  const double b1 = c * std::sqrt(H * H * H * std::log(pairs * 1.0 / delta));
  EXPECT_NEAR(agent.Q()[0], 0.3 + 1.0 + b1, 1e-14);
  EXPECT_NEAR(agent.Q()[3], 0.6 + b1, 1e-14);

  // Second visits: alpha_2 = (H + 1) / (H + 2) = 3/4. max Q(s') = 0.6 + b1 > 1 is cut at 1.
  ASSERT_GT(0.6 + b1, 1.0);
  agent.observe({{0, 0.5, 1}, {3, 0.2, -1}});
  const double b2 = c * std::sqrt(H * H * H * std::log(pairs * 2.0 / delta) / 2.0);
  EXPECT_NEAR(agent.Q()[0], 0.25 * (1.3 + b1) + 0.75 * (0.5 + 1.0 + b2), 1e-14);
  EXPECT_NEAR(agent.Q()[3], 0.25 * (0.6 + b1) + 0.75 * (0.2 + b2), 1e-14);
}

}  // namespace
}  // namespace vapor
