// `vapor run`: an agent in an environment, a folder a seed; the same command again goes on where
// the last one was stopped.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "commands.h"
#include "interruption.h"
#include "sweep_progress.h"
#include "terminal.h"
#include "vapor/core/error.h"
#include "vapor/core/spec.h"
#include "vapor/experiment/sweep.h"
#include "vapor/record/run_summary.h"

namespace vapor::command {
namespace {

using nlohmann::ordered_json;

struct Options {
  RunSettings run;
  std::string stop = "never";
  bool stop_when_solved = false;
  std::int64_t seed = 1;  // signed: the parser takes -1 for the largest unsigned number
  int seeds = 1;
  std::string out;
  int threads = 0;
  std::int64_t checkpoint_every = 0;
  Output output;
};

StopRule stop_rule(const Options& options) {
  if (options.stop_when_solved) {
    if (options.stop != "never" && options.stop != "solved")
      throw InputError("--stop-when-solved", "contradicts --stop " + options.stop);
    return StopRule::kSolved;
  }
  for (const StopRule rule : {StopRule::kNever, StopRule::kSolved, StopRule::kCovered})
    if (options.stop == name_of(rule)) return rule;
  static const std::array<std::string, 3> names = {"never", "solved", "covered"};
  throw unknown_name("--stop", options.stop, names);
}

std::string default_folder(const RunSettings& run) {
  std::string agent = folder_name(run.agent);
  if (!run.belief.empty()) agent += "+" + folder_name(run.belief);
  return fmt::format("out/runs/{}/{}", folder_name(run.env), agent);
}

std::vector<SweepCell> cells_of(const Options& options) {
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

std::vector<RunEnd> make_runs(const Options& options, const std::vector<SweepCell>& cells) {
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

const char* name_of_end(RunEnd end) {
  switch (end) {
    case RunEnd::kFinished:
      return "finished";
    case RunEnd::kWasFinished:
      return "was finished";
    case RunEnd::kInterrupted:
      return "interrupted";
  }
  return "";
}

// A number of a summary over the seeds, where they have one.
using Measure = std::optional<double> (*)(const RunSummary&);

struct NamedMeasure {
  const char* name;
  Measure of;
  bool whole = false;  // a number of episodes
};

std::optional<double> as_number(const std::optional<std::int64_t>& episode) {
  return episode ? std::optional(static_cast<double>(*episode)) : std::nullopt;
}

constexpr std::array<NamedMeasure, 7> kMeasures = {{
    {"episodes", [](const RunSummary& s) { return as_number(s.episodes); }, true},
    {"first_success", [](const RunSummary& s) { return as_number(s.first_success); }, true},
    {"solved", [](const RunSummary& s) { return as_number(s.solved); }, true},
    {"total_regret", [](const RunSummary& s) { return std::optional(s.total_regret); }},
    {"mean_return", [](const RunSummary& s) { return std::optional(s.mean_return); }},
    {"last_value", [](const RunSummary& s) { return std::optional(s.last_value); }},
    {"ms_per_episode", [](const RunSummary& s) { return std::optional(s.ms_per_episode); }},
}};

MeanAndError over_seeds(const std::vector<SeedResult>& results, Measure of) {
  std::vector<double> values;
  for (const SeedResult& result : results)
    if (const std::optional<double> value = of(result.summary)) values.push_back(*value);
  return mean_and_error(values);
}

ordered_json json_of(const NamedMeasure& measure, const RunSummary& summary) {
  const std::optional<double> value = measure.of(summary);
  if (!value) return nullptr;
  return measure.whole ? ordered_json(static_cast<std::int64_t>(*value)) : ordered_json(*value);
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
    for (const NamedMeasure& measure : kMeasures)
      row[measure.name] = json_of(measure, result.summary);
    answer["runs"].push_back(row);
  }
  for (const NamedMeasure& measure : kMeasures) {
    const MeanAndError total = over_seeds(results, measure.of);
    answer["aggregate"][measure.name] = {
        {"mean", total.count > 0 ? ordered_json(total.mean) : ordered_json(nullptr)},
        {"standard_error",
         total.count > 0 ? ordered_json(total.standard_error) : ordered_json(nullptr)},
        {"count", total.count}};
  }
  return answer;
}

std::string cell_text(const std::optional<double>& value) {
  return value ? fmt::format("{:.5g}", *value) : "-";
}

void print_for_people(const std::vector<SeedResult>& results) {
  const RunSettings& settings = results.front().cell.settings;
  fmt::print("{}  {}\n", bold(settings.agent + " in " + settings.env), dim(settings.belief));
  std::vector<std::vector<std::string>> rows = {{"seed"}};
  for (const NamedMeasure& measure : kMeasures) {
    std::string head = measure.name;
    std::replace(head.begin(), head.end(), '_', ' ');
    rows[0].push_back(head);
  }
  rows[0].push_back("status");
  for (const SeedResult& result : results) {
    rows.push_back({std::to_string(result.cell.settings.seed)});
    for (const NamedMeasure& measure : kMeasures)
      rows.back().push_back(cell_text(measure.of(result.summary)));
    rows.back().emplace_back(name_of_end(result.end));
  }
  if (results.size() > 1) {
    rows.push_back({"mean"});
    rows.push_back({"+-"});
    for (const NamedMeasure& measure : kMeasures) {
      const MeanAndError total = over_seeds(results, measure.of);
      const bool any = total.count > 0;
      rows[rows.size() - 2].push_back(any ? fmt::format("{:.5g}", total.mean) : "-");
      rows.back().push_back(any ? fmt::format("{:.2g}", total.standard_error) : "-");
    }
  }
  print_table(rows);
  const std::string& folder = results.front().cell.folder;
  fmt::print("{}\n", dim("records in " + folder.substr(0, folder.rfind('/'))));
}

int run(const Options& options) {
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
  auto options = std::make_shared<Options>();
  RunSettings& run_settings = options->run;
  CLI::App* command = app.add_subcommand("run", "Run an agent in an environment, and resume it");
  command->add_option("--env", run_settings.env, "Environment (vapor list envs)")
      ->required()
      ->type_name("SPEC");
  command->add_option("--agent", run_settings.agent, "Agent (vapor list agents)")
      ->required()
      ->type_name("SPEC");
  command
      ->add_option("--belief", run_settings.belief,
                   "Belief (vapor list beliefs); default: the one that fits the environment")
      ->type_name("SPEC");
  command->add_option("--episodes", run_settings.episodes, "Episodes of each run")
      ->capture_default_str();
  command->add_option("--seeds", options->seeds, "Number of runs, one a seed")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  command->add_option("--seed", options->seed, "The first seed")
      ->check(kSeedRange)
      ->capture_default_str();
  command
      ->add_option("--out", options->out,
                   "Folder of the runs, DIR/seed-S each (default: out/runs/ENV/AGENT)")
      ->type_name("DIR");
  command->add_option("--threads", options->threads, "Runs made at the same time (0: all cores)")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  command
      ->add_option("--stop", options->stop,
                   "never, solved (the goal in a tenth of the episodes so far) or covered (every "
                   "cell and action tried)")
      ->capture_default_str();
  command->add_flag("--stop-when-solved", options->stop_when_solved, "The same as --stop solved");
  command
      ->add_option("--snapshot-every", run_settings.snapshot_every,
                   "Episodes between snapshots for the viewer (0: none)")
      ->capture_default_str();
  command
      ->add_option("--checkpoint-every", options->checkpoint_every,
                   "Episodes between checkpoints (0: every two seconds)")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  command->add_flag("--json", options->output.json, "Print one JSON object");
  command->add_flag("--quiet", options->output.quiet, "Print nothing but errors (and the JSON)");
  command->footer(
      "The same command again goes on with an unfinished run and leaves a finished one alone.\n"
      "Exit code: 0 finished, 2 bad input, 3 internal error, 130 interrupted (Ctrl-C).\n"
      "Examples:\n"
      "  vapor run --env deep_sea:depth=20 --agent vapor --episodes 500 --stop-when-solved\n"
      "  vapor run --env deep_sea:depth=20 --agent thompson --seeds 10 --out runs/thompson --json\n"
      "  vapor run --env grid_world --agent vapor --episodes 200 --snapshot-every 20");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace vapor::command
