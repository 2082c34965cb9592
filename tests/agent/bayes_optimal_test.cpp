#include "vapor/agent/bayes_optimal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/agent/gaussian_belief.h"
#include "tests/agent/toy_pair.h"
#include "vapor/agent/registry.h"
#include "vapor/core/error.h"

namespace vapor {
namespace {

using test_support::bandit;
using test_support::toy_pair;

// Looking costs C and pays 1 - C in each later episode with probability 1/2: worth it from
// (N - 1) (1 - C) / 2 > C on, for C = 0.62 from N = 5.
TEST(BayesOptimal, LooksIfEnoughEpisodesRemain) {
  const double C = 0.62;
  for (int N = 1; N <= 8; ++N) {
    BayesOptimalAgent agent(toy_pair(C), N);
    const auto policy = agent.policy(RandomStream(1));
    const double gain = (N - 1) * (1.0 - C) / 2.0 - C;
    EXPECT_EQ(policy[1], gain > 0.0 ? 1.0 : 0.0) << N;
    EXPECT_NEAR(agent.value(), std::max(0.0, gain), 1e-12) << N;
    EXPECT_TRUE(gain <= 0.0 || policy[5] == 1.0) << "goes on";
  }
}

TEST(BayesOptimal, ExploitsWhatItHasSeen) {
  for (double end : {1.0, -1.0}) {
    BayesOptimalAgent agent(toy_pair(0.2), 10);
    EXPECT_EQ(agent.policy(RandomStream(1))[1], 1.0);
    agent.observe({{1, -0.1, 2}, {5, -0.1, 4}, {8, end, -1}});
    EXPECT_EQ(agent.policy(RandomStream(1))[1], end > 0.0 ? 1.0 : 0.0);
    EXPECT_NEAR(agent.value(), end > 0.0 ? 9 * 0.8 : 0.0, 1e-12);
  }
}

// Three arms, one of which pays 1. The first guess, the second or the third is right, each with
// probability 1/3, and pays from then on: (N + (N - 1) + (N - 2)) / 3 = N - 1 in N episodes.
TEST(BayesOptimal, NeedleInThreeArms) {
  std::vector<FiniteModel> models;
  for (int a = 0; a < 3; ++a) {
    std::vector<double> mean(3, 0.0);
    mean[a] = 1.0;
    models.push_back({.problem = bandit(mean, {0.0, 0.0, 0.0})});
  }
  BayesOptimalAgent agent(std::make_unique<FiniteBelief>(models), 7);
  EXPECT_NEAR(agent.value(), 6.0, 1e-12);
  agent.observe({{0, 0.0, -1}});
  agent.observe({{1, 0.0, -1}});
  EXPECT_EQ(agent.policy(RandomStream(1))[2], 1.0);
}

TEST(BayesOptimal, RestoredAgentKnowsWhatItSawAndWhatRemains) {
  BayesOptimalAgent agent(toy_pair(0.62), 8), other(toy_pair(0.62), 8);
  for (int t = 0; t < 4; ++t) agent.observe({{0, 0.0, 1}, {2, 0.0, 3}, {6, 0.0, -1}});
  Archive saved;
  agent.archive(saved);
  Archive loaded = Archive::restoring(saved.bytes());
  other.archive(loaded);
  loaded.expect_end();
  EXPECT_EQ(other.value(), agent.value());
  EXPECT_EQ(other.policy(RandomStream(1))[1], 0.0);  // 4 to go are too few
}

std::string refusal(std::unique_ptr<Belief> belief) {
  try {
    make_agent(Spec("--agent", "bayes-optimal"), std::move(belief))->policy(RandomStream(1));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(BayesOptimal, RefusesWhatItCannotPlan) {
  using testing::HasSubstr;
  EXPECT_EQ(refusal(toy_pair(0.1)), "accepted");
  EXPECT_THAT(refusal(test_support::ignorant_belief(bandit({0.0}, {0.0}))),
              HasSubstr("--agent bayes-optimal: needs a belief over finitely many models"));
  EXPECT_THAT(refusal(std::make_unique<FiniteBelief>(
                  std::vector<FiniteModel>{{.problem = bandit({0.0, 1.0}, {0.0, 0.0})}}, 1.0)),
              HasSubstr("without noise"));

  // A coin of two biases: beliefs never stop moving.
  const auto coin = [](double p) {
    return ProblemBuilder({1.0})
        .layer()
        .state({{.next = {{0, p}, {1, 1.0 - p}}}})
        .layer()
        .state({{}})
        .state({{}})
        .build();
  };
  EXPECT_THAT(refusal(std::make_unique<FiniteBelief>(
                  std::vector<FiniteModel>{{.problem = coin(0.3)}, {.problem = coin(0.6)}})),
              HasSubstr("different probabilities"));

  // The first step's reward says which action of the only next state pays.
  const auto told = [](double sign) {
    return ProblemBuilder({1.0})
        .layer()
        .state({{.reward_mean = 0.1 * sign, .next = {{0, 1.0}}}})
        .layer()
        .state({{.reward_mean = sign}, {.reward_mean = -sign}})
        .build();
  };
  EXPECT_THAT(refusal(std::make_unique<FiniteBelief>(
                  std::vector<FiniteModel>{{.problem = told(1.0)}, {.problem = told(-1.0)}})),
              HasSubstr("depends on what the episode has shown"));
}

}  // namespace
}  // namespace vapor
