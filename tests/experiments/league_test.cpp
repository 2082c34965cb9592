#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/experiments/small_study.h"
#include "vapor/record/run_summary.h"

namespace vapor {
namespace {

using nlohmann::ordered_json;
using test_support::Given;

using LeagueStudy = test_support::ExperimentTest;

const Given kSmallLeague = {{"--seeds", "3"}, {"--first-seed", "7"}, {"--episodes", "30"}};

// Two worlds; VAPOR and Thompson with two scales, ube and ucbvi with two settings.
TEST_F(LeagueStudy, ReportsTheSettingThatWasBestOnOtherSeeds) {
  const Findings found = reproduce("league", kSmallLeague);
  ASSERT_EQ(found["rows"].size(), 4u);
  ASSERT_EQ(found["tuning"].size(), 8u);
  EXPECT_EQ(found["by_world"].size(), 8u);
  EXPECT_EQ(found["seeds"], 3);
  EXPECT_EQ(found["first_seed"], 7);
  EXPECT_EQ(found["tuning_seeds"], ordered_json::array({201}));
  for (const ordered_json& row : found["rows"]) {
    double least = 1e9;
    std::string best;
    for (const ordered_json& tried : found["tuning"])
      if (tried["agent"] == row["agent"] && tried["regret"] < least)
        least = tried["regret"], best = tried["setting"];
    EXPECT_EQ(row["setting"], best);
    EXPECT_LE(row["iqm_low"], row["iqm"]);
    EXPECT_GE(row["iqm_high"], row["iqm"]);
    EXPECT_EQ(row["vapor_better"].is_null(), row["agent"] == "vapor");
  }
  EXPECT_THAT(found["headline"].get<std::string>(), testing::HasSubstr("of 4 agents"));
}

// The uniform policy is 1: epsilon-greedy with epsilon 1 is it, and its regret has no noise, since
// the value of the policy is computed. A sea of depth 8: V* = .99, and the uniform policy finds the
// treasure once in 256, paying half of the cost.
TEST_F(LeagueStudy, RegretIsCountedFromTheOptimalToTheUniformPolicy) {
  const Findings found = reproduce("league", kSmallLeague);
  for (const ordered_json& row : found["by_world"]) {
    if (row["env"] != "deep_sea:depth=8") continue;
    double regret = 0.0;
    const std::string agent = row["agent"];
    for (const ordered_json& chosen : found["rows"]) {
      if (chosen["agent"] != agent) continue;
      std::string setting = chosen["setting"];
      std::string folder = setting.substr(0, setting.find(" scale="));
      std::ranges::replace(folder, ':', '-');
      if (const auto at = setting.find("scale="); setting.find(" scale=") != std::string::npos)
        folder += "+tabular-reward=normal-gamma-mass=0.1-" + setting.substr(at);
      for (int seed = 7; seed < 10; ++seed)
        regret += summarise(read_run(path(fmt::format("out/deep_sea-depth=8/{}/within-30/seed-{}",
                                                      folder, seed))))
                      .total_regret.value() /
                  3.0;
    }
    const double uniform = 0.99 - (1.0 / 256.0 - 0.005);
    EXPECT_NEAR(row["regret"], regret / (30.0 * uniform), 1e-9) << agent;
  }
}

// A seed has learned a world if the policies of its last fifth lose a tenth or less of what the
// uniform one loses. In 30 episodes nobody learns a sea of depth 8 whose treasure it has not found.
TEST_F(LeagueStudy, LearnedIsALastFifthWithoutRegret) {
  const Findings found = reproduce("league", kSmallLeague);
  const double uniform = 0.99 - (1.0 / 256.0 - 0.005);
  for (const ordered_json& row : found["by_world"]) {
    if (row["env"] != "deep_sea:depth=8" || row["agent"] != "ucbvi") continue;
    int learned = 0;
    for (const ordered_json& chosen : found["rows"]) {
      if (chosen["agent"] != "ucbvi") continue;
      std::string folder = chosen["setting"];
      std::ranges::replace(folder, ':', '-');
      for (int seed = 7; seed < 10; ++seed) {
        const RunRecord record =
            read_run(path(fmt::format("out/deep_sea-depth=8/{}/within-30/seed-{}", folder, seed)));
        double late = 0.0;
        for (std::size_t episode = 24; episode < 30; ++episode)
          late += record.episodes.column("regret")[episode] / 6.0;
        if (late <= 0.1 * uniform) ++learned;
      }
    }
    EXPECT_EQ(row["learned_seeds"], learned);
    EXPECT_EQ(row["seeds"], 3);
  }
}

TEST_F(LeagueStudy, TheSameCallAgainFindsTheSame) {
  Findings first = reproduce("league", kSmallLeague), second = reproduce("league", kSmallLeague);
  EXPECT_EQ(first["rows"], second["rows"]);
}

}  // namespace
}  // namespace vapor
