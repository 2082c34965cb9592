// Numbers under names, as they stand behind a picture: in the page, in a CSV file, and rounded in a
// table for readers.
#pragma once

#include <iosfwd>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

namespace vapor {

struct DataTable {
  std::vector<std::string> columns;
  std::vector<std::vector<nlohmann::ordered_json>> rows;  // numbers, strings, true, false or null

  std::size_t column(const std::string& name) const;  // a broken invariant if there is none
  const nlohmann::ordered_json& at(std::size_t row, const std::string& name) const {
    return rows[row][column(name)];
  }
};

// With a line of names; numbers are the shortest that read back to the same bits, null is empty.
void write_csv(std::ostream& out, const DataTable& table);

enum class CellForm {
  kValue,      // of[0]
  kWithError,  // of[0] +- of[1]
  kInterval,   // of[0] to of[1]
  kOutOf,      // of[0] of of[1]
};

// A column that readers see: its title with the unit, and the columns of the data it shows.
struct TableColumn {
  std::string title;
  CellForm form = CellForm::kValue;
  std::vector<std::string> of;
};

// The rows in HTML, each number as <data value="...">; `rows` empty: all.
std::string html_table(const DataTable& table, std::span<const TableColumn> columns,
                       std::span<const std::size_t> rows, const std::string& caption);

}  // namespace vapor
