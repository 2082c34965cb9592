// `vapor run`: an agent in an environment, a folder a seed; the same command again goes on where
// the last one was stopped.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "commands.h"
#include "interruption.h"
#include "options.h"
#include "run_measures.h"
#include "sweep_progress.h"
#include "vapor/core/error.h"
#include "vapor/core/spec.h"
#include "vapor/run/sweep.h"

namespace vapor::command {
namespace {

using nlohmann::ordered_json;

struct RunOptions {
  RunSettings run;
  std::string stop = "never";
  CLI::Option* stop_option = nullptr;
  bool stop_when_solved = false;
  std::int64_t seed = 1;
  int seeds = 1;
  std::string out;
  int threads = 0;
  std::int64_t checkpoint_every = 0;
  Output output;
};

StopRule stop_rule(const RunOptions& options) {
  if (options.stop_when_solved) {
    if (options.stop_option->count() > 0 && options.stop != "solved")
      throw InputError("--stop-when-solved", "contradicts --stop " + options.stop);
    return StopRule::kSolved;
  }
  for (const StopRule rule : {StopRule::kSolved, StopRule::kCovered})
    if (options.stop == name_of(rule)) return rule;
  return StopRule::kNever;
}

std::string default_folder(const RunSettings& run) {
  std::string agent = folder_name(run.agent);
  if (!run.belief.empty()) agent += "+" + folder_name(run.belief);
  return fmt::format("out/runs/{}/{}", folder_name(run.env), agent);
}

std::vector<SweepCell> cells_of(const RunOptions& options) {
  RunSettings settings = options.run;
  settings.stop = stop_rule(options);
  settings.seed = static_cast<std::uint64_t>(options.seed);
  const std::string out = options.out.empty() ? default_folder(settings) : options.out;
  settings = complete(settings);
  std::vector<SweepCell> cells;
  for (int k = 0; k < options.seeds; ++k) {
    settings.seed = static_cast<std::uint64_t>(options.seed + k);
    cells.push_back({settings, fmt::format("{}/seed-{}", out, settings.seed)});
  }
  return cells;
}

std::vector<RunEnd> make_runs(const RunOptions& options, const std::vector<SweepCell>& cells) {
  SweepProgressLine progress(!options.output.quiet);
  SweepOptions how;
  how.threads = std::min(threads_or_all(options.threads), static_cast<int>(cells.size()));
  how.checkpoint.episodes = options.checkpoint_every;
  how.interrupt = &interrupted();
  how.progress = [&](const SweepProgress& p) { progress.show(p); };
  return sweep(cells, how);
}

// What the command says about a seed; all of it comes from the record.
struct SeedResult {
  SweepCell cell;
  RunEnd end = RunEnd::kFinished;
  RunSummary summary;
};

std::vector<RunSummary> summaries_of(const std::vector<SeedResult>& results) {
  std::vector<RunSummary> summaries;
  for (const SeedResult& result : results) summaries.push_back(result.summary);
  return summaries;
}

ordered_json as_json(const std::vector<SeedResult>& results) {
  const RunSettings& settings = results.front().cell.settings;
  ordered_json answer = header_of(settings).definition;
  answer.erase("seed");
  answer["runs"] = ordered_json::array();
  for (const SeedResult& result : results) {
    ordered_json row = {{"seed", result.cell.settings.seed},
                        {"folder", result.cell.folder},
                        {"status", "finished"},
                        {"was_finished", result.end == RunEnd::kWasFinished}};
    add_measures(row, result.summary);
    answer["runs"].push_back(row);
  }
  answer["aggregate"] = json_of_means(summaries_of(results));
  return answer;
}

// "3 runs finished, 2 of them before"; the number of seeds is at least 1.
std::string how_they_ended(const std::vector<SeedResult>& results) {
  const auto before = std::ranges::count(results, RunEnd::kWasFinished, &SeedResult::end);
  const auto all = std::ssize(results);
  const auto runs = [](std::ptrdiff_t n, const char* one, const char* many) {
    return fmt::format("{} {}", n, n == 1 ? one : many);
  };
  if (before == all) return runs(all, "run was finished", "runs were finished") + " before";
  const std::string text = runs(all, "run finished", "runs finished");
  return before == 0 ? text : text + fmt::format(", {} of them before", before);
}

// The mean of each measure over the seeds, and of how many if not of all.
Rows means_of(const std::vector<SeedResult>& results) {
  Rows rows = {{fmt::format("over {} seeds", results.size()),
                fmt::format("mean {} standard error", plus_minus()), ""}};
  const std::vector<RunSummary> summaries = summaries_of(results);
  for (const NamedMeasure& measure : kMeasures) {
    const MeanAndError total = over_seeds(summaries, measure);
    const bool all = total.count == results.size();
    rows.push_back({measure.head,
                    total.count == 0 ? "-" : with_error(total.mean, total.standard_error),
                    all ? "" : fmt::format("of the {} seeds that have one", total.count)});
  }
  return rows;
}

void print_for_people(const std::vector<SeedResult>& results) {
  const RunSettings& settings = results.front().cell.settings;
  fmt::print("{}  {}\n", bold(settings.agent + " in " + settings.env),
             dim("belief " + settings.belief));
  Rows rows = {{"seed"}};
  for (const NamedMeasure& measure : kMeasures) rows[0].emplace_back(measure.head);
  for (const SeedResult& result : results) {
    rows.push_back({std::to_string(result.cell.settings.seed)});
    for (const NamedMeasure& measure : kMeasures) {
      const std::optional<double> value = measure.of(result.summary);
      rows.back().push_back(value ? number(*value) : "-");
    }
  }
  print_table(rows);
  if (results.size() > 1) print_table(means_of(results), 3);
  const std::string& folder = results.front().cell.folder;
  fmt::print("{}\n", dim(fmt::format("{}; records in {}", how_they_ended(results),
                                     folder.substr(0, folder.rfind('/')))));
}

int run(const RunOptions& options) {
  const std::vector<SweepCell> cells = cells_of(options);
  catch_signals();
  const std::vector<RunEnd> ends = make_runs(options, cells);
  if (interrupted()) return end_interrupted();
  std::vector<SeedResult> results;
  for (std::size_t i = 0; i < cells.size(); ++i)
    results.push_back({cells[i], ends[i], summarise(read_run(cells[i].folder))});
  if (options.output.json)
    fmt::print("{}\n", as_json(results).dump(2));
  else if (!options.output.quiet)
    print_for_people(results);
  return kGood;
}

}  // namespace

void add_run(CLI::App& app, Action& action) {
  auto options = std::make_shared<RunOptions>();
  RunSettings& run_settings = options->run;
  CLI::App* command = app.add_subcommand("run", "Run an agent in an environment, and resume it");
  add_text(*command, "--env", run_settings.env, "ENV",
           "Environment, a name with settings: see vapor list envs")
      ->required();
  add_text(*command, "--agent", run_settings.agent, "AGENT",
           "Agent, a name with settings: see vapor list agents")
      ->required();
  add_text(*command, "--belief", run_settings.belief, "BELIEF",
           "Belief, a name with settings: see vapor list beliefs")
      ->default_str("the one that fits the environment");
  add_whole(*command, "--episodes", run_settings.episodes, {1, 1'000'000'000},
            "Episodes of each run")
      ->capture_default_str();
  add_whole(*command, "--seeds", options->seeds, {1, 100'000}, "Number of runs, one a seed")
      ->capture_default_str();
  add_whole(*command, "--seed", options->seed, kSeeds, "The first seed")->capture_default_str();
  add_text(*command, "--out", options->out, "DIR", "Folder of the runs, DIR/seed-S each")
      ->default_str("out/runs/ENV/AGENT");
  add_whole(*command, "--threads", options->threads, {0, 1024},
            "Runs made at the same time; 0: all cores")
      ->capture_default_str();
  options->stop_option =
      add_name(*command, "--stop", options->stop, "RULE",
               "never, solved (the goal in a tenth of the episodes so far) or covered (every "
               "cell and action tried)")
          ->capture_default_str();
  command->add_flag("--stop-when-solved", options->stop_when_solved, "The same as --stop solved");
  add_whole(*command, "--snapshot-every", run_settings.snapshot_every, {0, 1'000'000'000},
            "Episodes between snapshots for the viewer; 0: none")
      ->capture_default_str();
  add_whole(*command, "--checkpoint-every", options->checkpoint_every, {0, 1'000'000'000},
            "Episodes between checkpoints; 0: every two seconds")
      ->capture_default_str();
  add_output_flags(*command, options->output);
  command->footer(
      "The table has, for each seed: the episodes played; the first that reached the goal (first\n"
      "success); the first at which a tenth had (solved; never, if the last policy is worth less\n"
      "than half of the optimum); the regret of all; the mean return; the\n"
      "expected return of the last policy (last value); the wall time. - is: never happened.\n"
      "The same command again goes on with an unfinished run and leaves a finished one alone.\n"
      "Exit code: 0 finished, 2 bad input, 3 internal error, 130 interrupted (Ctrl-C).\n"
      "Examples:\n"
      "  vapor run --env deep_sea:depth=20 --agent vapor --episodes 500 --stop-when-solved\n"
      "  vapor run --env deep_sea:depth=20 --agent thompson --seeds 10 --out runs/thompson --json\n"
      "  vapor run --env grid_world --agent vapor --episodes 200 --snapshot-every 20");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace vapor::command
