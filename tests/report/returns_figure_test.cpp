#include "vapor/report/returns_figure.h"

#include <gmock/gmock.h>

#include "tests/report/recorded_study.h"

namespace vapor {
namespace {

using test_support::RecordedTraining;
using test_support::rows_where;
using test_support::text_of;
using testing::HasSubstr;
using testing::Not;

class ReturnsFigure : public test_support::FolderTest {
 protected:
  void record(const RecordedTraining& training) {
    test_support::write_training(path("runs/" + std::to_string(count_++)), training);
  }

  TrainingFigures figures() {
    const std::vector<std::string> paths = {path("runs")};
    collection_ = collect(paths);
    EXPECT_EQ(collection_.left_out.size(), 0u);
    PlotStyle style;
    return training_figures(collection_.runs, "t", style);
  }

  Figure figure() {
    TrainingFigures made = figures();
    EXPECT_TRUE(made.refused.empty());
    EXPECT_EQ(made.figures.size(), 1u);
    return made.figures.at(0);
  }

  int count_ = 0;
  Collection collection_;
};

TEST_F(ReturnsFigure, MeansAndBandsAreThoseOfTheSeeds) {
  record({.returns = {1.0, 2.0, 3.0}, .seed = 1});
  record({.returns = {5.0, 0.0}, .seed = 2});
  const Figure of = figure();
  EXPECT_EQ(of.id, "t-episodes");
  ASSERT_EQ(of.picture.rows.size(), 3u);
  EXPECT_EQ(of.picture.at(0, "panel"), "deep_sea:depth=10");
  EXPECT_EQ(of.picture.at(0, "agent"), "vapor-lite");
  EXPECT_EQ(of.picture.at(0, "return"), 3.0);
  EXPECT_EQ(of.picture.at(0, "low"), 1.0);
  EXPECT_EQ(of.picture.at(0, "high"), 5.0);
  EXPECT_EQ(of.picture.at(1, "return"), 1.0);
  EXPECT_EQ(of.picture.at(1, "seeds"), 2);
  EXPECT_EQ(of.picture.at(2, "return"), 3.0);  // the second seed has no third episode
  EXPECT_EQ(of.picture.at(2, "seeds"), 1);
  EXPECT_EQ(of.picture.at(2, "middle"), 3.0);
  EXPECT_THAT(of.summary, HasSubstr("vapor-lite in deep_sea:depth=10 3 at episodes 3"));
  EXPECT_THAT(text_of(of.caption), HasSubstr("the mean is over the others"));
  EXPECT_THAT(text_of(of.caption), HasSubstr("by 0 of 2 seeds"));
  EXPECT_EQ(of.full.rows.size(), 5u);
}

// Seeds of 128 frames and of 40: windows of two frames, in both.
TEST_F(ReturnsFigure, SeedsOfDifferentLengthsHaveTheWindowsOfTheLongest) {
  record({.env = "catch", .cap = 128, .returns = {4.0, 2.0}, .ends = {2.0, 128.0}});
  record({.env = "catch",
          .cap = 128,
          .returns = {1.0, 3.0, 7.0},
          .ends = {1.0, 2.0, 40.0},
          .seed = 2,
          .finished = false});
  const Figure of = figure();
  EXPECT_EQ(of.id, "t-frames");
  ASSERT_EQ(of.picture.rows.size(), 3u);
  EXPECT_EQ(of.picture.at(0, "from"), 1);
  EXPECT_EQ(of.picture.at(0, "to"), 2);
  EXPECT_EQ(of.picture.at(0, "middle"), 1.5);
  EXPECT_EQ(of.picture.at(0, "return"), 3.0);  // of 4 and (1 + 3) / 2
  EXPECT_EQ(of.picture.at(0, "episodes"), 3);
  EXPECT_EQ(of.picture.at(1, "from"), 39);
  EXPECT_EQ(of.picture.at(1, "return"), 7.0);
  EXPECT_EQ(of.picture.at(2, "to"), 128);
  EXPECT_THAT(text_of(of.caption),
              HasSubstr("Not finished, and shown as far as they went: 1 training."));
  EXPECT_THAT(text_of(of.caption), Not(HasSubstr("Solved")));
}

TEST_F(ReturnsFigure, APanelAnEnvironmentAndALineAnAgent) {
  record({.env = "catch", .agent = "actor-critic", .returns = {1.0}, .ends = {9.0}});
  record({.env = "catch", .returns = {2.0}, .ends = {9.0}});
  record({.env = "breakout", .returns = {3.0}, .ends = {9.0}});
  const Figure of = figure();
  ASSERT_EQ(of.picture.rows.size(), 3u);
  EXPECT_EQ(of.picture.at(0, "panel"), "breakout");
  EXPECT_EQ(of.picture.at(1, "agent"), "vapor-lite");  // VAPOR's kin come first
  EXPECT_EQ(of.picture.at(2, "agent"), "actor-critic");
  EXPECT_EQ(of.spec["facet"]["field"], "panel");
  EXPECT_EQ(of.spec["resolve"]["scale"]["y"], "independent");
  const auto& colour = of.spec["spec"]["layer"][0]["encoding"]["color"]["scale"];
  EXPECT_EQ(colour["domain"].dump(), R"(["vapor-lite","actor-critic"])");
}

// They are no seeds of one another.
TEST_F(ReturnsFigure, WhatDiffersInTheDefinitionsTellsLinesApart) {
  record({.cap = 4, .returns = {1.0}});
  record({.cap = 8, .returns = {2.0}});
  record({.cap = 8, .returns = {4.0}, .seed = 2});
  record({.agent = "soft-q", .returns = {0.0}});
  const Figure of = figure();
  ASSERT_EQ(of.picture.rows.size(), 3u);
  EXPECT_EQ(of.picture.at(2, "agent"), "soft-q");
  EXPECT_EQ(of.picture.at(0, "agent"), "vapor-lite, episodes 4");
  EXPECT_EQ(of.picture.at(1, "agent"), "vapor-lite, episodes 8");
  EXPECT_EQ(of.picture.at(1, "return"), 3.0);
}

TEST_F(ReturnsFigure, PanelsStandInTheOrderOfTheirNumbers) {
  for (const char* depth : {"10", "5", "100"})
    record({.env = std::string("deep_sea:depth=") + depth, .returns = {1.0}});
  EXPECT_EQ(figure().spec["facet"]["sort"].dump(),
            R"(["deep_sea:depth=5","deep_sea:depth=10","deep_sea:depth=100"])");
}

TEST_F(ReturnsFigure, BothAxesHaveAFigureOfTheirOwn) {
  record({.returns = {1.0}});
  record({.returns = {1.0}, .ends = {9.0}});
  const TrainingFigures made = figures();
  ASSERT_EQ(made.figures.size(), 2u);
  EXPECT_EQ(made.figures[0].title, "Return against frames");
  EXPECT_EQ(made.figures[1].title, "Return against episodes");
  EXPECT_EQ(rows_where(made.figures[0].picture, "to", 9).size(), 1u);
}

}  // namespace
}  // namespace vapor
