#include "experiments/common/study.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <ranges>

#include "vapor/core/error.h"
#include "vapor/core/spec.h"
#include "vapor/record/run_summary.h"
#include "vapor/run/process_sweep.h"

namespace vapor::experiments {
namespace {

// On one thread all games begin anew at a checkpoint, so the longer a study, the longer games it
// lets be played to their end; a short one should lose little when it is stopped.
void set_checkpoints(RunRequest& game) {
  game.checkpoint_frames = std::max<std::int64_t>(20'000, *game.frames / 20);
}

}  // namespace

int Cell::number(const std::string& name) const {
  return static_cast<int>(parse_integer(name, runs.front().varied.at(name)));
}

std::string Cell::label(const std::string& spec) const {
  for (const auto& [name, value] : runs.front().varied)
    if (value == spec) return name;
  return spec;
}

std::vector<RunRecord> Cell::records() const {
  std::vector<RunRecord> all;
  for (const SweepCell& run : runs) all.push_back(read_run(run.folder));
  return all;
}

std::vector<Cell> cells_of(const Study& study, const std::string& out) {
  Tables tables = study.tables;
  const auto actors = study.given.find("--actors");
  for (SweepTable& table : tables) {
    table.name.clear();
    if (!table.request.frames) continue;
    set_checkpoints(table.request);
    if (actors != study.given.end()) table.request.actors = std::stoi(actors->second);
  }
  std::vector<Cell> cells;
  std::string last;
  for (SweepCell& run : vapor::cells_of(tables)) {
    const std::filesystem::path folder = run.folder;
    const bool game = run.settings.by_frames.has_value();
    const std::int64_t cap = steps_of(run.settings);
    if (cells.empty() || folder.parent_path() != last) cells.push_back({{}, cap, game});
    last = folder.parent_path();
    run.folder = fmt::format("{}/{}/{}-{}/{}", out, last, game ? "frames" : "within", cap,
                             folder.filename().string());
    cells.back().runs.push_back(std::move(run));
  }
  return cells;
}

std::vector<Cell> sorted_by(std::vector<Cell> cells, const std::vector<CellKey>& keys) {
  for (const CellKey& key : keys | std::views::reverse) {
    std::map<std::string, std::size_t> places;
    for (const Cell& cell : cells) places.emplace(key(cell), places.size());
    std::ranges::stable_sort(cells, {}, [&](const Cell& cell) { return places.at(key(cell)); });
  }
  return cells;
}

void make(const std::vector<Cell>& cells, const ReproductionOptions& options) {
  std::vector<SweepCell> runs;
  for (const Cell& cell : cells) runs.insert(runs.end(), cell.runs.begin(), cell.runs.end());
  make_runs(runs, options);
  for (SweepCell& run : runs) run.folder.erase(0, options.out.size() + 1);
  write_manifest(runs, options.out);
}

std::uint64_t first_seed(const Study& study) { return study.tables.front().seeds.front(); }

void Times::add(const std::optional<std::int64_t>& episode, std::int64_t cap) {
  by_seed.push_back(episode ? ordered_json(*episode) : ordered_json(nullptr));
  capped.push_back(static_cast<double>(episode.value_or(cap)));
  if (episode) ++reached;
}

ordered_json Times::mean() const {
  return reached > 0 ? ordered_json(mean_and_error(capped).mean) : ordered_json(nullptr);
}

void add_mean(ordered_json& row, const std::string& name, const std::vector<double>& values,
              bool present) {
  const MeanAndError mean = mean_and_error(values);
  row[name] = present ? ordered_json(mean.mean) : nullptr;
  row[name + "_se"] = present ? ordered_json(mean.standard_error) : nullptr;
}

}  // namespace vapor::experiments
