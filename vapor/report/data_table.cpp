#include "vapor/report/data_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "vapor/core/check.h"
#include "vapor/report/page.h"
#include "vapor/report/wording.h"

namespace vapor {
namespace {

using nlohmann::ordered_json;

// The value as it stands in a file.
std::string exact_text(const ordered_json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return fmt::format("{}", value.get<double>());
  return value.dump();
}

std::string csv_cell(const ordered_json& value) {
  std::string text = exact_text(value);
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

std::string shown(const ordered_json& value, const std::string& text) {
  if (!value.is_number()) return escape_html(text);
  return fmt::format("<data value=\"{}\">{}</data>", exact_text(value), text);
}

std::string value_html(const ordered_json& value) {
  if (value.is_null()) return "<span class=\"faint\">none</span>";
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_string()) return escape_html(value.get<std::string>());
  if (value.is_number_float()) return shown(value, number_text(value.get<double>()));
  if (value.is_number()) return shown(value, exact_text(value));
  std::string list;
  for (const ordered_json& item : value) list += (list.empty() ? "" : ", ") + value_html(item);
  return "(" + list + ")";
}

std::string cell_html(const DataTable& table, const TableColumn& column, std::size_t row) {
  const ordered_json& first = table.at(row, column.of.front());
  if (column.form == CellForm::kValue || first.is_null()) return value_html(first);
  const ordered_json& second = table.at(row, column.of.back());
  if (second.is_null()) return value_html(first);
  if (column.form == CellForm::kWithError) {
    const auto error = second.get<double>();
    return shown(first, rounded_to_error(first.get<double>(), error)) + " \u00b1 " +
           shown(second, error_text(error));
  }
  const char* between = column.form == CellForm::kInterval ? " to " : " of ";
  return value_html(first) + between + value_html(second);
}

}  // namespace

std::size_t DataTable::column(const std::string& name) const {
  const auto found = std::ranges::find(columns, name);
  const auto index = static_cast<std::size_t>(found - columns.begin());
  VAPOR_CHECK_LT(index, columns.size());
  return index;
}

void write_csv(std::ostream& out, const DataTable& table) {
  const auto line = [&](const auto& cells, const auto& text) {
    for (std::size_t i = 0; i < cells.size(); ++i) out << (i > 0 ? "," : "") << text(cells[i]);
    out << "\n";
  };
  line(table.columns, [](const std::string& name) { return csv_cell(name); });
  for (const std::vector<ordered_json>& row : table.rows) line(row, csv_cell);
}

std::string html_table(const DataTable& table, std::span<const TableColumn> columns,
                       std::span<const std::size_t> rows, const std::string& caption) {
  std::string html =
      fmt::format("<table>\n<caption class=\"visually-hidden\">{}</caption>\n<thead><tr>",
                  escape_html(caption));
  for (const TableColumn& column : columns)
    html += fmt::format("<th scope=\"col\">{}</th>", escape_html(column.title));
  html += "</tr></thead>\n<tbody>\n";
  const std::size_t count = rows.empty() ? table.rows.size() : rows.size();
  for (std::size_t i = 0; i < count; ++i) {
    html += "<tr>";
    for (const TableColumn& column : columns)
      html += "<td>" + cell_html(table, column, rows.empty() ? i : rows[i]) + "</td>";
    html += "</tr>\n";
  }
  return html + "</tbody>\n</table>";
}

}  // namespace vapor
