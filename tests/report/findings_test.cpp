#include "vapor/report/findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vapor {
namespace {

using nlohmann::ordered_json;
using testing::HasSubstr;

std::vector<std::string> titles(const Figure& figure) {
  std::vector<std::string> names;
  for (const TableColumn& column : figure.table) names.push_back(column.title);
  return names;
}

TEST(Findings, ErrorsStandInTheColumnOfTheirNumber) {
  const ordered_json findings = ordered_json::parse(R"({"experiment": "four-rooms",
      "rows": [{"agent": "a", "coverage_time": 135.5, "coverage_se": 10.0, "seeds": 3}],
      "table": [{"episodes": 1, "episodes_simulated": 1.5, "episodes_se": 0.5}],
      "columns": {"coverage_time": {"unit": "episodes"}, "seeds": {"title": "how many"},
                  "episodes_simulated": {"unit": "episodes"}}})");
  const std::vector<Figure> figures = findings_tables({"folder", findings}, "e");
  ASSERT_EQ(figures.size(), 2u);
  EXPECT_THAT(
      titles(figures[0]),
      testing::ElementsAre("agent", "coverage time \u00b1 standard error (episodes)", "how many"));
  EXPECT_THAT(
      titles(figures[1]),
      testing::ElementsAre("episodes", "episodes simulated \u00b1 standard error (episodes)"));
}

// Those of older versions say nothing of their columns; others may say anything.
TEST(Findings, ColumnsNeedNotBeDescribed) {
  for (const char* columns : {"null", "[1]", R"({"solved": 3})", R"({"solved": {"unit": []}})"}) {
    SCOPED_TRACE(columns);
    const ordered_json findings = {{"experiment", "x"},
                                   {"rows", {{{"solved", 1.0}, {"solved_se", 0.5}}}},
                                   {"columns", ordered_json::parse(columns)}};
    EXPECT_THAT(titles(findings_tables({"folder", findings}, "e").at(0)),
                testing::ElementsAre("solved \u00b1 standard error"));
  }
}

TEST(Findings, CaptionHasTheSettingsAndTheCommand) {
  const ordered_json findings = ordered_json::parse(R"({"experiment": "toy-chain",
      "command": "vapor reproduce toy-chain --quick", "rows": [{"L": 5}],
      "repetitions": 100, "settings": {"literal": "tabular"}})");
  const Figure figure = findings_tables({"folder", findings}, "e").at(0);
  EXPECT_THAT(figure.caption.back(), HasSubstr("repetitions 100; literal tabular."));
}

TEST(Findings, LongTablesAreCutForReadersAndWholeInTheFile) {
  ordered_json findings = {{"experiment", "x"}, {"rows", ordered_json::array()}};
  for (int i = 0; i < 500; ++i) findings["rows"].push_back({{"i", i}});
  const Figure figure = findings_tables({"folder", findings}, "e").at(0);
  EXPECT_EQ(figure.table_rows.size(), 200u);
  EXPECT_EQ(figure.picture.rows.size(), 200u);
  EXPECT_EQ(figure.full.rows.size(), 500u);
  EXPECT_THAT(figure.caption.front(), HasSubstr("200 of 500"));
}

TEST(Findings, RowsMayLackNames) {
  const ordered_json findings = ordered_json::parse(
      R"({"experiment": "x", "rows": [{"a": 1}, {"b": [1, null]}], "odd": [3]})");
  const std::vector<Figure> figures = findings_tables({"folder", findings}, "e");
  ASSERT_EQ(figures.size(), 1u);
  EXPECT_EQ(figures[0].picture.columns, (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(figures[0].picture.at(0, "b").is_null());
}

TEST(Findings, FoldersLieInOthersByWholeNames) {
  EXPECT_TRUE(lies_in("/a/b/c", "/a/b"));
  EXPECT_TRUE(lies_in("/a/b", "/a/b/"));
  EXPECT_FALSE(lies_in("/a/bc", "/a/b"));
  EXPECT_FALSE(lies_in("/a", "/a/b"));
}

}  // namespace
}  // namespace vapor
