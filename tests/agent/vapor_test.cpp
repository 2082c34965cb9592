#include "vapor/agent/vapor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/agent/gaussian_belief.h"
#include "vapor/agent/equal_temperature.h"
#include "vapor/agent/k_learning.h"
#include "vapor/agent/vapor_lite.h"

namespace vapor {
namespace {

using test_support::bandit;
using test_support::GaussianBelief;
using test_support::ignorant_belief;
using test_support::play_model;
using test_support::small_deep_sea;

std::vector<double> policy_of(const PolicyRule& rule, const Problem& problem,
                              std::int64_t episode = 1) {
  GaussianBelief belief(problem);
  std::vector<double> policy(problem.shape.pairs());
  RandomStream random(1);
  rule(belief, episode, random, policy);
  return policy;
}

// Warm starts change the work, not the answer.
TEST(Vapor, EveryEpisodePlaysTheOptimalOccupancy) {
  const Problem model = small_deep_sea(5, 0.0);
  VaporAgent agent(ignorant_belief(model));
  auto twin = ignorant_belief(model);
  RandomStream random(2);
  EXPECT_EQ(agent.solution(), nullptr);
  for (int t = 0; t < 12; ++t) {
    const auto policy = agent.policy(random);
    const Solution cold = solve(twin->problem());
    ASSERT_NE(agent.solution(), nullptr);
    EXPECT_EQ(agent.solution()->status, Status::kSolved);
    EXPECT_NEAR(agent.solution()->value, cold.value, 2e-9 * (1.0 + cold.value));
    for (Index p = 0; p < model.shape.pairs(); ++p)
      EXPECT_NEAR(agent.solution()->occupancy[p], cold.occupancy[p], 1e-3);
    const Episode episode = play_model(model, policy, 0.1, random);
    agent.observe(episode);
    twin->update(episode);
  }
}

TEST(Vapor, SolutionIsAbsentUntilARestoredAgentSolves) {
  const Problem model = small_deep_sea(3, 0.0);
  VaporAgent agent(ignorant_belief(model));
  agent.policy(RandomStream(1));
  Archive saved;
  agent.archive(saved);
  Archive loaded = Archive::restoring(saved.bytes());
  agent.archive(loaded);
  EXPECT_EQ(agent.solution(), nullptr);
  agent.policy(RandomStream(1));
  EXPECT_NE(agent.solution(), nullptr);
}

// The toy pair with two actions everywhere (docs/paper-slips.md): going right costs little and the
// end pays +1 or -1, sigma 1. VAPOR goes right with probability 1.
TEST(Vapor, GoesToTheUncertainEndOfTheToyChain) {
  const Problem problem =
      ProblemBuilder({1.0})
          .layer()
          .state({{.next = {{0, 1.0}}}, {.reward_mean = -0.01, .next = {{1, 1.0}}}})
          .layer()
          .state({{}, {}})
          .state({{.sigma = 1.0}, {.sigma = 1.0}})
          .build();
  VaporAgent agent(std::make_unique<GaussianBelief>(problem));
  EXPECT_NEAR(agent.policy(RandomStream(1))[1], 1.0, 1e-8);
}

// In one state the two entropies are one (section 6).
TEST(EqualTemperature, IsKLearningOnABandit) {
  const Problem problem = bandit({0.3, 0.0, -0.4}, {0.5, 1.2, 0.9});
  const auto vapor = policy_of(equal_temperature_rule({}), problem);
  const auto k = policy_of(k_learning_rule(), problem);
  for (int a = 0; a < 3; ++a) EXPECT_NEAR(vapor[a], k[a], 1e-6);
}

// Equal means and sigmas 1 and 2: exp(-nu) + exp(-nu / 2) = 1, so exp(-nu / 2) is the golden ratio.
TEST(VaporLite, GoldenRatioBandit) {
  const double x = (std::sqrt(5.0) - 1.0) / 2.0;
  const auto policy = policy_of(vapor_lite_rule({}), bandit({0.7, 0.7}, {1.0, 2.0}));
  EXPECT_NEAR(policy[0], x * x, 1e-12);
  EXPECT_NEAR(policy[1], x, 1e-12);
}

TEST(VaporLite, ScheduleIsThatOfAppendixH) {
  const Problem problem = small_deep_sea(3, 0.7);  // S = 6, L = 3
  const double c = std::sqrt(2.0) * (1.0 + std::log(6.0 * 3.0 * 5.0));
  const auto scheduled = policy_of(vapor_lite_rule({.schedule = true}), problem, 5);
  const auto fixed = policy_of(vapor_lite_rule({.c = c}), problem);
  for (Index p = 0; p < problem.shape.pairs(); ++p) EXPECT_NEAR(scheduled[p], fixed[p], 1e-12);
}

}  // namespace
}  // namespace vapor
