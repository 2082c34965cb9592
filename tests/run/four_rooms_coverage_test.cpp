#include "vapor/run/four_rooms_coverage.h"

#include <gmock/gmock.h>

#include "tests/record/temporary_folder.h"
#include "vapor/record/run_record.h"
#include "vapor/record/run_summary.h"

namespace vapor {
namespace {

using nlohmann::ordered_json;
using testing::HasSubstr;
namespace fs = test_support::fs;

class FourRoomsStudy : public test_support::FolderTest {
 protected:
  static FourRoomsCoverage small() {
    FourRoomsCoverage study;
    study.agents = {{"max-entropy"}, {"weighted-max-entropy"}};
    study.sizes = {5};
    study.seeds = 4;
    study.first_seed = 7;
    study.episodes = 2000;
    return study;
  }
  Findings reproduce(const FourRoomsCoverage& study) const {
    ReproductionOptions options;
    options.out = path("out");
    return reproduce_four_rooms(study, options);
  }
};

// Size 5 has 20 cells that are no wall, and thus 80 pairs; an episode has 10 steps.
TEST_F(FourRoomsStudy, TheWeightedFormIsFasterAndNoneIsBelowTheFloor) {
  const Findings findings = reproduce(small());
  ASSERT_EQ(findings["rows"].size(), 2u);
  for (const ordered_json& row : findings["rows"]) {
    EXPECT_EQ(row["pairs"], 80);
    EXPECT_EQ(row["floor"], 8.0);
    EXPECT_EQ(row["covered_fraction"], 1.0);
    EXPECT_GE(row["least"], row["floor"]);
  }
  EXPECT_LT(findings["rows"][1]["coverage_time"], findings["rows"][0]["coverage_time"]);
  EXPECT_EQ(findings["weighted_faster_at_every_size"], true);
  EXPECT_GT(findings["comparison"][0]["ratio"], 1.0);
}

TEST_F(FourRoomsStudy, RowsAreTheLengthsOfTheRecords) {
  const Findings findings = reproduce(small());
  std::vector<double> lengths;
  for (int seed = 7; seed < 11; ++seed)
    lengths.push_back(static_cast<double>(
        read_run(path("out/size-5/weighted-max-entropy/within-2000/seed-" + std::to_string(seed)))
            .episodes.rows()));
  const MeanAndError expected = mean_and_error(lengths);
  EXPECT_EQ(findings["rows"][1]["coverage_time"], expected.mean);
  EXPECT_EQ(findings["rows"][1]["coverage_se"], expected.standard_error);
  EXPECT_EQ(reproduce(small()).dump(), findings.dump());
}

TEST_F(FourRoomsStudy, RoomsNotCoveredAreCountedAtTheCap) {
  FourRoomsCoverage study = small();
  study.episodes = 9;
  const Findings findings = reproduce(study);
  EXPECT_EQ(findings["rows"][0]["coverage_time"], 9.0);
  EXPECT_EQ(findings["rows"][0]["covered_fraction"], 0.0);
}

TEST_F(FourRoomsStudy, AnAgentIsLeftOutOfRoomsTooLargeForIt) {
  FourRoomsCoverage study = small();
  study.agents[0].largest_size = 5;
  study.sizes = {5, 7};
  study.seeds = 1;
  const Findings findings = reproduce(study);
  EXPECT_EQ(findings["rows"].size(), 3u);
  EXPECT_EQ(findings["comparison"].size(), 1u);
}

TEST_F(FourRoomsStudy, TheSweepFilesAreGood) {
  for (const FourRoomsCoverage& study : {four_rooms_figure(), four_rooms_quick()}) {
    EXPECT_GE(study.agents.size(), 2u);
    EXPECT_GE(study.sizes.size(), 2u);
  }
}

TEST_F(FourRoomsStudy, BadSettingsAreNamed) {
  const auto refused = [&](const auto& change) {
    FourRoomsCoverage study = small();
    change(study);
    return complaint([&] { reproduce(study); });
  };
  EXPECT_THAT(refused([](auto& study) { study.sizes = {5, 6}; }), HasSubstr("--sizes"));
  EXPECT_THAT(refused([](auto& study) { study.sizes = {}; }), HasSubstr("--sizes"));
  EXPECT_THAT(refused([](auto& study) { study.seeds = 0; }), HasSubstr("--seeds"));
  EXPECT_THAT(refused([](auto& study) { study.agents = {{"max-entropi"}}; }),
              HasSubstr("did you mean max-entropy?"));
  EXPECT_FALSE(fs::exists(path("out")));
}

}  // namespace
}  // namespace vapor
