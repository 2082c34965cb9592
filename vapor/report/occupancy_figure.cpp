#include "vapor/report/occupancy_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "vapor/core/error.h"
#include "vapor/report/findings.h"
#include "vapor/report/plot_style.h"
#include "vapor/report/study_words.h"
#include "vapor/report/wording.h"

namespace vapor {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kMostCells = 40;  // on a side of a panel; larger maps are summed in blocks

DataTable table_of(const std::vector<OccupancyMap>& maps) {
  DataTable table;
  table.columns = {"panel", "row", "column", "share", "standard_error"};
  for (const OccupancyMap& map : maps)
    for (std::size_t cell = 0; cell < map.share.size(); ++cell) {
      if (std::isnan(map.share[cell])) continue;
      table.rows.push_back({map.name, cell / map.columns, cell % map.columns, map.share[cell],
                            map.standard_error.empty() ? ordered_json(nullptr)
                                                       : ordered_json(map.standard_error[cell])});
    }
  return table;
}

// Sums of block x block cells.
OccupancyMap in_blocks(const OccupancyMap& map, std::size_t block) {
  if (block == 1) return map;
  OccupancyMap coarse;
  coarse.name = map.name;
  coarse.rows = (map.rows + block - 1) / block;
  coarse.columns = (map.columns + block - 1) / block;
  coarse.share.assign(coarse.rows * coarse.columns, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t cell = 0; cell < map.share.size(); ++cell) {
    if (std::isnan(map.share[cell])) continue;
    double& sum =
        coarse.share[cell / map.columns / block * coarse.columns + cell % map.columns / block];
    sum = std::isnan(sum) ? map.share[cell] : sum + map.share[cell];
  }
  return coarse;
}

// States in a line have no rows and columns.
bool is_line(const std::vector<OccupancyMap>& maps) {
  return std::ranges::all_of(maps, [](const OccupancyMap& map) { return map.rows == 1; });
}

ordered_json spec_of(const std::vector<OccupancyMap>& maps, int columns) {
  const bool line = is_line(maps);
  ordered_json order = ordered_json::array();
  for (const OccupancyMap& map : maps) order.push_back(map.name);
  const auto position = [](const char* field, const char* title) -> ordered_json {
    return {{"field", field},
            {"type", "ordinal"},
            {"scale", {{"paddingInner", 0.04}, {"paddingOuter", 0.02}}},
            {"axis",
             {{"title", title},
              {"labelOverlap", true},
              {"ticks", false},
              {"domain", false},
              {"labelAngle", 0},
              {"grid", false}}}};
  };
  ordered_json encoding = {
      {"x", position("column", line ? "state" : "column")},
      {"color",
       {{"field", "share"},
        {"type", "quantitative"},
        {"scale", {{"type", "sqrt"}, {"scheme", "cividis"}, {"domainMin", 0}}},
        {"legend", {{"title", "share of the timesteps"}, {"format", ".2~g"}}}}},
      {"tooltip", {tip("panel", "map", false)}}};
  if (!line) {
    encoding["y"] = position("row", "row");
    encoding["tooltip"].push_back(tip("row", "row"));
  }
  encoding["tooltip"].push_back(tip("column", line ? "state" : "column"));
  encoding["tooltip"].push_back(tip("share", "share of the timesteps"));
  encoding["tooltip"].push_back(tip("standard_error", "standard error"));
  ordered_json spec = {{"mark", {{"type", "rect"}}}, {"encoding", encoding}};
  if (line) spec["height"] = 44;
  return {{"data", {{"name", "picture"}}},
          {"usermeta", {{"columns", columns}, {"square", !line}, {"least", 130}, {"most", 320}}},
          {"facet", {{"field", "panel"}, {"type", "nominal"}, {"sort", order}, {"title", nullptr}}},
          {"spec", spec}};
}

std::string summary_of_occupancy(const std::vector<OccupancyMap>& maps) {
  std::vector<std::string> parts;
  for (const OccupancyMap& map : maps) {
    std::size_t most = 0;
    for (std::size_t cell = 0; cell < map.share.size(); ++cell)
      if (std::isnan(map.share[most]) || map.share[cell] > map.share[most]) most = cell;
    const std::string place =
        is_line(maps) ? fmt::format("state {}", most)
                      : fmt::format("row {}, column {}", most / map.columns, most % map.columns);
    parts.push_back(fmt::format("{} most often {} ({:.1f}% of the timesteps)", map.name, place,
                                100.0 * map.share[most]));
  }
  return fmt::format("Heat maps of the cells that are visited: {}.", listed(parts));
}

Figure heat_maps(const std::vector<OccupancyMap>& maps, int columns, const std::string& id) {
  std::size_t side = 1;
  for (const OccupancyMap& map : maps) side = std::max({side, map.rows, map.columns});
  const std::size_t block = (side + kMostCells - 1) / kMostCells;
  std::vector<OccupancyMap> shown;
  for (const OccupancyMap& map : maps) shown.push_back(in_blocks(map, block));
  Figure figure;
  figure.id = id;
  figure.picture = table_of(shown);
  figure.full = table_of(maps);
  figure.spec = spec_of(shown, columns);
  figure.summary = summary_of_occupancy(maps);
  figure.caption = {
      "Share of the timesteps of an episode that is spent in each cell: the occupancy measure "
      "summed over timesteps and actions, divided by the number of timesteps. One colour scale, "
      "in square roots so that rare cells show."};
  if (block > 1)
    figure.caption.push_back(
        fmt::format("A square of the picture is the sum of {} x {} cells; the full data has each.",
                    block, block));
  const bool estimated = std::ranges::any_of(
      maps, [](const OccupancyMap& map) { return !map.standard_error.empty(); });
  const bool line = is_line(maps);
  figure.table = {{"map", CellForm::kValue, {"panel"}}};
  if (!line) figure.table.push_back({"row", CellForm::kValue, {"row"}});
  figure.table.push_back({line ? "state" : "column", CellForm::kValue, {"column"}});
  if (estimated && block == 1)
    figure.table.push_back({"share of the timesteps \u00b1 standard error",
                            CellForm::kWithError,
                            {"share", "standard_error"}});
  else
    figure.table.push_back({"share of the timesteps", CellForm::kValue, {"share"}});
  return figure;
}

std::vector<double> cells_of(const ordered_json& rows, const std::string& place) {
  std::vector<double> cells;
  if (!rows.is_array() || rows.empty()) throw InputError(place, "must be rows of numbers");
  for (const ordered_json& row : rows) {
    if (!row.is_array() || row.empty() || row.size() != rows.front().size())
      throw InputError(place, "must be rows of numbers, all of the same length");
    for (const ordered_json& cell : row) {
      if (!cell.is_number()) throw InputError(place, "must be rows of numbers");
      cells.push_back(cell.get<double>());
    }
  }
  return cells;
}

// One of the maps of a seed, KEY, with KEY_se if that is there.
OccupancyMap map_of(const ExperimentFindings& findings, const ordered_json& of_seed,
                    const std::string& key, std::uint64_t seed) {
  const std::string place = findings.folder + "/findings.json: maps";
  const std::string title = about_column(findings.findings, key, "title");
  OccupancyMap map;
  map.name = fmt::format("{}, seed {}", title.empty() ? key : title, seed);
  map.share = cells_of(of_seed[key], place);
  map.rows = of_seed[key].size();
  map.columns = of_seed[key].front().size();
  const std::string error = key + "_se";
  if (of_seed.contains(error)) map.standard_error = cells_of(of_seed[error], place);
  if (!map.standard_error.empty() && map.standard_error.size() != map.share.size())
    throw InputError(place, error + " has another size than its map");
  return map;
}

}  // namespace

std::optional<Figure> maps_figure(const ExperimentFindings& findings, const std::string& id) {
  const ordered_json& all = findings.findings;
  if (!all.is_object() || !all.contains("maps") || !all["maps"].is_array() || all["maps"].empty())
    return std::nullopt;
  const std::string place = findings.folder + "/findings.json: maps";
  std::vector<OccupancyMap> maps;
  std::vector<std::uint64_t> seeds;
  int side_by_side = 1;
  for (const ordered_json& of_seed : all["maps"]) {
    const std::optional<double> seed = number_at(of_seed, "seed");
    if (!seed) throw InputError(place, "a map has no seed");
    seeds.push_back(static_cast<std::uint64_t>(*seed));
    const auto before = std::ssize(maps);
    for (const auto& [key, map] : of_seed.items())
      if (key != "seed" && !key.ends_with("_se"))
        maps.push_back(map_of(findings, of_seed, key, seeds.back()));
    side_by_side = std::max(side_by_side, static_cast<int>(std::ssize(maps) - before));
  }
  if (maps.empty()) throw InputError(place, "there is no map beside the seed");
  Figure figure = heat_maps(maps, side_by_side, id);
  const std::string title = about_column(all, "maps", "title");
  figure.title = title.empty() ? "Occupancy" : title;
  if (const std::string caption = about_column(all, "maps", "caption"); !caption.empty())
    figure.caption.push_back(caption);
  figure.caption.push_back(fmt::format("A world for each seed: {}.", seeds_text(seeds)));
  return figure;
}

std::optional<Figure> snapshot_figure(const Study& study, const std::string& id,
                                      std::vector<LeftOut>& left_out) {
  std::vector<OccupancyMap> maps;
  std::string shown_task;
  for (auto task = study.tasks.rbegin(); task != study.tasks.rend() && maps.empty(); ++task)
    for (const std::string& agent : study.agents) {
      const StudyCell* cell = study.cell(agent, *task);
      if (cell == nullptr) continue;
      const auto run = std::ranges::find_if(
          cell->seeds, [](const RunDigest* candidate) { return candidate->has_snapshots; });
      if (run == cell->seeds.end()) continue;
      try {
        OccupancyMap map = snapshot_map((*run)->folder);
        map.name = fmt::format("{}, seed {}", shown_name(agent), seed_of(**run));
        maps.push_back(std::move(map));
        shown_task = *task;
      } catch (const InputError& e) {
        std::string reason = e.what();
        const std::string prefix = (*run)->folder + "/";
        if (reason.starts_with(prefix)) reason.erase(0, prefix.size());
        left_out.push_back({(*run)->folder, reason});
      }
    }
  if (maps.empty()) return std::nullopt;
  Figure figure = heat_maps(maps, 4, id);
  figure.title = "Occupancy at the end";
  figure.caption.push_back(fmt::format(
      "From the last snapshot of one seed of each agent, {}{}; under the mean dynamics of its "
      "belief.",
      study.axis.empty() ? "" : study.axis + " ", shown_task));
  return figure;
}

}  // namespace vapor
