// `vapor train` in environments that are observed as arrays, by frames.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "interruption.h"
#include "sweep_progress.h"
#include "train.h"
#include "train_answer.h"
#include "vapor/deep/frame_training.h"
#include "vapor/run/on_threads.h"
#include "vapor/run/worlds.h"

namespace vapor::command {
namespace {

using deep::FrameProgress;
using deep::FrameTrainingSettings;
using deep::FrameTrainingSummary;
using deep::TrainingEnd;
using nlohmann::ordered_json;

using FrameCell = TrainCell<FrameTrainingSettings, FrameTrainingSummary>;

// The line of progress of all seeds together: frames are summed, the rest is that of the seed that
// reported last.
class FrameProgressLine {
 public:
  FrameProgressLine(bool enabled, std::int64_t wanted) : bar_(enabled), wanted_(wanted) {}

  void show(std::size_t cell, const FrameProgress& p) {
    const std::lock_guard lock(mutex_);
    if (!begun_.contains(cell)) begun_[cell] = p.frames;
    frames_[cell] = p.frames;
    Part part;
    part.total = static_cast<double>(wanted_);
    for (const auto& [each, frames] : frames_) {
      part.done += static_cast<double>(frames);
      part.worked += static_cast<double>(frames - begun_[each]);
    }
    bar_.show(
        part,
        fmt::format(
            "{} frames  {:.0f}/s  {} episodes  return {:.2f}  sigma {:.2g}  entropy {:.2g}  "
            "losses {:.2g} {:.2g} {:.2g}{}",
            whole(p.frames), p.frames_per_second, p.episodes, p.mean_return, p.sigma, p.entropy,
            p.losses.policy, p.losses.value, p.losses.reward,
            p.environments_lost == 0 ? ""
                                     : fmt::format("  {} environments lost", p.environments_lost)));
  }

 private:
  ProgressBar bar_;
  std::int64_t wanted_;
  std::mutex mutex_;  // guards all below
  std::map<std::size_t, std::int64_t> begun_, frames_;
};

std::vector<FrameCell> cells_of(const TrainOptions& options, const deep::TrainingParts& parts) {
  std::vector<FrameCell> cells;
  for (int k = 0; k < options.seeds; ++k) {
    FrameCell cell;
    cell.settings = {.env = options.env,
                     .agent = options.agent,
                     .frames = options.frames,
                     .seed = static_cast<std::uint64_t>(options.seed + k),
                     .places = options.places,
                     .actors = options.actors,
                     .clip_rewards = !options.unclipped_rewards,
                     .checkpoint_frames = options.checkpoint_frames};
    cell.folder = folder_of(options, cell.settings.seed);
    cells.push_back(cell);
  }
  validate(cells.front().settings, parts);
  for (const FrameCell& cell : cells)
    expect_room_for(cell.folder, header_of(cell.settings).definition);
  return cells;
}

void make_runs(const TrainOptions& options, const deep::TrainingParts& parts,
               std::vector<FrameCell>& cells) {
  FrameProgressLine progress(!options.output.quiet, options.frames * options.seeds);
  const int threads = std::min(threads_or_all(options.threads), static_cast<int>(cells.size()));
  on_threads(
      cells.size(), threads, [] { return !interrupted(); },
      [&](std::size_t i, const GoOn& go_on) {
        deep::FrameTrainingOptions how;
        how.keep_going = [&, i](const FrameProgress& p) {
          progress.show(i, p);
          return go_on();
        };
        cells[i].end = deep::train(cells[i].settings, parts, cells[i].folder, how);
      });
}

ordered_json json_of(const FrameTrainingSummary& s) {
  // A game has no goal that would be reached: both are there for readers of either training.
  return {{"solved", nullptr},
          {"first_success", nullptr},
          {"episodes", s.episodes},
          {"frames", s.frames},
          {"learner_frames", s.learner_frames},
          {"mean_return", s.mean_return},
          {"recent_mean_return", s.recent_mean_return},
          {"best_return", s.best_return},
          {"seconds", s.seconds},
          {"frames_per_second", s.frames_per_second}};
}

std::vector<std::string> frames_line(const FrameCell& cell) {
  const FrameTrainingSummary& s = cell.summary;
  return {std::to_string(cell.settings.seed),
          whole(s.frames),
          whole(s.episodes),
          number(s.mean_return),
          number(s.recent_mean_return),
          number(s.best_return),
          duration(s.seconds),
          fmt::format("{:.0f}", s.frames_per_second)};
}

}  // namespace

int train_by_frames(const TrainOptions& options) {
  const deep::TrainingParts parts = deep::parts_of(options.env);
  std::vector<FrameCell> cells = cells_of(options, parts);
  catch_signals();
  make_runs(options, parts, cells);
  if (interrupted()) return end_interrupted();
  for (FrameCell& cell : cells)
    cell.summary = deep::summarise_frame_training(read_run(cell.folder));
  print_answer(
      options.output, cells, [](const FrameTrainingSummary& summary) { return json_of(summary); },
      {"seed", "frames", "episodes", "mean return", "of the last 100", "best", "time", "frames/s"},
      frames_line);
  return kGood;
}

}  // namespace vapor::command
