#include "vapor/report/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "vapor/report/wording.h"

namespace vapor {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kMostRows = 200;  // for readers; the files have all

std::string words(std::string name) {
  std::ranges::replace(name, '_', ' ');
  return name;
}

// "solved (episodes)"
std::string title_of(const ordered_json& findings, const std::string& name,
                     const std::string& more = "") {
  const std::string title = about_column(findings, name, "title");
  const std::string unit = about_column(findings, name, "unit");
  return (title.empty() ? words(name) : title) + more + (unit.empty() ? "" : " (" + unit + ")");
}

bool is_table(const ordered_json& value) {
  return value.is_array() && !value.empty() &&
         std::ranges::all_of(value, [](const ordered_json& row) { return row.is_object(); });
}

DataTable table_of(const ordered_json& rows) {
  DataTable table;
  for (const ordered_json& row : rows)
    for (const auto& [name, value] : row.items())
      if (std::ranges::find(table.columns, name) == table.columns.end())
        table.columns.push_back(name);
  for (const ordered_json& row : rows) {
    table.rows.emplace_back();
    for (const std::string& name : table.columns)
      table.rows.back().push_back(row.contains(name) ? row[name] : ordered_json(nullptr));
  }
  return table;
}

// The column whose standard error STEM_se is: STEM_simulated if there is one (what is computed
// beside it has no error), STEM, or one that begins with it (coverage_time and coverage_se).
std::string owner_of(const DataTable& table, const std::string& error) {
  const std::string stem = error.substr(0, error.size() - 3);
  for (const std::string& name : {stem + "_simulated", stem})
    if (std::ranges::find(table.columns, name) != table.columns.end()) return name;
  for (const std::string& name : table.columns)
    if (name != error && name.starts_with(stem + "_")) return name;
  return "";
}

std::string error_column(const DataTable& table, const std::string& name) {
  for (const std::string& error : table.columns)
    if (error.ends_with("_se") && owner_of(table, error) == name) return error;
  return "";
}

bool all_numbers(const DataTable& table, const std::string& name) {
  const std::size_t column = table.column(name);
  return std::ranges::all_of(table.rows, [&](const auto& row) {
    return row[column].is_number() || row[column].is_null();
  });
}

std::vector<TableColumn> columns_for_readers(const DataTable& table, const ordered_json& findings) {
  std::vector<TableColumn> columns;
  for (const std::string& name : table.columns) {
    const std::string error = error_column(table, name);
    if (!error.empty() && all_numbers(table, name) && all_numbers(table, error))
      columns.push_back({title_of(findings, name, " \u00b1 standard error"),
                         CellForm::kWithError,
                         {name, error}});
    else if (!name.ends_with("_se") || owner_of(table, name).empty())
      columns.push_back({title_of(findings, name), CellForm::kValue, {name}});
  }
  return columns;
}

// "first seed 101, episodes 500", whatever stands beside the tables.
std::string settings_sentence(const ordered_json& findings) {
  std::vector<std::string> parts;
  const auto add = [&](const std::string& name, const ordered_json& value) {
    if (name == "experiment" || name == "command" || name == "version" || name == "format" ||
        name == "format_version")
      return;
    if (value.is_boolean())
      parts.push_back(words(name) + (value.get<bool>() ? ": yes" : ": no"));
    else if (value.is_string())
      parts.push_back(words(name) + " " + value.get<std::string>());
    else if (value.is_number_float())
      parts.push_back(words(name) + " " + number_text(value.get<double>()));
    else if (value.is_number())
      parts.push_back(words(name) + " " + value.dump());
  };
  for (const auto& [name, value] : findings.items()) {
    add(name, value);
    if (!value.is_object() || name == "summary") continue;  // of pages, in sentences
    for (const auto& [inner, setting] : value.items()) add(inner, setting);
  }
  return parts.empty() ? "" : fmt::format("{}.", fmt::join(parts, "; "));
}

}  // namespace

std::string text_at(const ordered_json& object, const std::string& name) {
  if (!object.is_object() || !object.contains(name) || !object[name].is_string()) return "";
  return object[name].get<std::string>();
}

std::optional<double> number_at(const ordered_json& object, const std::string& name) {
  if (!object.is_object() || !object.contains(name) || !object[name].is_number())
    return std::nullopt;
  const auto value = object[name].get<double>();
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::string about_column(const ordered_json& findings, const std::string& column,
                         const std::string& name) {
  if (!findings.is_object() || !findings.contains("columns")) return "";
  const ordered_json& columns = findings["columns"];
  return columns.is_object() && columns.contains(column) ? text_at(columns[column], name) : "";
}

std::string experiment_name(const ExperimentFindings& findings) {
  const std::string name = text_at(findings.findings, "experiment");
  return name.empty() ? "findings" : name;
}

std::vector<std::string> commands_of(const ExperimentFindings& findings) {
  const std::string command = text_at(findings.findings, "command");
  if (command.empty()) return {};
  return {command};
}

bool lies_in(const std::string& folder, const std::string& other) {
  namespace fs = std::filesystem;
  const fs::path inner = fs::path(folder).lexically_normal();
  const fs::path outer = fs::path(other).lexically_normal();
  const auto [end, unused] = std::ranges::mismatch(outer, inner);
  return end == outer.end() || (std::next(end) == outer.end() && end->empty());
}

std::vector<Figure> findings_tables(const ExperimentFindings& findings, const std::string& id) {
  std::vector<Figure> figures;
  const std::string name = experiment_name(findings);
  for (const auto& [key, value] : findings.findings.items()) {
    if (!is_table(value) || key == "maps") continue;
    Figure figure;
    figure.id = id + "-" + id_of(key);
    figure.title = key == "rows" ? name + ": what was found" : name + ": " + words(key);
    figure.picture = table_of(value);
    figure.full = figure.picture;
    figure.table = columns_for_readers(figure.picture, findings.findings);
    if (figure.picture.rows.size() > kMostRows) {
      for (std::size_t row = 0; row < kMostRows; ++row) figure.table_rows.push_back(row);
      figure.caption.push_back(fmt::format("The first {} of {} rows; the full data has them all.",
                                           kMostRows, figure.picture.rows.size()));
      figure.picture.rows.resize(kMostRows);
    }
    figure.summary =
        fmt::format("{} with {}.", figure.title, counted(figure.picture.rows.size(), "row"));
    figure.caption.push_back("As " + findings.folder + "/findings.json has it.");
    if (const std::string settings = settings_sentence(findings.findings); !settings.empty())
      figure.caption.push_back(settings);
    figures.push_back(std::move(figure));
  }
  return figures;
}

}  // namespace vapor
