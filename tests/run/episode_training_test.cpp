#include "vapor/run/episode_training.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/record/temporary_folder.h"
#include "vapor/deep/agents.h"
#include "vapor/env/registry.h"
#include "vapor/record/run_record.h"
#include "vapor/record/run_summary.h"
#include "vapor/run/loop.h"

namespace vapor {
namespace {

using deep::Actor;
using deep::Config;
using deep::deep_sea_config;
using deep::Learner;
using deep::make_table_agent;
using deep::paper_config;
using deep::read_config;
using deep::TemperatureSettings;

using testing::HasSubstr;
using vapor::test_support::contents;
using vapor::test_support::FolderTest;

class TrainingTest : public FolderTest {
 protected:
  RunSettings small(const std::string& agent) const {
    return {.env = "deep_sea:depth=6",
            .agent = agent + ":hidden=16",
            .belief = "",
            .episodes = 60,
            .seed = 3,
            .kind = RunKind::kNetwork};
  }
};

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const deep::AgentKind& kind : deep::agent_kinds()) all.push_back(kind.name);
  return all;
}

// Killed in the middle of an episode's line, with a checkpoint some episodes back, for every agent.
TEST_F(TrainingTest, AKilledAndResumedTrainingIsTheUnbrokenOneByteForByte) {
  for (const std::string& name : names()) {
    const RunSettings settings = small(name);
    ASSERT_EQ(make_run(settings, path(name + "-unbroken")), RunEnd::kFinished);
    for (const std::int64_t stop : {7, 31}) {
      LoopOptions options;
      options.checkpoint = {.episodes = 5, .seconds = 1e9};
      options.keep_going = [&](const RunProgress& p) {
        // An exception leaves the folder as a kill does: no checkpoint is written on the way out.
        if (p.episodes == stop) throw std::runtime_error("killed");
        return true;
      };
      EXPECT_THROW(make_run(settings, path(name), options), std::runtime_error);
    }
    ASSERT_EQ(make_run(settings, path(name)), RunEnd::kFinished);
    for (const char* file : {"/episodes.csv", "/run.json"})
      EXPECT_EQ(contents(path(name) + file), contents(path(name + "-unbroken") + file)) << name;
    EXPECT_EQ(make_run(settings, path(name)), RunEnd::kWasFinished);
  }
}

// Each frame is learned from 1 / (1 - fraction) times, up to a batch that is still owed.
TEST_F(TrainingTest, TheLearnerFollowsTheReplayFraction) {
  RunSettings settings = small("vapor-lite");
  settings.agent = "vapor-lite:hidden=8,replay_fraction=0.9,batch=50";
  EpisodeTraining training(settings);
  std::int64_t frames = 0;
  std::int64_t learned = 0;
  while (!training.is_over()) {
    const EpisodeRow row = training.play_and_learn();
    EXPECT_EQ(row.length, 6);
    EXPECT_EQ(row.frames, frames + 6) << "counted so far";
    EXPECT_GE(row.learner_frames, learned);
    frames = row.frames;
    learned = row.learner_frames;
  }
  EXPECT_EQ(learned, training.learner().frames());
  EXPECT_LE(learned, 10 * frames + 6);
  EXPECT_GE(learned, 10 * frames - 56);
}

TEST(SolvedRule, IsATenthOfTheEpisodesFromTheHundredthOn) {
  SolvedRule rule(kEarliestSolvedByNetworks);
  for (int i = 1; i <= 100; ++i) rule.add(i == 4 || i > 91);
  EXPECT_EQ(rule.first_success(), 4);
  EXPECT_EQ(rule.solved(), 100);
  SolvedRule late(kEarliestSolvedByNetworks);
  for (int i = 1; i <= 240; ++i) late.add(i > 200);
  EXPECT_EQ(late.first_success(), 201);
  EXPECT_EQ(late.solved(), 223) << "23 of 223 is more than a tenth, 22 of 222 is not";
  SolvedRule never(kEarliestSolvedByNetworks);
  for (int i = 1; i <= 99; ++i) never.add(true);
  EXPECT_EQ(never.solved(), std::nullopt);
}

TEST_F(TrainingTest, BadInputIsNamed) {
  const auto refusal = [&](RunSettings settings) { return complaint([&] { complete(settings); }); };
  RunSettings settings = small("vapor-lite");
  settings.agent = "vapor-light";
  EXPECT_THAT(refusal(settings), HasSubstr("did you mean vapor-lite"));
  settings.agent = "vapor-lite:sigma_scael=3";
  EXPECT_THAT(refusal(settings), HasSubstr("sigma_scale"));
  settings.agent = "vapor-lite:sigma_scale=-1";
  EXPECT_THAT(refusal(settings), HasSubstr("agent vapor-lite:sigma_scale: must be in (0, 1e6]"));
  settings.agent = "vapor-lite:optimism=risk-seeking";
  EXPECT_THAT(refusal(settings), HasSubstr("entropy=tuned"));
  settings.agent = "vapor-lite:uncertainty=none";
  EXPECT_THAT(refusal(settings), HasSubstr("uncertainty"));
  settings.agent = "vapor-lite:lstm=16";
  EXPECT_THAT(refusal(settings), HasSubstr("agent vapor-lite:lstm: must be 0"));
  settings.agent = "vapor-lite-closed:entropy_weight=0";
  EXPECT_THAT(refusal(settings), HasSubstr("entropy_weight"));
  settings.agent = "vapor-lite:critic_epsilon=1e-300";
  EXPECT_THAT(refusal(settings), HasSubstr("epsilon: must be in [1e-30, 10]"));
  settings.agent = "boot-dqn:q_heads=0";
  EXPECT_THAT(refusal(settings), HasSubstr("agent boot-dqn:q_heads: must be in 1..1000, got 0"));
  settings = small("vapor-lite");
  settings.env = "deep_see";
  EXPECT_THAT(refusal(settings), HasSubstr("deep_sea"));
  settings.env = "four_rooms";
  settings.stop = StopRule::kSolved;
  EXPECT_THAT(refusal(settings), HasSubstr("stop: solved asks"));
  settings.stop = StopRule::kNever;
  settings.episodes = 0;
  EXPECT_THAT(refusal(settings), HasSubstr("episodes: "));
}

// Each of these once trained as if the setting had not been given.
TEST_F(TrainingTest, ASettingThatWouldChangeNothingIsRefused) {
  const auto refusal = [&](const std::string& agent) {
    RunSettings settings = small("vapor-lite");
    settings.agent = agent;
    return complaint([&] { complete(settings); });
  };
  EXPECT_THAT(refusal("vapor-lite-closed:entropy=none"),
              HasSubstr(":entropy: must be state-action"));
  EXPECT_THAT(refusal("vapor-lite-closed:optimism=off"), HasSubstr(":optimism: must be expected"));
  EXPECT_THAT(refusal("optimistic-actor-critic:entropy=fixed"),
              HasSubstr(":entropy_weight: must be > 0, or say entropy=none"));
  EXPECT_THAT(refusal("optimistic-actor-critic:entropy=state-action"),
              HasSubstr(":entropy_weight"));
}

// The paper's table for Atari, and DeepSea's two changes of it.
TEST(Config, ThePapersTableIsTheDefaultForAtari) {
  const Config lite = paper_config("", "vapor-lite");
  EXPECT_EQ(lite.learning.discount, 0.995);
  EXPECT_EQ(lite.learning.replay.frames, 100000);
  EXPECT_EQ(lite.learning.replay_fraction, 0.9);
  EXPECT_EQ(lite.learning.replay.exponent, 1.0);
  EXPECT_EQ(lite.network.actor.learning_rate, 1e-4);
  EXPECT_EQ(lite.network.critic.learning_rate, 1e-4);
  EXPECT_EQ(lite.learning.lambda, 0.9);
  EXPECT_EQ(lite.uncertainty.ensemble.heads, 10);
  EXPECT_EQ(lite.uncertainty.ensemble.noise, 0.1);
  EXPECT_EQ(lite.uncertainty.ensemble.sigma_scale, 0.005);
  EXPECT_EQ(paper_config("", "optimistic-actor-critic").uncertainty.ensemble.sigma_scale, 0.01);
  EXPECT_EQ(paper_config("", "actor-critic-entropy").objective.entropy_weight, 0.01);
  const TemperatureSettings tau = paper_config("", "ersac").objective.temperature;
  EXPECT_EQ(tau.initial, 0.02);
  EXPECT_EQ(tau.least, 0.005);
  EXPECT_EQ(tau.most, 10.0);
  EXPECT_EQ(tau.step_size, 1e-4);
  const Config sea = deep_sea_config("", "vapor-lite", 75);
  EXPECT_EQ(sea.uncertainty.ensemble.sigma_scale, 3.0);
  EXPECT_EQ(sea.learning.replay_fraction, 0.995);
  EXPECT_EQ(sea.learning.replay.unroll, 38) << "two sequences of an episode";
}

// A learner that merges equal states learns what one that does not merge learns, up to rounding.
TEST(Learner, MergingChangesNothing) {
  for (const std::string name : {"vapor-lite", "vapor-lite-closed", "boot-dqn"}) {
    const Environment sea = make_environment(Spec("", "deep_sea:depth=5"), 1);
    Spec spec("", name +
                      ":hidden=8,noise=0.01,actor_epsilon=1e-2,critic_epsilon=1e-2,"
                      "ensemble_epsilon=1e-2");
    const Config config = read_config(spec, deep_sea_config("", name, 5));
    std::vector<std::vector<double>> policies;
    for (const bool merge : {true, false}) {
      Actor actor(sea, "");
      const auto agent =
          make_table_agent(name, config, actor.observations(), actor.actions(), RandomStream(1));
      Learner learner(config, *agent, actor.observations(), RandomStream(2), merge);
      // Episodes of the untrained agent, so that both learn from the same.
      for (std::uint64_t i = 0; i < 10; ++i) {
        RandomStream random(i);
        actor.play(*agent, random);
        learner.add(actor.frames());
      }
      for (int i = 0; i < 10; ++i) learner.step();
      policies.emplace_back();
      std::vector<double> pi(2);
      for (Index s = 0; s < actor.observations(); ++s) {
        double sigma = 0.0;
        agent->play({&s, 1}, pi, {&sigma, 1});
        policies.back().insert(policies.back().end(), pi.begin(), pi.end());
      }
    }
    for (std::size_t i = 0; i < policies[0].size(); ++i)
      EXPECT_NEAR(policies[0][i], policies[1][i], 2e-4) << name << " at " << i;
  }
}

// What it is all for: the sea is solved, by the actor-critic and in closed form.
TEST_F(TrainingTest, DeepSeaIsSolved) {
  for (const std::string name : {"vapor-lite", "vapor-lite-closed"}) {
    const RunSettings settings{.env = "deep_sea:depth=10",
                               .agent = name,
                               .belief = "",
                               .stop = StopRule::kSolved,
                               .kind = RunKind::kNetwork};
    make_run(settings, path(name));
    const RunSummary summary = summarise(read_run(path(name)));
    EXPECT_TRUE(summary.solved.has_value()) << name;
    EXPECT_LE(summary.first_success.value_or(1000), summary.episodes);
    EXPECT_EQ(summary.frames, 10 * summary.episodes);
  }
}

}  // namespace
}  // namespace vapor
