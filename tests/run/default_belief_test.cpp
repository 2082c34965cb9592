// The belief that every environment has if none is named: what it is, that it learns, and that it
// has no unit of its own.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "vapor/agent/registry.h"
#include "vapor/env/registry.h"
#include "vapor/run/beliefs.h"
#include "vapor/run/table_run.h"

namespace vapor {
namespace {

Environment environment_of(const std::string& spec, std::uint64_t seed = 1) {
  return make_environment(Spec("--env", spec), seed);
}

std::string default_of(const std::string& spec) {
  return default_belief(Spec("--env", spec).name(), environment_of(spec));
}

TEST(DefaultBelief, IsOneForAllButWhereTheEnvironmentPublishesThePrior) {
  const std::string layer = "tabular:reward=normal-gamma,counts=layer,mass=0.1,scale=0.5";
  EXPECT_EQ(default_of("deep_sea"), layer);
  EXPECT_EQ(default_of("deep_sea:stochastic=true"), layer);
  EXPECT_EQ(default_of("random_mdp"), layer);
  EXPECT_EQ(default_of("bandit"), layer);
  EXPECT_EQ(default_of("river_swim"),
            "tabular:reward=normal-gamma,counts=pooled,mass=0.1,scale=0.5");
  EXPECT_EQ(default_of("four_rooms"), "tabular:reward=normal-gamma,counts=pooled,scale=0.5");
  EXPECT_EQ(default_of("grid_world"), "tabular:repeat=1,transform=known");
  EXPECT_EQ(default_of("toy_chain"), "finite");
}

// The spec without settings is the default; one that names a setting of old means what it meant.
TEST(DefaultBelief, OldSpecsKeepTheirMeaning) {
  const Environment swim = environment_of("river_swim");
  const auto sigma = [&](const std::string& spec) {
    return make_belief(Spec("--belief", spec), swim)->problem().sigma[0];
  };
  EXPECT_EQ(sigma("tabular"), sigma(default_of("river_swim")));
  EXPECT_NEAR(sigma("tabular:repeat=1") * sigma("tabular:repeat=1"), 3.6 * 3.6 + 19.0 * 19.0, 1e-9);
  EXPECT_EQ(sigma("tabular:variance=0.03,transform=reward-only"), std::sqrt(0.03));
  EXPECT_EQ(sigma("paper"), sigma("tabular:repeat=1,transform=paper"));
  EXPECT_EQ(sigma("contrast"), std::sqrt(0.03));
  EXPECT_NEAR(sigma("contrast:variance=0.5"), std::sqrt(0.5), 1e-15);
  const auto is_pooled = [&](const std::string& spec) {
    return make_belief(Spec("--belief", spec), swim)->places().stationary;
  };
  EXPECT_TRUE(is_pooled("tabular"));
  EXPECT_TRUE(is_pooled("tabular:reward=gaussian,noise=0.1"));
  EXPECT_FALSE(is_pooled("tabular:counts=layer"));
  EXPECT_FALSE(is_pooled("tabular:noise=0.1,transform=reward-only"));
}

double regret_of(const std::string& env, const std::string& agent, std::int64_t episodes,
                 std::uint64_t seed) {
  RunSettings settings;
  settings.env = env;
  settings.agent = agent;
  settings.episodes = episodes;
  settings.seed = seed;
  TableRun run(complete(settings));
  double regret = 0.0;
  while (!run.is_over()) {
    run.choose_policy();
    regret += run.play_episode().regret;
  }
  return regret;
}

// docs/beliefs.md has the whole table; here its cheapest rows, on seeds that chose nothing.
TEST(DefaultBelief, LearnsRiverSwimAndTheSeaWithLessRegretThanThompson) {
  double river = 0.0, river_thompson = 0.0, sea = 0.0, sea_thompson = 0.0;
  for (std::uint64_t seed : {101, 102, 103, 104}) {
    river += regret_of("river_swim", "vapor", 300, seed) / 4.0;
    river_thompson += regret_of("river_swim", "thompson", 300, seed) / 4.0;
    sea += regret_of("deep_sea:depth=15", "vapor", 150, seed) / 4.0;
    sea_thompson += regret_of("deep_sea:depth=15", "thompson", 150, seed) / 4.0;
  }
  EXPECT_LT(river, 10.0);
  EXPECT_LT(river, 0.8 * river_thompson);
  EXPECT_LT(sea, 0.8 * sea_thompson);
}

// The same environment, its rewards counted in other units.
Environment in_other_units(Environment environment, double factor) {
  for (double& reward : environment.model.reward_mean) reward *= factor;
  for (double& noise : environment.noise) noise *= factor;
  environment.known.reward_low *= factor;
  environment.known.reward_high *= factor;
  return environment;
}

// All pairs that an agent takes, episode after episode.
std::vector<Index> pairs_taken(const Environment& environment, const std::string& agent_spec,
                               const std::string& belief, int episodes) {
  const auto agent =
      make_agent(Spec("--agent", agent_spec), make_belief(Spec("--belief", belief), environment));
  const RandomStream root(11);
  std::vector<Index> pairs;
  for (int t = 0; t < episodes; ++t) {
    RandomStream random = root.split("play").split(t);
    const Episode episode = play(environment, agent->policy(root.split("agent").split(t)), random);
    for (const Step& step : episode) pairs.push_back(step.pair);
    agent->observe(episode);
  }
  return pairs;
}

std::string word_of(const testing::TestParamInfo<const char*>& agent) {
  std::string name = agent.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

class OtherUnits : public testing::TestWithParam<const char*> {};

TEST_P(OtherUnits, GiveTheSameEpisodes) {
  for (const char* env : {"river_swim:noise=0.5,horizon=8", "deep_sea:depth=6,stochastic=true"})
    for (const char* belief : {"tabular", "tabular:range=learned", "tabular:counts=layer,mass=1"}) {
      const Environment environment = environment_of(env);
      const std::vector<Index> pairs = pairs_taken(environment, GetParam(), belief, 60);
      for (double factor : {1024.0, 1.0 / 1024.0})
        EXPECT_EQ(pairs_taken(in_other_units(environment, factor), GetParam(), belief, 60), pairs)
            << env << " " << belief << " times " << factor;
    }
}

INSTANTIATE_TEST_SUITE_P(Agents, OtherUnits,
                         testing::Values("vapor", "vapor-lite", "thompson", "k-learning", "rlsvi",
                                         "vapor-equal-temperature"),
                         word_of);

}  // namespace
}  // namespace vapor
