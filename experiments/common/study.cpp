#include "experiments/common/study.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <ranges>
#include <set>

#include "vapor/core/error.h"
#include "vapor/core/spec.h"
#include "vapor/deep/frame_training.h"
#include "vapor/deep/training.h"
#include "vapor/record/run_summary.h"
#include "vapor/run/worlds.h"

namespace vapor::experiments {
namespace {

using Tasks = std::vector<SweepTask>;

deep::TrainingSettings by_episodes(const TrainCellSettings& train) {
  return {train.env, train.agent, *train.episodes, train.seed, train.stop_when_solved};
}

// On one thread all games begin anew at a checkpoint, so the longer a study, the longer games it
// lets be played to their end; a short one should lose little when it is stopped.
deep::FrameTrainingSettings by_frames(const TrainCellSettings& train, Index actors) {
  deep::FrameTrainingSettings settings;
  settings.env = train.env;
  settings.agent = train.agent;
  settings.frames = *train.frames;
  settings.seed = train.seed;
  settings.actors = actors;
  settings.checkpoint_frames = std::max<std::int64_t>(20'000, *train.frames / 20);
  return settings;
}

SweepTask task_of(const deep::TrainingSettings& settings, const std::string& folder) {
  expect_room_for(folder, header_of(settings).definition);
  return {settings.episodes, [=](const auto& keep_going) {
            deep::TrainingOptions how;
            how.keep_going = [&](std::int64_t episodes, const deep::TrainingRow*) {
              return keep_going(episodes);
            };
            return train(settings, folder, how) != deep::TrainingEnd::kInterrupted;
          }};
}

SweepTask task_of(const deep::FrameTrainingSettings& settings, const std::string& folder) {
  expect_room_for(folder, header_of(settings).definition);
  return {settings.frames, [=](const auto& keep_going) {
            deep::FrameTrainingOptions how;
            how.keep_going = [&](const deep::FrameProgress& progress) {
              return keep_going(std::min(progress.frames, settings.frames));
            };
            return train(settings, deep::parts_of(settings.env), folder, how) !=
                   deep::TrainingEnd::kInterrupted;
          }};
}

}  // namespace

std::string Cell::belief() const {
  const RunSettings* run = runs.front().run();
  return run == nullptr ? "" : run->belief;
}

int Cell::number(const std::string& name) const {
  return static_cast<int>(parse_integer(name, runs.front().values.at(name)));
}

std::string Cell::label(const std::string& spec) const {
  for (const auto& [name, value] : runs.front().values)
    if (value == spec) return name;
  return spec;
}

std::vector<RunRecord> Cell::records() const {
  std::vector<RunRecord> all;
  for (const GridCell& run : runs) all.push_back(read_run(run.folder));
  return all;
}

std::vector<Cell> cells_of(const Study& study, const std::string& out) {
  Tables tables = study.tables;
  for (SweepTable& table : tables) table.name.clear();
  std::vector<Cell> cells;
  std::string last;
  for (GridCell& run : vapor::cells_of(tables)) {
    const std::filesystem::path folder = run.folder;
    const TrainCellSettings* train = run.train();
    const bool game = train != nullptr && train->frames.has_value();
    const std::int64_t cap = game               ? *train->frames
                             : train != nullptr ? train->episodes.value()
                                                : run.run()->episodes;
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

void make(const std::vector<Cell>& cells, const Study& study, const ReproductionOptions& options) {
  const auto actors = study.given.find("--actors");
  const Index threads = actors == study.given.end() ? 0 : std::stoi(actors->second);
  std::vector<SweepCell> runs;
  Tasks by_episode, by_frame;
  for (const Cell& cell : cells) {
    if (cell.game)
      validate(by_frames(*cell.runs.front().train(), threads), deep::parts_of(cell.env()));
    else if (const TrainCellSettings* train = cell.runs.front().train())
      validate(by_episodes(*train));
  }
  for (const Cell& cell : cells)
    for (const GridCell& run : cell.runs) {
      if (run.run() != nullptr)
        runs.push_back({*run.run(), run.folder});
      else if (cell.game)
        by_frame.push_back(task_of(by_frames(*run.train(), threads), run.folder));
      else
        by_episode.push_back(task_of(by_episodes(*run.train()), run.folder));
    }
  if (!runs.empty()) make_runs(runs, options);
  if (!by_episode.empty()) make_tasks(by_episode, options);
  if (!by_frame.empty()) make_tasks(by_frame, options);
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
