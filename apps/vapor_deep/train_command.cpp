// `vapor train`: a deep agent in an environment, a folder a seed; the same command again goes on
// where the last one was stopped.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "commands.h"
#include "interruption.h"
#include "options.h"
#include "sweep_progress.h"
#include "vapor/core/spec.h"
#include "vapor/deep/training.h"
#include "vapor/experiment/on_threads.h"

namespace vapor::command {
namespace {

using deep::TrainingEnd;
using deep::TrainingRow;
using deep::TrainingSettings;
using deep::TrainingSummary;
using nlohmann::ordered_json;

struct Options {
  TrainingSettings training;
  std::int64_t seed = 1;
  int seeds = 1;
  std::string out;
  int threads = 1;
  std::int64_t checkpoint_every = 0;
  Output output;
};

struct Cell {
  TrainingSettings settings;
  std::string folder;
  TrainingEnd end = TrainingEnd::kFinished;
  TrainingSummary summary;
};

// The line of progress of all seeds together; rates are those of this process.
class TrainingProgress {
 public:
  TrainingProgress(const Options& options, std::int64_t episodes)
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
        "{}/{} episodes  {:.3g} episodes/s  {:.3g}k frames/s  return {:.3f}  goals {}  sigma {:.4f}"
        "  entropy {:.4f}",
        done_, episodes_, static_cast<double>(played_) / seconds,
        1e-3 * static_cast<double>(learner_frames_) / seconds, row.episode.episode_return,
        successes_, row.episode.sigma, row.episode.entropy));
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

std::vector<Cell> cells_of(const Options& options) {
  std::string out = options.out;
  if (out.empty())
    out = fmt::format("out/train/{}/{}", folder_name(options.training.env),
                      folder_name(options.training.agent));
  std::vector<Cell> cells;
  for (int k = 0; k < options.seeds; ++k) {
    Cell cell;
    cell.settings = options.training;
    cell.settings.seed = static_cast<std::uint64_t>(options.seed + k);
    cell.folder = fmt::format("{}/seed-{}", out, cell.settings.seed);
    cells.push_back(cell);
  }
  validate(cells.front().settings);
  for (const Cell& cell : cells) expect_room_for(cell.folder, header_of(cell.settings).definition);
  return cells;
}

void make_runs(const Options& options, std::vector<Cell>& cells) {
  TrainingProgress progress(options, options.training.episodes * options.seeds);
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

// The first seed's numbers stand at the top too, so that a single run needs no search.
ordered_json as_json(const std::vector<Cell>& cells) {
  ordered_json answer = header_of(cells.front().settings).definition;
  answer.update(json_of(cells.front().summary));
  answer["runs"] = ordered_json::array();
  for (const Cell& cell : cells) {
    ordered_json run = {{"seed", cell.settings.seed},
                        {"folder", cell.folder},
                        {"was_finished", cell.end == TrainingEnd::kWasFinished}};
    run.update(json_of(cell.summary));
    answer["runs"].push_back(run);
  }
  return answer;
}

void print_for_people(const std::vector<Cell>& cells) {
  const TrainingSettings& settings = cells.front().settings;
  fmt::print("{}\n", bold(settings.agent + " in " + settings.env));
  const auto text = [](const std::optional<std::int64_t>& episode) {
    return episode ? std::to_string(*episode) : "-";
  };
  Rows rows = {
      {"seed", "solved", "first success", "episodes", "mean return", "time", "frames/s"}};
  for (const Cell& cell : cells) {
    const TrainingSummary& s = cell.summary;
    rows.push_back({std::to_string(cell.settings.seed), text(s.solved), text(s.first_success),
                    std::to_string(s.episodes), fmt::format("{:.4g}", s.mean_return),
                    duration(s.seconds), fmt::format("{:.0f}", s.frames_per_second)});
  }
  print_table(rows);
  const std::string& folder = cells.front().folder;
  fmt::print("{}\n", dim("records in " + folder.substr(0, folder.rfind('/'))));
}

int run(const Options& options) {
  std::vector<Cell> cells = cells_of(options);
  catch_signals();
  make_runs(options, cells);
  if (interrupted()) return end_interrupted();
  for (Cell& cell : cells) cell.summary = deep::summarise_training(read_run(cell.folder));
  if (options.output.json)
    fmt::print("{}\n", as_json(cells).dump(2));
  else if (!options.output.quiet)
    print_for_people(cells);
  return kGood;
}

std::string list_of_agents() {
  std::string list = "Agents, with settings as in vapor-lite:hidden=64,sigma_scale=3 (docs/deep.md):\n";
  for (const deep::AgentKind& kind : deep::agent_kinds())
    list += fmt::format("  {:<24}{}\n", kind.name, kind.summary);
  return list;
}

}  // namespace

void add_train(CLI::App& app, Action& action) {
  auto options = std::make_shared<Options>();
  TrainingSettings& training = options->training;
  CLI::App* command = app.add_subcommand("train", "Train a deep agent, and resume it");
  add_text(*command, "--env", training.env, "ENV",
           "Environment, a name with settings: see vapor list envs")
      ->required();
  add_text(*command, "--agent", training.agent, "AGENT", "Agent, a name with settings: see below")
      ->capture_default_str();
  add_whole(*command, "--episodes", training.episodes, {1, 1'000'000'000}, "Episodes of each run")
      ->capture_default_str();
  add_whole(*command, "--seeds", options->seeds, {1, 100'000}, "Number of runs, one a seed")
      ->capture_default_str();
  add_whole(*command, "--seed", options->seed, kSeeds, "The first seed")->capture_default_str();
  add_text(*command, "--out", options->out, "DIR", "Folder of the runs, DIR/seed-S each")
      ->default_str("out/train/ENV/AGENT");
  add_whole(*command, "--threads", options->threads, {0, 1024},
            "Runs made at the same time; 0: all cores")
      ->capture_default_str();
  command->add_flag("--stop-when-solved", training.stop_when_solved,
                    "Stop when the goal was reached in a tenth of the episodes, 100 or later");
  add_whole(*command, "--checkpoint-every", options->checkpoint_every, {0, 1'000'000'000},
            "Episodes between checkpoints; 0: every two seconds")
      ->capture_default_str();
  add_output_flags(*command, options->output);
  command->footer(
      list_of_agents() +
      "The same command again goes on with an unfinished run and leaves a finished one alone.\n"
      "Exit code: 0 finished, 2 bad input, 3 internal error, 130 interrupted (Ctrl-C).\n"
      "Examples:\n"
      "  vapor train --env deep_sea:depth=20 --agent vapor-lite --stop-when-solved\n"
      "  vapor train --env deep_sea:depth=100 --agent vapor-lite-closed --episodes 4000 --seeds 5 "
      "--json");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace vapor::command
