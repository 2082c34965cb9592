#include "vapor/report/plot_style.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace vapor {
namespace {

TEST(PlotStyle, VaporAlwaysHasTheFirstStyleAndNoOtherAgentHasIt) {
  PlotStyle style;
  std::vector<std::string> many;
  for (int i = 0; i < 20; ++i) many.push_back("agent-" + std::to_string(i));
  many.insert(many.begin() + 10, "vapor");
  const std::vector<std::size_t> numbers = style.numbers(many);
  EXPECT_EQ(std::set<std::size_t>(numbers.begin(), numbers.end()).size(), 21u);
  const auto colour = style.colour(many);
  for (std::size_t i = 0; i < many.size(); ++i)
    EXPECT_EQ(colour["scale"]["range"][i] == "theme:0", i == 10) << many[i];
}

TEST(PlotStyle, AgentsOfOneColourDifferInMarkAndDash) {
  PlotStyle style;
  std::vector<std::string> many = {"vapor"};
  for (int i = 0; i < 20; ++i) many.push_back("agent-" + std::to_string(i));
  const auto colour = style.colour(many)["scale"]["range"];
  std::set<std::string> with_shape, with_dash;
  for (std::size_t i = 0; i < many.size(); ++i) {
    with_shape.insert(colour[i].dump() + style.shape(many)["scale"]["range"][i].dump());
    with_dash.insert(colour[i].dump() + style.dash(many)["scale"]["range"][i].dump());
  }
  EXPECT_EQ(with_shape.size(), many.size());
  EXPECT_EQ(with_dash.size(), many.size());
}

TEST(PlotStyle, AnAgentKeepsItsStyleUnlessAnotherOfTheFigureHasIt) {
  PlotStyle style;
  const std::vector<std::string> first = {"vapor", "a", "b"};
  const std::vector<std::string> second = {"b", "a"};
  EXPECT_THAT(style.numbers(first), testing::ElementsAre(0, 1, 2));
  EXPECT_THAT(style.numbers(second), testing::ElementsAre(2, 1));
}

TEST(PlotStyle, LogAxesEndWithTheData) {
  AxisRange range;
  range.include(17.0);
  range.include(430.0);
  range.include(0.0);
  EXPECT_EQ(log_scale(range)["domain"].dump(), "[17.0,430.0]");
  EXPECT_EQ(log_ticks(range).dump(), "[20.0,50.0,100.0,200.0]");
  range.include(1e-7);
  for (const auto& tick : log_ticks(range))
    EXPECT_NEAR(std::log10(tick.get<double>()), std::round(std::log10(tick.get<double>())), 1e-12);
}

TEST(PlotStyle, OneNumberMakesAnAxisToo) {
  AxisRange range;
  range.include(10.0);
  const auto domain = log_scale(range)["domain"];
  EXPECT_LT(domain[0].get<double>(), 10.0);
  EXPECT_GT(domain[1].get<double>(), 10.0);
}

}  // namespace
}  // namespace vapor
