// What every agent promises, whatever it computes. A new agent gets these tests by its entry in the
// registry.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/agent/gaussian_belief.h"
#include "tests/mdp/ragged_problem.h"
#include "vapor/agent/registry.h"
#include "vapor/belief/tabular_belief.h"

namespace vapor {
namespace {

using test_support::bandit;
using test_support::ignorant_belief;
using test_support::play_model;
using test_support::ragged_problem;
using test_support::small_deep_sea;

constexpr double kNoise = 0.1;

struct World {
  std::string name;
  Problem model;
  bool known_dynamics = true;
};

std::unique_ptr<Belief> belief_about(const World& world) {
  if (world.known_dynamics) return ignorant_belief(world.model, 1.0, kNoise);
  const TabularPrior prior = {.shape = world.model.shape,
                              .initial = world.model.initial,
                              .reward = GaussianRewards{.noise_variance = kNoise * kNoise},
                              .repeat = 10.0};
  return std::make_unique<TabularBelief>(prior, paper_transform());
}

std::vector<World> worlds() {
  return {
      {"one layer", ProblemBuilder({0.3, 0.7})
                        .layer()
                        .state({{.reward_mean = 1.0}, {.reward_mean = 0.2}})
                        .state({{.reward_mean = 0.1}})
                        .build()},
      {"one action", ProblemBuilder({1.0})
                         .layer()
                         .state({{.reward_mean = 0.5, .next = {{0, 0.5}, {1, 0.5}}}})
                         .layer()
                         .state({{.reward_mean = 1.0}})
                         .state({{.reward_mean = 0.0}})
                         .build()},
      {"ragged", ragged_problem(RandomStream(5), 4)},
      {"deep sea", small_deep_sea(4, 0.0)},
      {"ragged, unknown dynamics", ragged_problem(RandomStream(6), 4), false},
      {"deep sea, unknown dynamics", small_deep_sea(4, 0.0), false},
  };
}

// For those that learn under a budget: the last action of a state costs 1, half of that is allowed
// where there are two, and the first is the baseline.
Cost cost_of(const Shape& shape) {
  Cost cost;
  cost.of_pair.assign(shape.pairs(), 0.0);
  cost.baseline.assign(shape.pairs(), 0.0);
  for (Index s = 0; s < shape.states(); ++s) {
    cost.of_pair[shape.pairs_of(s).last() - 1] = 1.0;
    cost.baseline[shape.pairs_of(s).first()] = 1.0;
  }
  cost.budget = 0.5 * shape.layers();
  return cost;
}

// Plays episodes [first, last) and returns every policy on the way, with its return.
struct History {
  std::vector<std::vector<double>> policies;
  std::vector<double> returns;
};

History play(Agent& agent, const Problem& model, int first, int last) {
  History history;
  const RandomStream root(17);
  for (int t = first; t < last; ++t) {
    const auto policy = agent.policy(root.split("agent").split(t));
    history.policies.emplace_back(policy.begin(), policy.end());
    RandomStream random = root.split("world").split(t);
    const Episode episode = play_model(model, policy, kNoise, random);
    history.returns.push_back(0.0);
    for (const Step& step : episode) history.returns.back() += step.reward;
    agent.observe(episode);
  }
  return history;
}

void expect_distribution(const Shape& shape, std::span<const double> policy) {
  ASSERT_EQ(static_cast<Index>(policy.size()), shape.pairs());
  for (Index s = 0; s < shape.states(); ++s) {
    double sum = 0.0;
    for (Index p : shape.pairs_of(s)) {
      EXPECT_GE(policy[p], 0.0);
      sum += policy[p];
    }
    EXPECT_NEAR(sum, 1.0, 1e-9) << "state " << s;
  }
}

class Conformance : public testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Agent> agent(const World& world) const {
    return make_agent(Spec("--agent", GetParam()), belief_about(world), {},
                      cost_of(world.model.shape));
  }
};

TEST_P(Conformance, PolicyIsADistributionAtEveryState) {
  for (const World& world : worlds()) {
    SCOPED_TRACE(world.name);
    const auto learner = agent(world);
    for (const auto& policy : play(*learner, world.model, 0, 8).policies)
      expect_distribution(world.model.shape, policy);
  }
}

TEST_P(Conformance, SameRandomSamePolicy) {
  for (const World& world : worlds()) {
    SCOPED_TRACE(world.name);
    const auto first = agent(world), second = agent(world);
    EXPECT_EQ(play(*first, world.model, 0, 6).policies, play(*second, world.model, 0, 6).policies);
  }
}

// At every episode, a fresh agent that restores the archive goes on as the first one does, to the
// same bits, and would save the same bytes.
TEST_P(Conformance, RestoredAgentContinuesToTheSameBits) {
  for (const World& world : worlds()) {
    SCOPED_TRACE(world.name);
    const auto unbroken = agent(world);
    const History whole = play(*unbroken, world.model, 0, 9);
    Archive end;
    unbroken->archive(end);
    for (int t = 0; t < 9; ++t) {
      const auto before = agent(world);
      play(*before, world.model, 0, t);
      Archive saved;
      before->archive(saved);

      const auto after = agent(world);
      Archive loaded = Archive::restoring(saved.bytes());
      after->archive(loaded);
      loaded.expect_end();
      const History rest = play(*after, world.model, t, 9);
      for (int u = t; u < 9; ++u)
        EXPECT_EQ(rest.policies[u - t], whole.policies[u])
            << "saved at " << t << ", differs at " << u;
      Archive again;
      after->archive(again);
      EXPECT_EQ(again.bytes(), end.bytes()) << "restored at episode " << t;
    }
  }
}

TEST_P(Conformance, DamagedArchiveIsRefused) {
  const World world = {"deep sea", small_deep_sea(4, 0.0)};
  const auto learner = agent(world);
  play(*learner, world.model, 0, 2);
  Archive saved;
  learner->archive(saved);
  Archive loaded = Archive::restoring(saved.bytes().substr(0, saved.bytes().size() - 1));
  EXPECT_THROW(agent(world)->archive(loaded), InputError);
}

// Two arms that pay 1 and 0. Those that ignore rewards try both equally, and soft Q-learning at
// temperature 1 ends at e / (1 + e) = 0.73 of the good arm; all others end above 0.85.
TEST_P(Conformance, LearnsABandit) {
  const World world = {"bandit", bandit({1.0, 0.0}, {0.0, 0.0})};
  const auto learner = agent(world);
  const History history = play(*learner, world.model, 0, 400);
  double late = 0.0;
  for (int t = 200; t < 400; ++t) late += history.returns[t] / 200.0;
  if (GetParam().find("max-entropy") != std::string::npos)
    EXPECT_NEAR(late, 0.5, 0.15);
  else
    EXPECT_GT(late, GetParam() == "soft-q" ? 0.6 : 0.85);
}

std::vector<std::string> all_agents() {
  std::vector<std::string> specs;
  for (const AgentKind& kind : agent_kinds())
    if (kind.name != "bayes-optimal") specs.push_back(kind.name);
  for (const char* variant :
       {"vapor:budget=auto", "vapor:budget=auto,cost=learned,k=2", "safe-psrl:method=program",
        "vapor-lite:schedule=true", "ucbvi:bonus=bernstein", "r-max:m=1", "ube:equation=upper",
        "max-entropy:method=program", "weighted-max-entropy:method=program"})
    specs.push_back(variant);
  return specs;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::ranges::replace_if(name, [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Agents, Conformance, testing::ValuesIn(all_agents()), test_name);

}  // namespace
}  // namespace vapor
