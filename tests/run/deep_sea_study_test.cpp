#include "vapor/run/deep_sea_study.h"

#include <gmock/gmock.h>

#include <cmath>

#include "tests/record/temporary_folder.h"
#include "vapor/core/error.h"
#include "vapor/record/run_record.h"
#include "vapor/record/run_summary.h"

namespace vapor {
namespace {

using nlohmann::ordered_json;
using testing::HasSubstr;
namespace fs = test_support::fs;

class DeepSeaStudyTest : public test_support::FolderTest {
 protected:
  static DeepSeaStudy small() {
    DeepSeaStudy study;
    study.settings = {deep_sea_setting("contrast")};
    study.agents = {"vapor", "soft-q"};
    study.depths = {3, 4, 8};
    study.seeds = 3;
    study.first_seed = 5;
    study.episodes = 60;
    return study;
  }
  Findings reproduce(const DeepSeaStudy& study, int threads = 1) const {
    ReproductionOptions options;
    options.out = path("out");
    options.threads = threads;
    return reproduce_deep_sea(study, options);
  }
};

ordered_json without_times(Findings findings) {
  for (ordered_json& row : findings["rows"]) row.erase("ms_per_episode");
  return findings;
}

TEST_F(DeepSeaStudyTest, RowsComeFromTheRecords) {
  const Findings findings = reproduce(small());
  ASSERT_EQ(findings["rows"].size(), 6u);
  const ordered_json& row = findings["rows"][4];
  EXPECT_EQ(row["agent"], "vapor");
  EXPECT_EQ(row["depth"], 8);
  EXPECT_EQ(row["setting"], "contrast");
  std::vector<double> solved;
  for (int seed = 5; seed < 8; ++seed)
    solved.push_back(static_cast<double>(
        *summarise(
             read_run(path("out/contrast/depth-8/vapor/within-60/seed-" + std::to_string(seed))))
             .solved));
  EXPECT_EQ(row["solved"], mean_and_error(solved).mean);
  EXPECT_EQ(row["solved_se"], mean_and_error(solved).standard_error);
  EXPECT_EQ(row["solved_fraction"], 1.0);
}

// Whoever has not solved it is counted at the cap, and a mean of nobody is null.
TEST_F(DeepSeaStudyTest, UnsolvedSeedsAreCountedAtTheCap) {
  DeepSeaStudy study = small();
  study.agents = {"soft-q"};
  study.depths = {4, 12};
  study.seeds = 8;
  study.episodes = 12;
  const Findings findings = reproduce(study);
  const ordered_json& some = findings["rows"][0];
  const double fraction = some["solved_fraction"];
  ASSERT_GT(fraction, 0.0);
  ASSERT_LT(fraction, 1.0);
  std::vector<double> times;
  for (int seed = 5; seed < 13; ++seed)
    times.push_back(static_cast<double>(
        summarise(
            read_run(path("out/contrast/depth-4/soft-q/within-12/seed-" + std::to_string(seed))))
            .solved.value_or(12)));
  EXPECT_EQ(some["solved"], mean_and_error(times).mean);
  const ordered_json& none = findings["rows"][1];
  EXPECT_EQ(none["solved_fraction"], 0.0);
  EXPECT_TRUE(none["solved"].is_null());
  EXPECT_TRUE(none["solved_se"].is_null());
}

TEST_F(DeepSeaStudyTest, ThreadsAndASecondCallChangeNothing) {
  const Findings first = reproduce(small(), 2);
  EXPECT_EQ(reproduce(small()).dump(), first.dump());
  fs::remove_all(path("out"));
  EXPECT_EQ(without_times(reproduce(small())).dump(), without_times(first).dump());
}

// The slope of the logarithms, with three depths worked out by hand.
TEST_F(DeepSeaStudyTest, GrowthIsTheSlopeOfTheLogarithms) {
  DeepSeaStudy study = small();
  study.agents = {"vapor"};
  const Findings findings = reproduce(study);
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

TEST_F(DeepSeaStudyTest, AnotherCapIsAnotherRun) {
  DeepSeaStudy study = small();
  reproduce(study);
  study.episodes = 61;
  EXPECT_NO_THROW(reproduce(study));
}

TEST_F(DeepSeaStudyTest, SettingsAreNamedOrSpelledOut) {
  EXPECT_THAT(deep_sea_setting("literal").belief, HasSubstr("transform=paper"));
  EXPECT_EQ(deep_sea_setting("tabular:repeat=3").belief, "tabular:repeat=3");
  try {
    deep_sea_setting("contrst");
    FAIL();
  } catch (const InputError& e) {
    EXPECT_THAT(e.what(), HasSubstr("did you mean contrast?"));
  }
}

TEST_F(DeepSeaStudyTest, BadStudiesAreRefusedAndNothingIsWritten) {
  DeepSeaStudy study = small();
  study.depths = {0};
  EXPECT_THROW(reproduce(study), InputError);
  study = small();
  study.agents = {"vapor", "vapr"};
  EXPECT_THROW(reproduce(study), InputError);
  EXPECT_FALSE(fs::exists(path("out")));
}

}  // namespace
}  // namespace vapor
