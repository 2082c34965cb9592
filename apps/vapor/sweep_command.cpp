// `vapor sweep`: the grid of a file, made by processes of this machine or by a Ray cluster; the
// same command again goes on where the last one was stopped.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "commands.h"
#include "interruption.h"
#include "json_answer.h"
#include "options.h"
#include "sweep_answer.h"
#include "sweep_progress.h"
#include "vapor/core/error.h"
#include "vapor/run/sweep_grid.h"

namespace vapor::command {
namespace {

struct SweepWords {
  std::string file;
  std::string engine = "local";
  std::string address;
  std::string out;
  int processes = 0;
  CLI::Option* processes_option = nullptr;
  bool dry_run = false;
  bool summary = false;
  Output output;
};

void refuse_contradictions(const SweepWords& options) {
  if (options.engine == "local" && !options.address.empty())
    throw InputError("--address", "goes with --engine ray");
  if (options.engine == "ray" && options.processes_option->count() > 0)
    throw InputError("--processes", "goes with --engine local; a Ray cluster knows its own cores");
  if (options.dry_run && options.summary) throw InputError("--dry-run", "contradicts --summary");
}

SweepResult plan_of(const SweepWords& options) {
  SweepResult result;
  result.file = options.file;
  result.out = options.out.empty()
                   ? "out/sweeps/" + std::filesystem::path(options.file).stem().string()
                   : options.out;
  result.cells = read_sweep(options.file);
  for (const SweepCell& cell : result.cells)
    result.outcomes.push_back({.status = status_on_disk(cell, result.out), .error = ""});
  return result;
}

int show_plan(const SweepWords& options, const SweepResult& result) {
  if (options.output.json)
    print_json(plan_as_json(result));
  else if (!options.output.quiet)
    print_plan(result);
  return kGood;
}

int show_answer(const SweepWords& options, const SweepResult& result) {
  if (options.output.json)
    print_json(answer_as_json(result));
  else if (!options.output.quiet)
    print_answer(result);
  const std::size_t missing =
      result.count(CellStatus::kFailed) + result.count(CellStatus::kUnfinished);
  return missing == 0 ? kGood : kGoalNotMet;
}

int run(const SweepWords& options) {
  refuse_contradictions(options);
  SweepResult result = plan_of(options);
  if (options.dry_run) return show_plan(options, result);
  if (options.summary) {
    // There is no before and after: what stands is finished.
    for (CellOutcome& outcome : result.outcomes)
      if (outcome.status == CellStatus::kWasFinished) outcome.status = CellStatus::kFinished;
    return show_answer(options, result);
  }
  catch_signals();
  if (options.engine == "ray") {
    const int code = make_by_ray(result, options.address, options.output.quiet);
    if (code != kGood && !interrupted()) return code;
  } else {
    SweepProgressLine line(!options.output.quiet);
    ProcessSweepOptions how;
    how.processes = threads_or_all(options.processes);
    how.progress = [&](const SweepProgress& progress) { line.show(progress); };
    how.say = [&](const std::string& message) {
      line.clear();
      say(message);
    };
    how.keep_going = [] { return !interrupted(); };
    result.outcomes = sweep_in_processes(result.cells, result.out, how);
  }
  if (interrupted()) return end_interrupted();
  return show_answer(options, result);
}

}  // namespace

void add_sweep(CLI::App& app, Action& action) {
  auto options = std::make_shared<SweepWords>();
  CLI::App* command =
      app.add_subcommand("sweep", "Make the grid of a file: agents, environments, settings, seeds");
  command->add_option("file", options->file, "File of the sweep, TOML (docs/sweep.md)")
      ->type_name("FILE")
      ->required();
  add_name(*command, "--engine", options->engine, "ENGINE",
           "local (processes of this machine) or ray (a cluster, by the Python package)")
      ->capture_default_str();
  add_text(*command, "--address", options->address, "HOST:PORT",
           "With --engine ray: the cluster's address")
      ->default_str("a cluster of this machine alone, for the time of the sweep");
  add_path(*command, "--out", options->out, "DIR", "Folder of the records")
      ->default_str("out/sweeps/NAME, of NAME.toml");
  options->processes_option =
      add_whole(*command, "--processes", options->processes, {0, 1024},
                "Of the local engine: cells made at the same time; 0: all cores")
          ->capture_default_str();
  command->add_flag("--dry-run", options->dry_run, "Make nothing: check the file, show the cells");
  command->add_flag("--summary", options->summary, "Make nothing: show what stands in DIR");
  add_output_flags(*command, options->output);
  command->footer(
      fmt::format(
          "A cell is a run (or a training) in a process of its own. One that crashes is started {} "
          "times\nin all, each time from its last checkpoint, and the others go on. The same "
          "command again\ngoes on with what is unfinished and leaves the rest alone.\n",
          kAttempts) +
      "Exit code: 0 all cells finished, 1 some did not, 2 bad input, 3 internal error, 130 "
      "interrupted\n(Ctrl-C), 143 terminated.\n"
      "Examples:\n"
      "  vapor sweep examples/sweep.toml --dry-run\n"
      "  vapor sweep examples/sweep.toml --out out/sweep --processes 4\n"
      "  vapor sweep examples/sweep.toml --engine ray --address 10.0.0.1:6379 --json\n"
      "  vapor report out/sweep");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace vapor::command
