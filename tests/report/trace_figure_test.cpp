#include "vapor/report/trace_figure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vapor {
namespace {

TraceDigest trace(const std::string& method, std::vector<double> lower, std::vector<double> upper) {
  TraceDigest digest;
  digest.folder = "traces/" + method;
  digest.run.definition = {{"problem", "chain"}, {"method", method}};
  digest.run.command = "vapor solve chain.json --method " + method;
  std::vector<double> iteration, seconds;
  for (std::size_t i = 0; i < lower.size(); ++i) {
    iteration.push_back(static_cast<double>(i));
    seconds.push_back(0.001 * static_cast<double>(i));
  }
  digest.trace = {{"iteration", "seconds", "lower_bound", "upper_bound"},
                  {iteration, seconds, std::move(lower), std::move(upper)}};
  return digest;
}

TEST(TraceFigure, HasTheRelativeGapOfEveryMethod) {
  const std::vector<TraceDigest> traces = {trace("newton", {1.0, 10.0}, {30.0, 10.0}),
                                           trace("frank_wolfe", {0.5}, {1.0})};
  const Figure of = trace_figure(traces, "t");
  ASSERT_EQ(of.picture.rows.size(), 3u);
  EXPECT_EQ(of.picture.at(0, "relative_gap"), 29.0);
  EXPECT_EQ(of.picture.at(1, "relative_gap"), 0.0);
  EXPECT_EQ(of.picture.at(2, "relative_gap"), 0.5);  // relative to 1 where the value is less
  const auto& colour = of.spec["spec"]["layer"][0]["encoding"]["color"]["scale"];
  EXPECT_EQ(colour["domain"].dump(), R"(["newton","frank_wolfe"])");
}

TEST(TraceFigure, ThinsLongTracesAndKeepsTheirEnds) {
  const std::vector<TraceDigest> traces = {
      trace("frank_wolfe", std::vector(5000, 0.0), std::vector(5000, 1.0))};
  const Figure of = trace_figure(traces, "t");
  EXPECT_LE(of.picture.rows.size(), 200u);
  EXPECT_EQ(of.picture.rows.front()[2], 0.0);
  EXPECT_EQ(of.picture.rows.back()[2], 4999.0);
  EXPECT_EQ(of.full.rows.size(), 5000u);
}

}  // namespace
}  // namespace vapor
