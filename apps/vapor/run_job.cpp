#include "run_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "action.h"
#include "interruption.h"
#include "json_answer.h"
#include "options.h"
#include "run_measures.h"
#include "sweep_progress.h"
#include "vapor/core/error.h"
#include "vapor/core/spec.h"
#include "vapor/run/sweep.h"

namespace vapor::command {
namespace {

using nlohmann::ordered_json;

std::string default_folder(const RunRequest& request) {
  const bool table = request.kind == RunKind::kTable;
  std::string agent = folder_name(request.agent);
  if (request.belief) agent += "+" + folder_name(*request.belief);
  return fmt::format("out/{}/{}/{}", table ? "runs" : "train", folder_name(request.env), agent);
}

std::vector<SweepCell> cells_of(const RunWords& words) {
  RunRequest request = words.request;
  if (words.stop_when_solved) {
    if (request.stop.value_or("solved") != "solved")
      throw InputError(setting("stop_when_solved"), "contradicts --stop " + *request.stop);
    request.stop = "solved";
  }
  expect_seeds(setting("seed"), words.seed, words.seeds);
  request.seed = static_cast<std::uint64_t>(words.seed);
  RunSettings settings = complete(settings_of(request));
  const std::string out = words.out.empty() ? default_folder(request) : words.out;
  std::vector<SweepCell> cells;
  for (int k = 0; k < words.seeds; ++k) {
    settings.seed = static_cast<std::uint64_t>(words.seed + k);
    cells.push_back({settings, fmt::format("{}/seed-{}", out, settings.seed),
                     request.checkpoint_every.value_or(0)});
  }
  return cells;
}

// Of networks: what was learned last, beside the bar of all runs.
std::string details_of(const RunProgress& p) {
  return fmt::format(
      "{:.3g}k frames/s  return {:.3g}{}  sigma {:.2g}  entropy {:.2g}  losses {:.2g} {:.2g} "
      "{:.2g}{}",
      1e-3 * p.frames_per_second, p.mean_return,
      p.successes > 0 ? fmt::format("  goals {}", p.successes) : "", p.mean_sigma, p.mean_entropy,
      p.losses.policy, p.losses.value, p.losses.reward,
      p.environments_lost > 0 ? fmt::format("  {} environments lost", p.environments_lost) : "");
}

std::vector<RunEnd> make_cells(const RunWords& words, const std::vector<SweepCell>& cells) {
  SweepProgressLine line(!words.output.quiet);
  std::mutex mutex;
  std::string details;  // guarded by mutex
  SweepOptions how;
  how.threads = std::min(threads_or_all(words.threads), static_cast<int>(cells.size()));
  how.interrupt = &interrupted();
  if (words.request.kind == RunKind::kNetwork)
    how.watch = [&](std::size_t, const RunProgress& progress) {
      const std::lock_guard lock(mutex);
      details = details_of(progress);
    };
  how.progress = [&](const SweepProgress& progress) {
    const std::lock_guard lock(mutex);
    line.show(progress, details);
  };
  how.say = [&](const std::string& message) {
    const std::lock_guard lock(mutex);
    line.clear();
    say(message);
  };
  return sweep(cells, how);
}

// What the command says about a seed; all of it comes from the record.
struct SeedResult {
  SweepCell cell;
  RunEnd end = RunEnd::kFinished;
  RunSummary summary;
};

using Results = std::vector<SeedResult>;

RunSummary summary_of(const std::string& folder) {
  const RunRecord record = read_run(folder);
  if (!record.timing_problem.empty()) say(record.timing_problem + "; its times are left out");
  return summarise(record);
}

std::vector<RunSummary> summaries_of(const Results& results) {
  std::vector<RunSummary> summaries;
  for (const SeedResult& result : results) summaries.push_back(result.summary);
  return summaries;
}

// Of networks the first seed's numbers stand at the top too, so that a single run needs no search.
ordered_json as_json(const Results& results) {
  const RunSettings& settings = results.front().cell.settings;
  const std::vector<NamedMeasure>& measures = measures_of(settings);
  ordered_json answer = header_of(settings).definition;
  if (settings.kind == RunKind::kTable)
    answer.erase("seed");
  else
    add_measures(answer, measures, results.front().summary);
  answer["runs"] = ordered_json::array();
  for (const SeedResult& result : results) {
    ordered_json row = {{"seed", result.cell.settings.seed},
                        {"folder", result.cell.folder},
                        {"status", "finished"},
                        {"was_finished", result.end == RunEnd::kWasFinished}};
    add_measures(row, measures, result.summary);
    answer["runs"].push_back(row);
  }
  answer["aggregate"] = json_of_means(measures, summaries_of(results));
  return answer;
}

// "3 runs finished, 2 of them before"; the number of seeds is at least 1.
std::string how_they_ended(const Results& results) {
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
Rows means_of(const Results& results) {
  Rows rows = {{fmt::format("over {} seeds", results.size()),
                fmt::format("mean {} standard error", plus_minus()), ""}};
  const std::vector<RunSummary> summaries = summaries_of(results);
  for (const NamedMeasure& measure : measures_of(results.front().cell.settings)) {
    if (*measure.head == '\0') continue;
    const MeanAndError total = over_seeds(summaries, measure);
    const bool all = total.count == results.size();
    const bool time = measure.form == MeasureForm::kDuration;
    rows.push_back({measure.head,
                    total.count == 0 ? "-"
                    : time           ? duration(total.mean)
                                     : with_error(total.mean, total.standard_error),
                    all ? ""
                        : fmt::format("of the {} {} one", total.count,
                                      total.count == 1 ? "seed that has" : "seeds that have")});
  }
  return rows;
}

void print_for_people(const Results& results) {
  const RunSettings& settings = results.front().cell.settings;
  fmt::print("{}{}\n", bold(settings.agent + " in " + settings.env),
             settings.belief.empty() ? "" : "  " + dim("belief " + settings.belief));
  const std::vector<NamedMeasure>& measures = measures_of(settings);
  Rows rows = {{"seed"}};
  for (const NamedMeasure& measure : measures)
    if (*measure.head != '\0') rows[0].emplace_back(measure.head);
  for (const SeedResult& result : results) {
    rows.push_back({std::to_string(result.cell.settings.seed)});
    for (const NamedMeasure& measure : measures)
      if (*measure.head != '\0') rows.back().push_back(measure.text(measure.of(result.summary)));
  }
  print_table(rows);
  if (results.size() > 1) print_table(means_of(results), 3);
  const std::string& folder = results.front().cell.folder;
  fmt::print("{}\n", dim(fmt::format("{}; records in {}", how_they_ended(results),
                                     folder.substr(0, folder.rfind('/')))));
}

}  // namespace

void add_run_words(CLI::App& command, RunWords& words, const std::string& stop_help) {
  add_whole(command, "--episodes", words.request.episodes, {1, 1'000'000'000},
            "Episodes of each run")
      ->default_str(std::to_string(RunSettings().episodes));
  add_whole(command, "--seeds", words.seeds, {1, 100'000}, "Number of runs, one a seed")
      ->capture_default_str();
  add_whole(command, "--seed", words.seed, kSeeds, "The first seed")->capture_default_str();
  add_path(command, "--out", words.out, "DIR", "Folder of the runs, DIR/seed-S each")
      ->default_str(words.request.kind == RunKind::kTable ? "out/runs/ENV/AGENT"
                                                          : "out/train/ENV/AGENT");
  add_whole(command, "--threads", words.threads, {0, 1024},
            "Runs made at the same time; 0: all cores")
      ->capture_default_str();
  add_name(command, "--stop", words.request.stop, "RULE", stop_help)->default_str("never");
  command.add_flag("--stop-when-solved", words.stop_when_solved, "The same as --stop solved");
  add_whole(command, "--checkpoint-every", words.request.checkpoint_every, {0, 1'000'000'000},
            "Episodes between checkpoints; 0: every two seconds")
      ->default_str("0");
}

int make_runs(const RunWords& words) {
  const std::vector<SweepCell> cells = cells_of(words);
  catch_signals();
  const std::vector<RunEnd> ends = make_cells(words, cells);
  if (interrupted()) return end_interrupted();
  Results results;
  for (std::size_t i = 0; i < cells.size(); ++i)
    results.push_back({cells[i], ends[i], summary_of(cells[i].folder)});
  if (words.output.json)
    print_json(as_json(results));
  else if (!words.output.quiet)
    print_for_people(results);
  return kGood;
}

}  // namespace vapor::command
