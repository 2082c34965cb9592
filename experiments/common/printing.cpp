#include "experiments/common/printing.h"

#include <fmt/format.h>

#include <algorithm>

namespace vapor::experiments {
namespace {

using command::number;
using command::whole;
using command::with_error;

std::string cell_text(const ordered_json& value) {
  if (value.is_null()) return "-";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_number_integer()) return whole(value.get<std::int64_t>());
  if (value.is_number()) return number(value.get<double>());
  if (value.is_array()) {
    std::string text;
    for (const ordered_json& item : value)
      text += (text.empty() ? "(" : ", ") +
              (item.is_number() ? fmt::format("{:.2g}", item.get<double>()) : cell_text(item));
    return text + ")";
  }
  return value.dump();
}

// A row of findings as cells: NAME_se is the standard error of the number before it, and a note
// becomes a mark that `notes` explains.
class RowPrinter {
 public:
  std::vector<std::string> head(const ordered_json& row) {
    std::vector<std::string> cells;
    for (const auto& [name, value] : row.items()) {
      if (name.ends_with("_se") || name == "note") continue;
      cells.push_back(name);
      std::ranges::replace(cells.back(), '_', ' ');
    }
    if (row.contains("note")) cells.emplace_back("note");
    return cells;
  }

  std::vector<std::string> cells(const ordered_json& row) {
    std::vector<std::string> cells;
    const ordered_json* before = nullptr;
    for (const auto& [name, value] : row.items()) {
      if (name.ends_with("_se")) {
        if (value.is_number() && before->is_number())
          cells.back() = with_error(before->get<double>(), value.get<double>());
      } else if (name != "note") {
        cells.push_back(cell_text(value));
      }
      before = &value;
    }
    if (row.contains("note")) cells.push_back(mark_of(row["note"]));
    return cells;
  }

  void print_notes() const {
    for (std::size_t i = 0; i < notes_.size(); ++i)
      fmt::print("  {}\n", dim(fmt::format("[{}] {}", i + 1, notes_[i])));
  }

 private:
  std::string mark_of(const ordered_json& note) {
    if (note.is_null()) return "";
    const auto found = std::ranges::find(notes_, note.get<std::string>());
    const auto at = found - notes_.begin();
    if (found == notes_.end()) notes_.push_back(note.get<std::string>());
    return fmt::format("[{}]", at + 1);
  }

  std::vector<std::string> notes_;
};

// An array of objects with the same names as an aligned table.
void print_rows(const ordered_json& rows) {
  if (rows.empty()) return;
  RowPrinter printer;
  command::Rows table = {printer.head(rows.front())};
  for (const ordered_json& row : rows) table.push_back(printer.cells(row));
  command::print_table(table);
  printer.print_notes();
}

}  // namespace

void print_findings(const Findings& findings, const std::string& name, const std::string& about,
                    const std::vector<std::string>& left_out) {
  fmt::print("{}{}\n", bold(name == "rows" ? findings["experiment"].get<std::string>() : name),
             about.empty() ? "" : dim("  " + about));
  ordered_json rows = findings[name];
  for (ordered_json& row : rows)
    for (const std::string& column : left_out) row.erase(column);
  print_rows(rows);
}

std::string capped_mean(const Findings& findings) {
  return fmt::format("mean over {} seeds {} standard error; never counts as {}",
                     findings["rows"][0]["seeds"].get<int>(), plus_minus(),
                     whole(findings["episodes"].get<std::int64_t>()));
}

}  // namespace vapor::experiments
