// `vapor reproduce deep-sea`: what its rows are, from records that are written by hand where the
// outcome must be known.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <fstream>

#include "experiments/deep-sea/novelty.h"
#include "tests/experiments/small_study.h"
#include "vapor/core/error.h"
#include "vapor/record/run_folder.h"
#include "vapor/record/run_record.h"
#include "vapor/record/run_summary.h"
#include "vapor/run/run_settings.h"

namespace vapor {
namespace {

using nlohmann::ordered_json;
using test_support::Given;
using test_support::with;
using testing::HasSubstr;
namespace fs = test_support::fs;

const Given kSmallSea = {{"--setting", "contrast"}, {"--agents", "vapor,soft-q"},
                         {"--depths", "3,4,8"},     {"--seeds", "3"},
                         {"--first-seed", "5"},     {"--episodes", "60"}};

using DeepSeaStudy = test_support::ExperimentTest;

ordered_json without_times(Findings findings) {
  for (ordered_json& row : findings["rows"]) row.erase("ms_per_episode");
  return findings;
}

// Records that are made up, so that rows can come from nowhere else: seed s reaches the goal in
// episode s and in all that follow. From episode e on a tenth of the episodes have, if 10 (e - s +
// 1)
// >= e: with s = 5, 6, 7 that is the same episode, 5, 6, 7; and the last policy is optimal.
TEST_F(DeepSeaStudy, RowsComeFromTheRecords) {
  const experiments::Experiment& of = experiments::experiment("deep-sea");
  const Given given = with(kSmallSea, {{"--agents", "vapor"}, {"--depths", "8"}});
  const std::vector<experiments::Cell> cells = cells_of(study_of(of, "quick", given), path("out"));
  ASSERT_EQ(cells.size(), 1u);
  for (const SweepCell& run : cells[0].runs) {
    RunFolder record(run.folder, header_of(run.settings));
    for (std::uint64_t episode = 1; episode <= run.settings.seed; ++episode) {
      const double success = episode == run.settings.seed ? 1.0 : 0.0;
      record.append(std::vector<double>{success, 0.99, 0.0, success}, 0.002);
    }
    record.finish();
  }
  const Findings findings = reproduce("deep-sea", given);
  ASSERT_EQ(findings["rows"].size(), 1u);
  const ordered_json& row = findings["rows"][0];
  EXPECT_EQ(row["agent"], "vapor");
  EXPECT_EQ(row["depth"], 8);
  EXPECT_EQ(row["setting"], "contrast");
  EXPECT_EQ(row["seeds"], 3);
  EXPECT_DOUBLE_EQ(row["first_success"].get<double>(), 6.0);
  EXPECT_EQ(row["found_fraction"], 1.0);
  EXPECT_DOUBLE_EQ(row["solved"].get<double>(), 6.0);
  EXPECT_DOUBLE_EQ(row["solved_se"].get<double>(), 1.0 / std::sqrt(3.0));
  EXPECT_EQ(row["solved_fraction"], 1.0);
  EXPECT_NEAR(row["ms_per_episode"].get<double>(), 2.0, 1e-6);
  EXPECT_EQ(row["coverage_floor"], 16);
}

// Whoever has not solved it is counted at the cap, and a mean of nobody is null.
TEST_F(DeepSeaStudy, UnsolvedSeedsAreCountedAtTheCap) {
  const Findings findings = reproduce(
      "deep-sea",
      with(kSmallSea,
           {{"--agents", "soft-q"}, {"--depths", "4,12"}, {"--seeds", "8"}, {"--episodes", "12"}}));
  const ordered_json& some = findings["rows"][0];
  const double fraction = some["solved_fraction"];
  ASSERT_GT(fraction, 0.0);
  ASSERT_LT(fraction, 1.0);
  std::vector<double> times;
  for (const auto& entry : fs::recursive_directory_iterator(path("out/deep_sea-depth=4")))
    if (entry.path().filename() == "run.json")
      times.push_back(
          static_cast<double>(summarise(read_run(entry.path().parent_path())).solved.value_or(12)));
  ASSERT_EQ(times.size(), 8u);
  EXPECT_NEAR(some["solved"].get<double>(), mean_and_error(times).mean, 1e-12);
  const ordered_json& none = findings["rows"][1];
  EXPECT_EQ(none["solved_fraction"], 0.0);
  EXPECT_TRUE(none["solved"].is_null());
  EXPECT_TRUE(none["solved_se"].is_null());
}

TEST_F(DeepSeaStudy, ThreadsAndASecondCallChangeNothing) {
  const Findings first = reproduce("deep-sea", kSmallSea, 2);
  EXPECT_EQ(reproduce("deep-sea", kSmallSea).dump(), first.dump());
  fs::remove_all(path("out"));
  EXPECT_EQ(without_times(reproduce("deep-sea", kSmallSea)).dump(), without_times(first).dump());
}

// By setting, then depth, then agent, as the figure is read.
TEST_F(DeepSeaStudy, RowsAreInTheOrderOfTheFigure) {
  std::vector<std::string> order;
  const Findings findings = reproduce(
      "deep-sea",
      {{"--agents", "vapor,rlsvi"}, {"--depths", "3,4"}, {"--seeds", "1"}, {"--episodes", "5"}});
  for (const ordered_json& row : findings["rows"])
    order.push_back(row["setting"].get<std::string>() + row["depth"].dump() +
                    row["agent"].get<std::string>());
  std::vector<std::string> expected;
  for (const std::string setting : {"default", "precise", "contrast", "literal"})
    for (const std::string depth : {"3", "4"})
      for (const std::string agent : {"vapor", "rlsvi"})
        expected.push_back(fmt::format("{}{}{}", setting, depth, agent));
  EXPECT_EQ(order, expected);
}

// `default` is what runs have that name no belief.
TEST_F(DeepSeaStudy, TheDefaultSettingIsTheBeliefOfThoseWhoNameNone) {
  const Findings findings =
      reproduce("deep-sea", with(kSmallSea, {{"--setting", "default"}, {"--depths", "3"}}));
  RunRequest request;
  request.env = "deep_sea:depth=3";
  request.agent = "vapor";
  EXPECT_EQ(findings["settings"]["default"], complete(settings_of(request)).belief);
}

// Of the tables of a part those that have the setting are made, or else the first with it.
TEST_F(DeepSeaStudy, ASettingLeavesOneTable) {
  const experiments::Experiment& of = experiments::experiment("deep-sea");
  const auto cells = [&](const std::string& part, const std::string& setting) {
    return cells_of(study_of(of, part, {{"--setting", setting}}), "out").size();
  };
  EXPECT_EQ(cells("full", "default"), 8u * 5u);
  EXPECT_EQ(cells("full", "contrast"), 8u * 9u);
  EXPECT_EQ(cells("full", "literal"), 6u * 9u);
  EXPECT_EQ(cells("full", "tabular:mass=3"), 8u * 5u);
  EXPECT_EQ(cells("noise", "contrast"), 3u * 5u);
}

// What a belief without a name is made of are columns of its rows.
TEST_F(DeepSeaStudy, SettingsWithoutANameAreSpelledOutInColumns) {
  const Findings findings = reproduce(
      "deep-sea",
      with(kSmallSea, {{"--setting", "tabular:repeat=100,noise=0.01,mass=3"}, {"--depths", "3"}}));
  EXPECT_EQ(findings["rows"][0]["repeat"], "100");
  EXPECT_EQ(findings["rows"][0]["noise"], "0.01");
  EXPECT_EQ(findings["rows"][0]["mass"], "3");
}

// The slope of the logarithms, with three depths worked out by hand.
TEST_F(DeepSeaStudy, GrowthIsTheSlopeOfTheLogarithms) {
  const Findings findings = reproduce("deep-sea", with(kSmallSea, {{"--agents", "vapor"}}));
  std::vector<double> x, y;
  for (const ordered_json& row : findings["rows"]) {
    ASSERT_EQ(row["solved_fraction"], 1.0);
    x.push_back(std::log(row["depth"].get<double>()));
    y.push_back(std::log(row["solved"].get<double>()));
  }
  const double n = 3.0;
  double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    sx += x[i];
    sy += y[i];
    sxx += x[i] * x[i];
    sxy += x[i] * y[i];
  }
  EXPECT_NEAR(findings["growth"][0]["exponent"].get<double>(),
              (n * sxy - sx * sy) / (n * sxx - sx * sx), 1e-12);
}

TEST_F(DeepSeaStudy, AnotherCapIsAnotherRun) {
  reproduce("deep-sea", kSmallSea);
  EXPECT_NO_THROW(reproduce("deep-sea", with(kSmallSea, {{"--episodes", "61"}})));
}

TEST_F(DeepSeaStudy, SettingsAreNamedOrSpelledOut) {
  const auto settings = [&](const std::string& setting) {
    return reproduce("deep-sea",
                     with(kSmallSea, {{"--setting", setting}, {"--depths", "3"}}))["settings"];
  };
  EXPECT_EQ(settings("literal"),
            (ordered_json{{"literal", "tabular:repeat=100,variance=1,transform=paper"}}));
  EXPECT_EQ(settings("tabular:repeat=3"), (ordered_json{{"tabular:repeat=3", "tabular:repeat=3"}}));
}

TEST_F(DeepSeaStudy, TheStudyHasEverySettingOfItsGrid) {
  const experiments::Experiment& of = experiments::experiment("deep-sea");
  EXPECT_EQ(cells_of(study_of(of, "study"), "out").size(), 5u * 3u * 4u * 4u);
  EXPECT_EQ(cells_of(study_of(of, "noise"), "out").size(), 5u * 4u * 2u * 3u);
  EXPECT_EQ(cells_of(study_of(of, "terms"), "out").size(), 5u * 4u * 2u * 2u * 2u);
}

// Snapshots that are made up, of a sea of depth 2 with 6 pairs: 0, 3 and 5 of them are tried after
// 0, 2 and 4 episodes. The first success is in episode 3, so by then it is 4, in 3 x 2 steps.
// Before the third episode the policy takes an untried action with probability 3/4, then 1/2;
// lambda 1/2, then 1/2.
TEST_F(DeepSeaStudy, NoveltyCountsWhatIsTriedForTheFirstTime) {
  const experiments::Experiment& of = experiments::experiment("deep-sea");
  const Given given = {{"--depths", "2"}, {"--seeds", "1"}, {"--agents", "vapor"}};
  const std::vector<experiments::Cell> cells = cells_of(study_of(of, "novelty", given), path("o"));
  ASSERT_EQ(cells.size(), 1u);
  const SweepCell& run = cells[0].runs[0];
  RunFolder record(run.folder, header_of(run.settings));
  for (const double success : {0.0, 0.0, 1.0, 1.0})
    record.append(std::vector<double>{success, 0.99, 0.0, success}, 0.002);
  record.finish();
  fs::create_directories(run.folder + "/snapshots");
  const auto write = [&](int episodes, const char* counts, const char* policy, const char* lambda) {
    std::ofstream(fmt::format("{}/snapshots/{:09}.json", run.folder, episodes))
        << fmt::format(R"({{"episodes": {}, "counts": {}, "policy": {}, "lambda": {}}})", episodes,
                       counts, policy, lambda);
  };
  const char* even = "[[[0.5, 0.5]], [[0.5, 0.5], [0.5, 0.5]]]";
  const char* quarters = "[[[0.5, 0.5]], [[0.25, 0.25], [0.25, 0.25]]]";
  write(0, "[[[0, 0]], [[0, 0], [0, 0]]]", even, quarters);
  write(2, "[[[2, 0]], [[1, 0], [1, 0]]]", "[[[0.25, 0.75]], [[0.5, 0.5], [0.5, 0.5]]]", quarters);
  write(4, "[[[3, 1]], [[1, 1], [2, 0]]]", even, quarters);

  const ordered_json rows = experiments::deep_sea::novelty_rows(cells);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_DOUBLE_EQ(rows[0]["first_success"].get<double>(), 3.0);
  EXPECT_DOUBLE_EQ(rows[0]["tried"].get<double>(), 4.0 / 6.0);
  EXPECT_DOUBLE_EQ(rows[0]["new"].get<double>(), 4.0 / 6.0);
  EXPECT_DOUBLE_EQ(rows[0]["early"].get<double>(), 1.0);
  EXPECT_DOUBLE_EQ(rows[0]["late"].get<double>(), (0.75 + 0.5) / 2.0);
  EXPECT_DOUBLE_EQ(rows[0]["believed"].get<double>(), (1.0 + 0.5) / 2.0);
}

TEST_F(DeepSeaStudy, WhatIsWrongIsNamedAndNothingIsWritten) {
  const auto refused = [&](const Given& changes) {
    return refusal("deep-sea", with(kSmallSea, changes));
  };
  EXPECT_THAT(refused({{"--depths", "0"}}), HasSubstr("--depths: must be in 1..1000, got 0"));
  EXPECT_THAT(refused({{"--agents", "vapor,vapr"}}), HasSubstr("did you mean vapor?"));
  EXPECT_THAT(refused({{"--setting", "contrst"}}), HasSubstr("did you mean contrast?"));
}

}  // namespace
}  // namespace vapor
