#include "vapor/report/comparison_figure.h"

#include <gmock/gmock.h>

#include "tests/report/recorded_study.h"

namespace vapor {
namespace {

using testing::HasSubstr;

class ComparisonFigure : public test_support::StudyTest {
 protected:
  Comparison compare() {
    PlotStyle style;
    return comparison_figures(study(), "s", style);
  }
};

// Every run of vapor takes half as long as every run of ucbvi, at two depths of other scale.
TEST_F(ComparisonFigure, OrientsSoThatMoreThanAHalfMeansThatTheFirstAgentIsFaster) {
  for (const std::uint64_t seed : {1, 2}) {
    record_solved("vapor", 10, seed, 2);
    record_solved("ucbvi", 10, seed, 4);
    record_solved("vapor", 20, seed, 4);
    record_solved("ucbvi", 20, seed, 8);
  }
  const Comparison comparison = compare();
  ASSERT_EQ(comparison.figures.size(), 2u);
  const Figure& improvement = comparison.figures[1];
  ASSERT_EQ(improvement.picture.rows.size(), 1u);
  EXPECT_EQ(improvement.picture.at(0, "agent"), "ucbvi");
  EXPECT_EQ(improvement.picture.at(0, "probability"), 1.0);
  EXPECT_EQ(improvement.title, "Probability that VAPOR learns faster");
}

// The median of all runs of a task is 3 and 6, so vapor has 2/3 and ucbvi 4/3 on both tasks.
TEST_F(ComparisonFigure, DividesByTheMedianOfTheTask) {
  for (const std::uint64_t seed : {1, 2}) {
    record_solved("vapor", 10, seed, 2);
    record_solved("ucbvi", 10, seed, 4);
    record_solved("vapor", 20, seed, 4);
    record_solved("ucbvi", 20, seed, 8);
  }
  const Figure iqm = compare().figures.at(0);
  EXPECT_DOUBLE_EQ(iqm.picture.at(0, "iqm").get<double>(), 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(iqm.picture.at(1, "iqm").get<double>(), 4.0 / 3.0);
  EXPECT_THAT(test_support::text_of(iqm.caption), HasSubstr("divided by the median"));
}

TEST_F(ComparisonFigure, RaggedScoresGiveASentenceThatNamesTheReason) {
  record_solved("vapor", 10, 1, 2);
  record_solved("vapor", 20, 1, 4);
  record_solved("ucbvi", 10, 1, 4);
  const Comparison comparison = compare();
  EXPECT_TRUE(comparison.figures.empty());
  EXPECT_THAT(comparison.refused, HasSubstr("ucbvi"));
}

TEST_F(ComparisonFigure, OneSeedHasNoUncertainty) {
  record_solved("vapor", 10, 1, 2);
  record_solved("ucbvi", 10, 1, 4);
  EXPECT_THAT(compare().refused, HasSubstr("one seed"));
}

TEST_F(ComparisonFigure, OneAgentIsNotCompared) {
  record_solved("vapor", 10, 1, 2);
  const Comparison comparison = compare();
  EXPECT_TRUE(comparison.figures.empty());
  EXPECT_EQ(comparison.refused, "");
}

}  // namespace
}  // namespace vapor
