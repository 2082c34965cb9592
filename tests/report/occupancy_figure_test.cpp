#include "vapor/report/occupancy_figure.h"

#include <gmock/gmock.h>

#include <cmath>

#include "tests/report/recorded_study.h"

namespace vapor {
namespace {

using nlohmann::ordered_json;
using testing::HasSubstr;

class OccupancyFigure : public test_support::StudyTest {
 protected:
  // Two layers on a grid of 1 x 3: all begin in the left cell, and a quarter goes on to the middle.
  void write_snapshots(const std::string& folder, const std::string& lambda) {
    std::filesystem::create_directories(folder + "/snapshots");
    test_support::write_contents(
        folder + "/snapshots/drawing.json",
        R"({"format": "vapor-drawing", "format_version": 1, "rows": 1, "columns": 3,
            "cells": [[[0, 0]], [[0, 0], [0, 1]]], "goals": [[[0, 0]], [[0, 0], [0, 1]]]})");
    test_support::write_contents(folder + "/snapshots/000000000.json", R"({"lambda": []})");
    ordered_json snapshot = {{"format", "vapor-snapshot"}, {"format_version", 1}, {"episodes", 20}};
    for (const char* table : {"policy", "reward_mean", "sigma_hat", "counts"})
      snapshot[table] = ordered_json::parse("[[[0, 0]], [[0, 0], [0, 0]]]");
    for (const char* table : {"tau", "V"}) snapshot[table] = nullptr;
    snapshot["lambda"] = ordered_json::parse(lambda);
    test_support::write_contents(folder + "/snapshots/000000020.json", snapshot.dump());
  }
};

TEST_F(OccupancyFigure, SumsTheLastSnapshotOverLayersAndActions) {
  write_snapshots(path("run"), "[[[0.5, 0.5]], [[0.75, 0], [0.25, 0]]]");
  const OccupancyMap map = snapshot_map(path("run"));
  EXPECT_EQ(map.rows, 1u);
  EXPECT_EQ(map.share[0], 0.875);
  EXPECT_EQ(map.share[1], 0.125);
  EXPECT_TRUE(std::isnan(map.share[2]));
}

TEST_F(OccupancyFigure, ASnapshotOfAnotherShapeIsRefusedByName) {
  write_snapshots(path("run"), "[[[1]]]");
  EXPECT_THAT(complaint([&] { snapshot_map(path("run")); }), HasSubstr("000000020.json"));
  write_snapshots(path("run"), R"([[["x", 0]], [[1, 0], [0, 0]]])");
  EXPECT_THAT(complaint([&] { snapshot_map(path("run")); }), HasSubstr("lambda[0]"));
}

TEST_F(OccupancyFigure, ShowsOneSeedOfEachAgent) {
  for (const char* agent : {"vapor", "thompson"})
    for (const std::uint64_t seed : {1, 2}) {
      test_support::RecordedRun run;
      run.agent = agent;
      run.seed = seed;
      run.snapshot_every = 1;
      const std::string folder = path("runs/" + std::string(agent) + std::to_string(seed));
      write_run(folder, run);
      write_snapshots(folder, "[[[1, 0]], [[0.75, 0], [0.25, 0]]]");
    }
  std::vector<LeftOut> left_out;
  const std::optional<Figure> of = snapshot_figure(study(), "o", left_out);
  ASSERT_TRUE(of.has_value());
  EXPECT_EQ(of->picture.rows.size(), 4u);
  EXPECT_EQ(of->spec["facet"]["sort"].dump(), R"(["VAPOR, seed 1","thompson, seed 1"])");
  EXPECT_TRUE(left_out.empty());
}

TEST_F(OccupancyFigure, ASnapshotThatCannotBeReadIsLeftOutWithItsReason) {
  test_support::RecordedRun run;
  run.snapshot_every = 1;
  record(run);
  std::vector<LeftOut> left_out;
  EXPECT_FALSE(snapshot_figure(study(), "o", left_out).has_value());
  ASSERT_EQ(left_out.size(), 1u);
  EXPECT_THAT(left_out[0].reason, HasSubstr("snapshots/"));
}

ordered_json maps_of(const ordered_json& vapor, const ordered_json& thompson) {
  ordered_json findings = {{"experiment", "grid-world"}};
  findings["columns"] = {{"maps", {{"title", "One beside the other"}, {"caption", "Why."}}},
                         {"vapor", {{"title", "VAPOR"}}}};
  findings["maps"] = ordered_json::array();
  findings["maps"].push_back({{"seed", 7}, {"vapor", vapor}, {"thompson", thompson}});
  return findings;
}

TEST_F(OccupancyFigure, FindingsGiveTwoPanelsASeed) {
  const std::optional<Figure> of = maps_figure({"f", maps_of({{0.25, 0.75}}, {{0.5, 0.5}})}, "o");
  ASSERT_TRUE(of.has_value());
  ASSERT_EQ(of->picture.rows.size(), 4u);
  EXPECT_EQ(of->picture.at(1, "panel"), "VAPOR, seed 7");
  EXPECT_EQ(of->picture.at(3, "panel"), "thompson, seed 7");
  EXPECT_EQ(of->title, "One beside the other");
  EXPECT_THAT(of->caption, testing::Contains("Why."));
  EXPECT_EQ(of->picture.at(1, "share"), 0.75);
  EXPECT_FALSE(maps_figure({"f", {{"experiment", "toy-chain"}}}, "o").has_value());
  EXPECT_THAT(complaint([] { maps_figure({"f", maps_of({{0.25, "x"}}, {{1, 0}})}, "o"); }),
              HasSubstr("f/findings.json: maps"));
}

// 100 x 100 cells are summed in blocks of 3 x 3; the shares still add up, and the file has each.
TEST_F(OccupancyFigure, LargeMapsAreSummedInBlocks) {
  const ordered_json row = std::vector<double>(100, 1e-4);
  const ordered_json map = std::vector<ordered_json>(100, row);
  const std::optional<Figure> of = maps_figure({"f", maps_of(map, map)}, "o");
  EXPECT_EQ(of->picture.rows.size(), 2u * 34u * 34u);
  double sum = 0.0;
  for (std::size_t i = 0; i < 34u * 34u; ++i) sum += of->picture.at(i, "share").get<double>();
  EXPECT_NEAR(sum, 1.0, 1e-12);
  EXPECT_EQ(of->full.rows.size(), 20000u);
  EXPECT_THAT(test_support::text_of(of->caption), HasSubstr("sum of 3 x 3 cells"));
}

}  // namespace
}  // namespace vapor
