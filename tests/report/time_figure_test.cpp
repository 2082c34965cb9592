#include "vapor/report/time_figure.h"

#include <gmock/gmock.h>

#include "tests/report/recorded_study.h"

namespace vapor {
namespace {

using test_support::rows_where;
using test_support::text_of;
using testing::HasSubstr;
using testing::Not;

class TimeFigure : public test_support::StudyTest {
 protected:
  // vapor is solved in episodes 8 and 10 of depth 10 (both are within a tenth: 10 * 1 >= t), and
  // never at depth 20; ucbvi in 4 and never at depth 10.
  Figure figure() {
    record_solved("vapor", 10, 101, 8);
    record_solved("vapor", 10, 102, 10);
    record_solved("vapor", 20, 101, 0);
    record_solved("vapor", 20, 102, 0);
    record_solved("ucbvi", 10, 101, 4);
    record_solved("ucbvi", 10, 102, 0);
    PlotStyle style;
    return time_figure(study(), "deep-sea-time", style);
  }
};

TEST_F(TimeFigure, HasTheMeanOfEveryCellWithItsErrorAndInterval) {
  const Figure of = figure();
  const DataTable& picture = of.picture;
  ASSERT_EQ(picture.rows.size(), 3u);
  EXPECT_EQ(picture.at(0, "agent"), "vapor");
  EXPECT_EQ(picture.at(0, "mean"), 9.0);
  EXPECT_EQ(picture.at(0, "standard_error"), 1.0);
  EXPECT_EQ(picture.at(0, "low"), 8.0);
  EXPECT_EQ(picture.at(0, "high"), 10.0);
  EXPECT_EQ(picture.at(0, "iqm"), 9.0);
}

TEST_F(TimeFigure, CellsThatNoSeedSolvedAreHollowAtTheCap) {
  const Figure of = figure();
  EXPECT_EQ(of.picture.at(1, "share"), "none");
  EXPECT_EQ(of.picture.at(1, "mean"), 100.0);
  EXPECT_EQ(of.picture.at(2, "share"), "some");
  EXPECT_EQ(of.picture.at(2, "mean"), 52.0);
  EXPECT_EQ(of.picture.at(2, "reached"), 1);
  EXPECT_THAT(text_of(of.caption), HasSubstr("Hollow marks at 100: no seed was solved (vapor at "
                                             "depth 20)."));
  EXPECT_THAT(text_of(of.caption), HasSubstr("count as 100"));
}

TEST_F(TimeFigure, CaptionNamesSeedsAndCap) {
  const Figure of = figure();
  EXPECT_THAT(text_of(of.caption), HasSubstr("2 seeds in each cell: 101-102."));
  EXPECT_THAT(text_of(of.caption), HasSubstr("Runs end after 100 episodes."));
  EXPECT_THAT(of.summary, HasSubstr("at depth 20: VAPOR not within 100"));
}

TEST_F(TimeFigure, DrawsALineAndPointsForEveryAgentOnLogAxes) {
  const Figure of = figure();
  std::vector<std::string> marks;
  for (const auto& layer : of.spec["layer"]) {
    marks.push_back(layer["mark"]["type"]);
    if (!layer["encoding"].contains("color")) continue;
    EXPECT_EQ(layer["encoding"]["color"]["scale"]["domain"].dump(), R"(["vapor","ucbvi"])");
    EXPECT_EQ(layer["encoding"]["color"]["scale"]["range"][0], "theme:0");
    EXPECT_EQ(layer["encoding"]["x"]["scale"]["type"], "log");
    EXPECT_EQ(layer["encoding"]["y"]["scale"]["type"], "log");
  }
  EXPECT_THAT(marks, testing::ElementsAre("area", "line", "rule", "point", "point"));
}

TEST_F(TimeFigure, IsADotPlotWhereNothingVaries) {
  record_solved("vapor", 10, 1, 5);
  record_solved("ucbvi", 10, 1, 7);
  PlotStyle style;
  const Figure of = time_figure(study(), "t", style);
  EXPECT_EQ(of.title, "Learning time");
  for (const auto& layer : of.spec["layer"]) EXPECT_NE(layer["mark"]["type"], "line");
  EXPECT_EQ(of.spec["layer"][0]["encoding"]["y"]["field"], "agent");
  EXPECT_THAT(text_of(of.caption), Not(HasSubstr("Hollow")));
}

TEST_F(TimeFigure, SpeaksOfCoverageWhereRunsStopWhenCovered) {
  for (const std::int64_t size : {5, 7}) {
    test_support::RecordedRun run;
    run.env = "four_rooms:size=" + std::to_string(size);
    run.stop = "covered";
    run.episodes = 50;
    run.played = size == 5 ? 20 : 50;
    record(run);
  }
  PlotStyle style;
  const Figure of = time_figure(study(), "t", style);
  EXPECT_EQ(of.title, "Coverage time against size");
  EXPECT_EQ(of.picture.at(0, "mean"), 20.0);
  EXPECT_EQ(of.picture.at(1, "share"), "none");
}

TEST_F(TimeFigure, FullDataHasEveryRun) {
  const Figure of = figure();
  EXPECT_EQ(of.full.rows.size(), 6u);
  EXPECT_EQ(rows_where(of.full, "solved", nullptr).size(), 3u);
}

}  // namespace
}  // namespace vapor
