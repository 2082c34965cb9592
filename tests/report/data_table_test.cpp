#include "vapor/report/data_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace vapor {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string csv_of(const DataTable& table) {
  std::ostringstream out;
  write_csv(out, table);
  return out.str();
}

TEST(DataTable, CsvQuotesWhatItMustAndKeepsEveryBit) {
  const DataTable table = {{"agent", "x", "y"}, {{"a,\"b\"", 0.1, nullptr}, {"c", 1.0 / 3.0, 7}}};
  EXPECT_EQ(csv_of(table), "agent,x,y\n\"a,\"\"b\"\"\",0.1,\nc,0.3333333333333333,7\n");
}

TEST(DataTable, HtmlShowsErrorsAndKeepsTheExactNumbers) {
  const DataTable table = {{"agent", "mean", "se"}, {{"</script>", 125.75, 16.285857873218305}}};
  const std::vector<TableColumn> columns = {{"agent", CellForm::kValue, {"agent"}},
                                            {"mean", CellForm::kWithError, {"mean", "se"}}};
  const std::string html = html_table(table, columns, {}, "t");
  EXPECT_THAT(html, HasSubstr("<td><data value=\"125.75\">126</data> \u00b1 "
                              "<data value=\"16.285857873218305\">16</data></td>"));
  EXPECT_THAT(html, HasSubstr("&lt;/script&gt;"));
  EXPECT_THAT(html, Not(HasSubstr("</script>")));
}

TEST(DataTable, HtmlShowsTheRowsThatAreAskedFor) {
  const DataTable table = {{"x"}, {{1}, {2}, {3}}};
  const std::vector<TableColumn> columns = {{"x", CellForm::kValue, {"x"}}};
  const std::vector<std::size_t> rows = {2};
  const std::string html = html_table(table, columns, rows, "t");
  EXPECT_THAT(html, HasSubstr("value=\"3\""));
  EXPECT_THAT(html, Not(HasSubstr("value=\"1\"")));
}

TEST(DataTable, NumbersThatAreNotThereAreNamedSo) {
  const DataTable table = {{"x", "se"}, {{nullptr, nullptr}}};
  const std::vector<TableColumn> columns = {{"x", CellForm::kWithError, {"x", "se"}}};
  EXPECT_THAT(html_table(table, columns, {}, "t"), HasSubstr(">none<"));
}

}  // namespace
}  // namespace vapor
