// `vapor train` in environments whose states are known by index, episode by episode.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "interruption.h"
#include "sweep_progress.h"
#include "train.h"
#include "train_answer.h"
#include "vapor/deep/training.h"
#include "vapor/run/on_threads.h"

namespace vapor::command {
namespace {

using deep::TrainingEnd;
using deep::TrainingRow;
using deep::TrainingSettings;
using deep::TrainingSummary;
using nlohmann::ordered_json;

using EpisodeCell = TrainCell<TrainingSettings, TrainingSummary>;

// The line of progress of all seeds together; rates are those of this process.
class TrainingProgress {
 public:
  TrainingProgress(const TrainOptions& options, std::int64_t episodes)
      : line_(!options.output.quiet), episodes_(episodes) {}

  void opened(std::int64_t episodes) {
    const std::lock_guard lock(mutex_);
    done_ += episodes;
  }

  void played(const TrainingRow& row) {
    const std::lock_guard lock(mutex_);
    ++done_, ++played_;
    learner_frames_ += row.learner_frames;
    if (row.episode.success) ++successes_;
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    line_.show(fmt::format(
        "{}/{} episodes  {:.3g}/s  {:.3g}k frames/s  return {:.3f}  goals {}  sigma {:.2g}  "
        "entropy {:.2g}  losses {:.2g} {:.2g} {:.2g}",
        done_, episodes_, static_cast<double>(played_) / seconds,
        1e-3 * static_cast<double>(learner_frames_) / seconds, row.episode.episode_return,
        successes_, row.episode.sigma, row.episode.entropy, row.losses.policy, row.losses.value,
        row.losses.reward));
  }

 private:
  ProgressLine line_;
  std::int64_t episodes_;
  std::mutex mutex_;  // guards all below
  std::int64_t done_ = 0;
  std::int64_t played_ = 0;
  std::int64_t learner_frames_ = 0;
  std::int64_t successes_ = 0;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

std::vector<EpisodeCell> cells_of(const TrainOptions& options) {
  std::vector<EpisodeCell> cells;
  for (int k = 0; k < options.seeds; ++k) {
    EpisodeCell cell;
    cell.settings = {.env = options.env,
                     .agent = options.agent,
                     .episodes = options.episodes,
                     .seed = static_cast<std::uint64_t>(options.seed + k),
                     .stop_when_solved = options.stop_when_solved};
    cell.folder = folder_of(options, cell.settings.seed);
    cells.push_back(cell);
  }
  validate(cells.front().settings);
  for (const EpisodeCell& cell : cells)
    expect_room_for(cell.folder, header_of(cell.settings).definition);
  return cells;
}

void make_runs(const TrainOptions& options, std::vector<EpisodeCell>& cells) {
  TrainingProgress progress(options, options.episodes * options.seeds);
  const int threads = std::min(threads_or_all(options.threads), static_cast<int>(cells.size()));
  on_threads(
      cells.size(), threads, [] { return !interrupted(); },
      [&](std::size_t i, const GoOn& go_on) {
        deep::TrainingOptions how;
        how.checkpoint.episodes = options.checkpoint_every;
        how.keep_going = [&](std::int64_t episodes, const TrainingRow* row) {
          if (row != nullptr)
            progress.played(*row);
          else
            progress.opened(episodes);
          return go_on();
        };
        cells[i].end = deep::train(cells[i].settings, cells[i].folder, how);
      });
}

ordered_json json_of(const std::optional<std::int64_t>& episode) {
  return episode ? ordered_json(*episode) : ordered_json(nullptr);
}

ordered_json json_of(const TrainingSummary& summary) {
  return {{"solved", json_of(summary.solved)}, {"first_success", json_of(summary.first_success)},
          {"episodes", summary.episodes},      {"mean_return", summary.mean_return},
          {"frames", summary.frames},          {"learner_frames", summary.learner_frames},
          {"seconds", summary.seconds},        {"frames_per_second", summary.frames_per_second}};
}

std::vector<std::string> episodes_line(const EpisodeCell& cell) {
  const auto text = [](const std::optional<std::int64_t>& episode) {
    return episode ? std::to_string(*episode) : "-";
  };
  const TrainingSummary& s = cell.summary;
  return {std::to_string(cell.settings.seed),
          text(s.solved),
          text(s.first_success),
          std::to_string(s.episodes),
          fmt::format("{:.4g}", s.mean_return),
          duration(s.seconds),
          fmt::format("{:.0f}", s.frames_per_second)};
}

}  // namespace

int train_by_episodes(const TrainOptions& options) {
  std::vector<EpisodeCell> cells = cells_of(options);
  catch_signals();
  make_runs(options, cells);
  if (interrupted()) return end_interrupted();
  for (EpisodeCell& cell : cells) cell.summary = deep::summarise_training(read_run(cell.folder));
  print_answer(
      options.output, cells, [](const TrainingSummary& summary) { return json_of(summary); },
      {"seed", "solved", "first success", "episodes", "mean return", "time", "frames/s"},
      episodes_line);
  return kGood;
}

}  // namespace vapor::command
