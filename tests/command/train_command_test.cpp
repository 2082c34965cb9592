#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/command/run_command.h"

namespace vapor {
namespace {

using nlohmann::json;
using test_support::CommandTest;
using test_support::contents;
using test_support::Outcome;
using testing::HasSubstr;

using TrainCommand = CommandTest;

TEST_F(TrainCommand, PrintsOneJsonObject) {
  const Outcome made =
      vapor({"train", "--env", "deep_sea:depth=4", "--agent", "vapor-lite:hidden=8", "--episodes",
             "120", "--seeds", "2", "--out", path("a"), "--json"});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const json answer = json::parse(made.out);
  EXPECT_EQ(answer.at("episodes"), 120);
  EXPECT_GT(answer.at("frames_per_second"), 0.0);
  const json& seed = answer.at("runs").at(0);  // played, not learned from
  EXPECT_NEAR(seed.at("frames_per_second").get<double>() * seed.at("seconds").get<double>(),
              seed.at("frames").get<double>(), 1e-6);
  EXPECT_TRUE(answer.contains("solved"));
  EXPECT_TRUE(answer.contains("first_success"));
  EXPECT_EQ(answer.at("runs").size(), 2U);
  EXPECT_EQ(answer["runs"][1].at("seed"), 2);
}

TEST_F(TrainCommand, TheNumberOfThreadsAndAStopInBetweenDoNotMatter) {
  const std::vector<std::string> common = {
      "train",      "--env", "deep_sea:depth=5", "--agent", "vapor-lite-closed:hidden=8",
      "--episodes", "80",    "--seeds",          "2",       "--quiet"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), common.begin(), common.end());
    return vapor(more).exit_code;
  };
  EXPECT_EQ(with({"--out", path("one")}), 0);
  EXPECT_EQ(with({"--out", path("two"), "--threads", "2"}), 0);
  EXPECT_EQ(with({"--out", path("two"), "--threads", "1"}), 0) << "finished runs are left alone";
  for (const char* seed : {"/seed-1", "/seed-2"})
    EXPECT_EQ(contents(path("one") + seed + "/episodes.csv"),
              contents(path("two") + seed + "/episodes.csv"));
}

TEST_F(TrainCommand, AnImageIsTrainedByFramesAndTheSameBytesComeAgain) {
  const auto train = [&](const std::string& out) {
    return vapor({"train", "--env", "catch", "--agent", "vapor-lite:batch=40,replay=2000",
                  "--frames", "1000", "--places", "4", "--out", path(out), "--json"});
  };
  const Outcome made = train("a");
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const json answer = json::parse(made.out);
  EXPECT_GE(answer.at("frames"), 950) << "up to the last episode that ended";
  EXPECT_GE(answer.at("episodes"), 100);
  EXPECT_GT(answer.at("learner_frames"), 5000);
  EXPECT_TRUE(answer.at("solved").is_null());
  EXPECT_EQ(train("b").exit_code, 0);
  EXPECT_EQ(contents(path("a/seed-1/episodes.csv")), contents(path("b/seed-1/episodes.csv")));
}

TEST_F(TrainCommand, ActorsPlayBesideTheLearner) {
  const Outcome made = vapor({"train", "--env", "catch", "--agent", "actor-critic:batch=40",
                              "--frames", "1000", "--actors", "2", "--out", path("a"), "--json"});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  EXPECT_GE(json::parse(made.out).at("episodes"), 90);
}

TEST_F(TrainCommand, OptionsOfTheOtherKindOfEnvironmentAreRefused) {
  EXPECT_THAT(refusal({"train", "--env", "catch", "--episodes", "10"}),
              HasSubstr("--episodes: does not go with catch"));
  EXPECT_THAT(refusal({"train", "--env", "deep_sea", "--frames", "10"}),
              HasSubstr("--frames: does not go with deep_sea"));
  EXPECT_THAT(refusal({"train", "--env", "catch", "--agent", "vapor-lite:uncertainty=counts"}),
              HasSubstr("counts asks for states that are known by their index"));
  EXPECT_THAT(refusal({"train", "--env", "catch", "--agent", "vapor-lite:torso=large"}),
              HasSubstr("torso"));
  EXPECT_THAT(refusal({"train", "--env", "atari:game=pongg"}), HasSubstr("did you mean pong"));
  EXPECT_THAT(refusal({"train", "--env", "catc"}), HasSubstr("did you mean catch"));
}

TEST_F(TrainCommand, BadInputIsOneLineAndExitCode2) {
  EXPECT_THAT(refusal({"train", "--env", "deep_sea:depth=4", "--agent", "vapor-lit"}),
              HasSubstr("did you mean vapor-lite"));
  EXPECT_THAT(refusal({"train", "--env", "deep_sea:depth=4", "--agent", "dqn:epsilon=2"}),
              HasSubstr("--agent dqn:epsilon: must be in [0, 1], got 2"));
  EXPECT_THAT(refusal({"train"}), HasSubstr("--env"));
  EXPECT_THAT(
      refusal({"train", "--env", "deep_sea:depth=1500", "--agent", "vapor-lite:hidden=16384"}),
      HasSubstr("choose a smaller one, or fewer hidden units"));
  EXPECT_THAT(refusal({"trian"}), HasSubstr("train"));
}

}  // namespace
}  // namespace vapor
