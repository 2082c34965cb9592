// Reading the last snapshot of a run (docs/records.md).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "vapor/core/error.h"
#include "vapor/record/file.h"
#include "vapor/report/findings.h"
#include "vapor/report/occupancy_figure.h"

namespace vapor {
namespace {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr std::int64_t kLargestFile = 500'000'000;
constexpr double kMostCells = 4e6;  // of a drawing

ordered_json read_json(const std::string& path) {
  const std::optional<std::string> text = read_whole_file(path, kLargestFile);
  if (!text) throw InputError(path, "does not exist");
  ordered_json value = ordered_json::parse(*text, nullptr, /*allow_exceptions=*/false);
  if (!value.is_object()) throw InputError(path, "is not a JSON object");
  return value;
}

std::string last_snapshot(const std::string& folder) {
  std::string last;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename();
    const bool numbered = name.size() > 5 && name.ends_with(".json") &&
                          std::ranges::all_of(name.substr(0, name.size() - 5),
                                              [](char c) { return c >= '0' && c <= '9'; });
    if (numbered) last = std::max(last, name);  // the numbers are padded to one width
  }
  if (last.empty()) throw InputError(folder, "holds no snapshot");
  return folder + "/" + last;
}

const ordered_json& array_at(const std::string& path, const ordered_json& object,
                             const char* name) {
  if (!object.contains(name) || !object[name].is_array() || object[name].empty())
    throw InputError(path, fmt::format("\"{}\" must be an array", name));
  return object[name];
}

double sum_of_actions(const std::string& place, const ordered_json& pairs) {
  double sum = 0.0;
  if (!pairs.is_array()) throw InputError(place, "must be an array");
  for (const ordered_json& value : pairs) {
    if (!value.is_number()) throw InputError(place, "must hold numbers");
    sum += value.get<double>();
  }
  return sum;
}

}  // namespace

OccupancyMap snapshot_map(const std::string& folder) {
  const std::string drawing_path = folder + "/snapshots/drawing.json";
  const ordered_json drawing = read_json(drawing_path);
  const std::string path = last_snapshot(folder + "/snapshots");
  const ordered_json snapshot = read_json(path);
  const ordered_json& cells = array_at(drawing_path, drawing, "cells");
  const ordered_json& lambda = array_at(path, snapshot, "lambda");
  const double rows = number_at(drawing, "rows").value_or(0.0);
  const double columns = number_at(drawing, "columns").value_or(0.0);
  if (!(rows >= 1.0 && columns >= 1.0 && rows * columns <= kMostCells))
    throw InputError(drawing_path, "rows and columns must be numbers >= 1");
  if (lambda.size() != cells.size())
    throw InputError(path, "lambda has another number of layers than drawing.json");
  OccupancyMap map;
  map.rows = static_cast<std::size_t>(rows);
  map.columns = static_cast<std::size_t>(columns);
  map.share.assign(map.rows * map.columns, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t layer = 0; layer < cells.size(); ++layer) {
    const std::string place = fmt::format("{}: lambda[{}]", path, layer);
    if (!cells[layer].is_array() || !lambda[layer].is_array() ||
        cells[layer].size() != lambda[layer].size())
      throw InputError(place, "has another number of states than drawing.json");
    for (std::size_t s = 0; s < cells[layer].size(); ++s) {
      const ordered_json& at = cells[layer][s];
      const bool pair = at.is_array() && at.size() == 2 && at[0].is_number_unsigned() &&
                        at[1].is_number_unsigned();
      if (!pair || at[0].get<std::size_t>() >= map.rows || at[1].get<std::size_t>() >= map.columns)
        throw InputError(fmt::format("{}: cells[{}][{}]", drawing_path, layer, s),
                         "must be [row, column] of the grid");
      double& share = map.share[at[0].get<std::size_t>() * map.columns + at[1].get<std::size_t>()];
      const double visits = sum_of_actions(place, lambda[layer][s]);
      share = (std::isnan(share) ? 0.0 : share) + visits / static_cast<double>(cells.size());
    }
  }
  return map;
}

}  // namespace vapor
