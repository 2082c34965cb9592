// deep-sea-net and entropy-ablation: what is trained, and what the rows are.
#include "experiments/common/trainings.h"

#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "tests/experiments/small_study.h"

namespace vapor::experiments {
namespace {

using test_support::Given;
using testing::HasSubstr;
using TrainingsTest = test_support::ExperimentTest;

// Trainings written by hand: of two seeds one reaches the goal in every episode and is over at
// the hundredth, when the rule may first say so; one never does.
void write_half_solved(const Cell& cell) {
  for (const SweepCell& run : cell.runs) {
    const double success = run.settings.seed == cell.settings().seed ? 1.0 : 0.0;
    RunFolder record(run.folder, header_of(run.settings));
    for (int i = 0; i < (success > 0.0 ? 100 : 120); ++i)
      record.append(std::vector<double>{success, success, 4.0, 4.0 * (i + 1), 8.0 * (i + 1), 0.0,
                                        0.0, 0.0, 0.0, 0.0},
                    0.001);
    record.finish();
  }
}

TEST_F(TrainingsTest, ASeedThatNeverSolvesCountsAsTheCap) {
  const Study study = study_of(
      experiment("deep-sea-net"), "quick",
      {{"--agents", "dqn"}, {"--depths", "4"}, {"--episodes", "120"}, {"--first-seed", "5"}});
  const Cell cell = cells_of(study, path("out")).at(0);
  write_half_solved(cell);
  const ordered_json row = training_row(cell, "dqn");
  EXPECT_EQ(row["solved_by_seed"], ordered_json::parse("[100, null]"));
  EXPECT_DOUBLE_EQ(row["solved"].get<double>(), 110.0);
  EXPECT_DOUBLE_EQ(row["solved_se"].get<double>(), 10.0);
  EXPECT_EQ(row["solved_seeds"], 1);
  EXPECT_EQ(row["first_success_by_seed"], ordered_json::parse("[1, null]"));
  EXPECT_DOUBLE_EQ(row["first_success"].get<double>(), 60.5);
  EXPECT_DOUBLE_EQ(row["mean_return"].get<double>(), 0.5);
  EXPECT_NEAR(row["frames_per_second"].get<double>(), 8000.0, 1.0);
}

// vapor-lite solves the small seas; the cap of soft-q ends before the rule's hundredth episode.
TEST_F(TrainingsTest, ReachIsHowDeepEverySeedSolves) {
  const Findings found =
      reproduce("deep-sea-net",
                {{"--agents", "vapor-lite:hidden=32"}, {"--depths", "4,6"}, {"--episodes", "300"}});
  ASSERT_EQ(found["rows"].size(), 2U);
  EXPECT_EQ(found["rows"][1]["env"], "deep_sea:depth=6");
  EXPECT_EQ(found["rows"][1]["solved_seeds"], 2);
  EXPECT_EQ(found["reach"][0]["every_seed_to"], 6);
  EXPECT_TRUE(found["reach"][0]["no_seed_at"].is_null());
  const Findings never =
      reproduce("deep-sea-net",
                {{"--agents", "actor-critic:hidden=8"}, {"--depths", "4"}, {"--episodes", "50"}});
  EXPECT_TRUE(never["rows"][0]["solved"].is_null());
  EXPECT_TRUE(never["reach"][0]["every_seed_to"].is_null());
  EXPECT_EQ(never["reach"][0]["no_seed_at"], 4);
}

TEST(DeepSeaNet, AnAgentIsChosenWithTheSettingsAndDepthsOfItsLine) {
  const Experiment& net = experiment("deep-sea-net");
  const Tables full = tables_of(net, "full");
  const Study study =
      study_of(net, "full", {{"--agents", "ersac,vapor-lite:hidden=8,heads=5,catch"}});
  ASSERT_EQ(study.tables.size(), 3U);
  EXPECT_EQ(study.tables[0].agents[0].text,
            "ersac:replay_fraction=0.9,sigma_scale=1,tau_rate=0.001");
  EXPECT_EQ(study.tables[0].vary.at("depth"), (std::vector<std::string>{"50", "80"}));
  EXPECT_EQ(study.tables[1].agents[0].text, "vapor-lite:hidden=8,heads=5");
  EXPECT_EQ(study.tables[1].vary.at("depth"), full[0].vary.at("depth"));
  EXPECT_EQ(study.tables[2].agents[0].text, "catch");
  EXPECT_EQ(study.tables[2].request.episodes, full[0].request.episodes);
}

TEST_F(TrainingsTest, WhatCannotBeTrainedIsRefused) {
  const auto refused = [&](const Given& given) { return refusal("deep-sea-net", given); };
  EXPECT_THAT(refused({{"--seeds", "0"}}), HasSubstr("--seeds"));
  EXPECT_THAT(refused({{"--episodes", "0"}}), HasSubstr("--episodes"));
  EXPECT_THAT(refused({{"--depths", ""}}), HasSubstr("--depths"));
  EXPECT_THAT(refused({{"--depths", "10,2000"}}),
              HasSubstr("--depths: must be in 1..500, got 2000"));
  EXPECT_THAT(refused({{"--agents", "vapour-lite"}}), HasSubstr("vapor-lite"));
}

// Every loss on two seas of which the first seed of two solves each, without the games.
TEST_F(TrainingsTest, TheAblationCountsRunsAndTakesTheGeometricMeanOverSeas) {
  const Experiment& ablation = experiment("entropy-ablation");
  Study study = study_of(ablation, "quick", {{"--depths", "4,5"}, {"--episodes", "120"}});
  std::erase_if(study.tables,
                [](const SweepTable& table) { return table.request.frames.has_value(); });
  const std::vector<Cell> cells = cells_of(study, path("out"));
  ASSERT_EQ(cells.size(), 8U);
  for (const Cell& cell : cells) write_half_solved(cell);
  ReproductionOptions options;
  options.out = path("out");
  const Findings found = vapor::experiments::reproduce(ablation, study, options);
  EXPECT_EQ(found["rows"][2]["agent"], "fixed scalar");
  EXPECT_EQ(found["rows"][2]["spec"], "optimistic-actor-critic:entropy=fixed,entropy_weight=0.01");
  ASSERT_EQ(found["losses"].size(), 4U);
  EXPECT_EQ(found["losses"][3]["loss"], "tuned state-action");
  EXPECT_EQ(found["losses"][3]["runs"], 4);
  EXPECT_EQ(found["losses"][3]["solved_runs"], 2);
  EXPECT_NEAR(found["losses"][3]["geometric_mean"].get<double>(), 110.0, 1e-9);
}

}  // namespace
}  // namespace vapor::experiments
