// `vapor reproduce deep-sea`: what its rows are, from records that are written by hand where the
// outcome must be known.
#include <gmock/gmock.h>

#include <cmath>

#include "tests/experiments/small_study.h"
#include "vapor/core/error.h"
#include "vapor/record/run_folder.h"
#include "vapor/record/run_record.h"
#include "vapor/record/run_summary.h"

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
  EXPECT_THAT(order, testing::ElementsAre("literal3vapor", "literal3rlsvi", "literal4vapor",
                                          "literal4rlsvi", "contrast3vapor", "contrast3rlsvi",
                                          "contrast4vapor", "contrast4rlsvi"));
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
