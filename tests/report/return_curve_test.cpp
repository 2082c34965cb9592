#include "vapor/report/return_curve.h"

#include <gtest/gtest.h>

namespace vapor {
namespace {

// Episode t returns t.
RunRecord record_of(int episodes) {
  RunRecord record;
  record.episodes.columns = {"episode", "return"};
  record.episodes.values.resize(2);
  for (int t = 1; t <= episodes; ++t)
    for (std::vector<double>& column : record.episodes.values) column.push_back(t);
  return record;
}

TEST(ReturnCurve, HasTheNarrowestWindowsThatAreFewEnough) {
  EXPECT_EQ(return_curve(record_of(0)).windows.size(), 0u);
  EXPECT_EQ(return_curve(record_of(64)).windows.size(), 64u);
  EXPECT_EQ(return_curve(record_of(64)).width, 1);
  const ReturnCurve curve = return_curve(record_of(65));
  EXPECT_EQ(curve.width, 2);
  EXPECT_EQ(curve.last, 65);
  ASSERT_EQ(curve.windows.size(), 33u);
  EXPECT_EQ(curve.windows[0].mean, 1.5);  // episodes 1 and 2
  EXPECT_EQ(curve.windows[31].mean, 63.5);
  EXPECT_EQ(curve.windows[32].mean, 65.0);
  EXPECT_EQ(curve.windows[32].episodes, 1);
  for (const int episodes : {100, 1000, 12345}) {
    const std::size_t windows = return_curve(record_of(episodes)).windows.size();
    EXPECT_GT(windows, 32u);
    EXPECT_LE(windows, 64u);
  }
}

// As if it had had them from the start.
TEST(ReturnCurve, WidensExactly) {
  const ReturnCurve curve = return_curve(record_of(10));
  const ReturnCurve wide = widened(curve, 4);
  EXPECT_EQ(wide.width, 4);
  ASSERT_EQ(wide.windows.size(), 3u);
  EXPECT_EQ(wide.windows[0].mean, 2.5);  // 1, 2, 3, 4
  EXPECT_EQ(wide.windows[1].mean, 6.5);
  EXPECT_EQ(wide.windows[2].mean, 9.5);  // 9, 10
  EXPECT_EQ(wide.windows[2].episodes, 2);
  EXPECT_EQ(widened(curve, 1).windows.size(), 10u);
}

}  // namespace
}  // namespace vapor
