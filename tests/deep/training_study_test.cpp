#include "vapor/deep/training_study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "tests/record/temporary_folder.h"
#include "vapor/core/error.h"
#include "vapor/deep/deep_sea_net.h"
#include "vapor/deep/entropy_ablation.h"

namespace vapor::deep {
namespace {

using nlohmann::ordered_json;
using testing::HasSubstr;
using vapor::test_support::FolderTest;

class TrainingStudyTest : public FolderTest {
 protected:
  void make(const TrainingStudy& study) const {
    for (const StudyRun& run : runs_of(study, path("out"))) train(run.settings, run.folder);
  }
};

// vapor-lite solves the small sea; the cap of actor-critic ends before the rule's hundredth
// episode, so it cannot.
const char* const kNet = R"({"seeds": 2, "first_seed": 5, "lines": [
    {"agent": "vapor-lite:hidden=32", "depths": [4, 6], "episodes": 300},
    {"agent": "actor-critic:hidden=8", "depths": [4], "episodes": 50}]})";

TEST_F(TrainingStudyTest, RowsAreWhatTheRecordsHold) {
  const DeepSeaNet net = deep_sea_net_of(ordered_json::parse(kNet));
  make(study_of(net));
  const ordered_json findings = deep_sea_net_findings(net, path("out"));
  ASSERT_EQ(findings["rows"].size(), 3U);
  const ordered_json& row = findings["rows"][1];
  EXPECT_EQ(row["agent"], "vapor-lite");
  EXPECT_EQ(row["env"], "deep_sea:depth=6");
  EXPECT_EQ(row["solved_seeds"], 2);
  double mean = 0.0;
  const StudyCell cell{"vapor-lite", "vapor-lite:hidden=32", "deep_sea:depth=6", 300};
  for (const StudyRun& run : runs_of(cell, study_of(net), path("out"))) {
    const auto solved = summarise_training(read_run(run.folder)).solved;
    ASSERT_TRUE(solved.has_value());
    EXPECT_EQ(row["solved_by_seed"][run.settings.seed - 5], *solved);
    mean += 0.5 * static_cast<double>(*solved);
  }
  EXPECT_DOUBLE_EQ(row["solved"].get<double>(), mean);
  const ordered_json& never = findings["rows"][2];
  EXPECT_TRUE(never["solved"].is_null());
  EXPECT_EQ(never["solved_seeds"], 0);
  EXPECT_EQ(findings["reach"][0]["every_seed_to"], 6);
  EXPECT_TRUE(findings["reach"][0]["no_seed_at"].is_null());
  EXPECT_TRUE(findings["reach"][1]["every_seed_to"].is_null());
  EXPECT_EQ(findings["reach"][1]["no_seed_at"], 4);
}

// Records written by hand: of two seeds one reaches the goal in every episode, one in none.
TEST_F(TrainingStudyTest, ASeedThatNeverSolvesCountsAsTheCap) {
  const StudyCell cell{"dqn", "dqn", "deep_sea:depth=4", 120};
  const TrainingStudy study{{cell}, 2, 5};
  for (const StudyRun& run : runs_of(study, path("out"))) {
    const double success = run.settings.seed == 5 ? 1.0 : 0.0;
    RunFolder record(run.folder, header_of(run.settings));
    for (int i = 0; i < (success > 0.0 ? 100 : 120); ++i)
      record.append(std::vector<double>{success, success, 4.0, 8.0, 0.0, 0.0, 0.0, 0.0, 0.0},
                    0.001);
    record.finish();
  }
  const ordered_json row = row_of(cell, study, path("out"));
  EXPECT_EQ(row["solved_by_seed"], ordered_json::parse("[100, null]"));
  EXPECT_DOUBLE_EQ(row["solved"].get<double>(), 110.0);
  EXPECT_DOUBLE_EQ(row["solved_se"].get<double>(), 10.0);
  EXPECT_EQ(row["solved_seeds"], 1);
  EXPECT_EQ(row["first_success_by_seed"], ordered_json::parse("[1, null]"));
  EXPECT_DOUBLE_EQ(row["first_success"].get<double>(), 60.5);
  EXPECT_DOUBLE_EQ(row["mean_return"].get<double>(), 0.5);
  EXPECT_NEAR(row["frames_per_second"].get<double>(), 8000.0, 1.0);
}

TEST_F(TrainingStudyTest, EveryRunHasAFolderOfItsOwnAndAnotherCapIsAnotherRun) {
  DeepSeaNet net = deep_sea_net_of(ordered_json::parse(kNet));
  std::set<std::string> folders;
  for (const StudyRun& run : runs_of(study_of(net), "out")) folders.insert(run.folder);
  EXPECT_EQ(folders.size(), 6U);
  net.lines[0].episodes = 301;
  for (const StudyRun& run : runs_of(study_of(net), "out")) folders.insert(run.folder);
  EXPECT_EQ(folders.size(), 10U);
}

TEST(DeepSeaNet, AnAgentIsChosenWithTheSettingsAndDepthsOfItsLine) {
  DeepSeaNet net = deep_sea_net_of(ordered_json::parse(kNet));
  choose_agents(net, "actor-critic,vapor-lite:hidden=8,heads=5,dqn");
  ASSERT_EQ(net.lines.size(), 3U);
  EXPECT_EQ(net.lines[0].agent, "actor-critic:hidden=8");
  EXPECT_EQ(net.lines[0].episodes, 50);
  EXPECT_EQ(net.lines[1].agent, "vapor-lite:hidden=8,heads=5");
  EXPECT_EQ(net.lines[1].depths, (std::vector<int>{4, 6}));
  EXPECT_EQ(net.lines[2].agent, "dqn");
  EXPECT_EQ(net.lines[2].episodes, 300);
}

TEST(DeepSeaNet, RefusesWhatCannotBeTrained) {
  const auto message = [](auto change) {
    DeepSeaNet net = deep_sea_net_of(ordered_json::parse(kNet));
    change(net);
    try {
      study_of(net);
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string("accepted");
  };
  EXPECT_THAT(message([](DeepSeaNet& n) { n.seeds = 0; }), HasSubstr("--seeds"));
  EXPECT_THAT(message([](DeepSeaNet& n) { n.lines[1].episodes = 0; }), HasSubstr("--episodes"));
  EXPECT_THAT(message([](DeepSeaNet& n) { n.lines[0].depths = {}; }), HasSubstr("--depths"));
  EXPECT_THAT(message([](DeepSeaNet& n) { n.lines[0].depths = {10, 2000}; }),
              HasSubstr("--depths: must be in 1..500, got 2000"));
  EXPECT_THAT(message([](DeepSeaNet& n) { n.lines[0].agent = "vapour-lite"; }),
              HasSubstr("vapor-lite"));
  EXPECT_THAT(message([](DeepSeaNet& n) { n.lines.clear(); }), HasSubstr("--agents"));
}

// Two losses on two tasks; the second loss cannot solve within its cap.
TEST_F(TrainingStudyTest, TheAblationCountsRunsAndTakesTheGeometricMeanOverTasks) {
  const ordered_json sweep = ordered_json::parse(R"({
      "losses": {"tuned state-action": "vapor-lite:hidden=32",
                 "none": "optimistic-actor-critic:hidden=8,actor_rate=0.000001"},
      "full": {"seeds": 10, "first_seed": 1, "tasks": []},
      "quick": {"seeds": 2, "first_seed": 1, "tasks": [
          {"env": "deep_sea:depth=4", "episodes": 200},
          {"env": "deep_sea:depth=10", "episodes": 150}]}})");
  const EntropyAblation ablation = entropy_ablation_of(sweep, "quick");
  make(study_of(ablation));
  const ordered_json findings = entropy_ablation_findings(ablation, path("out"));
  ASSERT_EQ(findings["rows"].size(), 4U);
  for (std::size_t k = 0; k < 2; ++k) {
    double product = 1.0;
    int solved = 0;
    for (const ordered_json& row : findings["rows"]) {
      if (row["agent"] != findings["losses"][k]["loss"]) continue;
      product *=
          row["solved"].is_null() ? row["episodes"].get<double>() : row["solved"].get<double>();
      solved += row["solved_seeds"].get<int>();
    }
    EXPECT_EQ(findings["losses"][k]["runs"], 4);
    EXPECT_EQ(findings["losses"][k]["solved_runs"], solved);
    EXPECT_NEAR(findings["losses"][k]["geometric_mean"].get<double>(), std::sqrt(product), 1e-9);
  }
  EXPECT_GT(findings["losses"][0]["solved_runs"], 1);
  EXPECT_TRUE(findings["rows"][3]["solved"].is_null());
  EXPECT_THROW(study_of(entropy_ablation_of(sweep, "full")), InputError);
}

}  // namespace
}  // namespace vapor::deep
