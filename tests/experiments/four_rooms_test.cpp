#include <gmock/gmock.h>

#include "tests/experiments/small_study.h"
#include "vapor/record/run_record.h"
#include "vapor/record/run_summary.h"

namespace vapor {
namespace {

using nlohmann::ordered_json;
using test_support::Given;
using test_support::with;
using testing::HasSubstr;

const Given kSmallRooms = {{"--agents", "max-entropy,weighted-max-entropy"},
                           {"--sizes", "5"},
                           {"--seeds", "4"},
                           {"--first-seed", "7"},
                           {"--episodes", "2000"}};

using FourRoomsStudy = test_support::ExperimentTest;

// Size 5 has 20 cells that are no wall, and thus 80 pairs; an episode has 10 steps.
TEST_F(FourRoomsStudy, TheWeightedFormIsFasterAndNoneIsBelowTheFloor) {
  const Findings findings = reproduce("four-rooms", kSmallRooms);
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
  const Findings findings = reproduce("four-rooms", kSmallRooms);
  std::vector<double> lengths;
  for (int seed = 7; seed < 11; ++seed)
    lengths.push_back(static_cast<double>(
        read_run(path("out/four_rooms-size=5/weighted-max-entropy+tabular-repeat=1-transform=known/"
                      "within-2000/seed-" +
                      std::to_string(seed)))
            .episodes.rows()));
  const MeanAndError expected = mean_and_error(lengths);
  EXPECT_EQ(findings["rows"][1]["coverage_time"], expected.mean);
  EXPECT_EQ(findings["rows"][1]["coverage_se"], expected.standard_error);
  EXPECT_GT(expected.standard_error, 0.0);
  EXPECT_EQ(reproduce("four-rooms", kSmallRooms).dump(), findings.dump());
}

TEST_F(FourRoomsStudy, RoomsNotCoveredAreCountedAtTheCap) {
  const Findings findings = reproduce("four-rooms", with(kSmallRooms, {{"--episodes", "9"}}));
  EXPECT_EQ(findings["rows"][0]["coverage_time"], 9.0);
  EXPECT_EQ(findings["rows"][0]["covered_fraction"], 0.0);
}

// Its second table has soft-q at size 5 alone.
TEST_F(FourRoomsStudy, AnAgentIsLeftOutOfRoomsTooLargeForIt) {
  const auto agents_at = [&](const std::string& sizes) {
    const experiments::Experiment& of = experiments::experiment("four-rooms");
    std::map<std::string, int> count;
    for (const auto& cell : cells_of(study_of(of, "full", {{"--sizes", sizes}}), "out"))
      ++count[cell.env()];
    return count;
  };
  EXPECT_EQ(agents_at("5,9,11,13"), (std::map<std::string, int>{{"four_rooms:size=5", 6},
                                                                {"four_rooms:size=9", 5},
                                                                {"four_rooms:size=11", 4},
                                                                {"four_rooms:size=13", 3}}));
  EXPECT_EQ(agents_at("19"), (std::map<std::string, int>{{"four_rooms:size=19", 3}}));
}

TEST_F(FourRoomsStudy, WhatIsWrongIsNamed) {
  const auto refused = [&](const Given& changes) {
    return refusal("four-rooms", with(kSmallRooms, changes));
  };
  EXPECT_THAT(refused({{"--sizes", "5,6"}}), HasSubstr("--sizes: must be odd"));
  EXPECT_THAT(refused({{"--sizes", ""}}), HasSubstr("--sizes"));
  EXPECT_THAT(refused({{"--seeds", "0"}}), HasSubstr("--seeds"));
  EXPECT_THAT(refused({{"--agents", "max-entropi"}}), HasSubstr("did you mean max-entropy?"));
}

}  // namespace
}  // namespace vapor
