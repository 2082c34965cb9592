// Runs and their records.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <mutex>
#include <string>

#include "arrays.h"
#include "core_module.h"
#include "interruption.h"
#include "vapor/core/spec.h"
#include "vapor/run/loop.h"
#include "vapor/run/sweep.h"
#include "vapor/record/run_record.h"
#include "vapor/record/run_summary.h"

namespace vapor::python {
namespace {

StopRule stop_rule_of(const std::string& name) {
  static const std::vector<std::string> names = {"never", "solved", "covered"};
  for (const StopRule rule : {StopRule::kNever, StopRule::kSolved, StopRule::kCovered})
    if (name == name_of(rule)) return rule;
  throw unknown_name("stop", name, names);
}

RunSettings run_settings(std::string env, std::string agent, std::string belief,
                         std::int64_t episodes, std::uint64_t seed, const std::string& stop,
                         std::int64_t snapshot_every) {
  return complete({std::move(env), std::move(agent), std::move(belief), episodes, seed,
                   stop_rule_of(stop), snapshot_every});
}

const char* name_of_end(RunEnd end) {
  switch (end) {
    case RunEnd::kFinished:
      return "finished";
    case RunEnd::kWasFinished:
      return "was_finished";
    case RunEnd::kInterrupted:
      return "interrupted";
  }
  return "";
}

std::string run_one(const RunSettings& settings, const std::string& folder,
                    const nb::object& keep_going, std::int64_t checkpoint_episodes) {
  Interruption interruption;
  LoopOptions options;
  options.checkpoint.episodes = checkpoint_episodes;
  options.keep_going = [&](std::int64_t episodes) {
    return interruption.go_on() && interruption.ask(keep_going, episodes);
  };
  RunEnd end;
  {
    const nb::gil_scoped_release released;
    end = run_episodes(settings, folder, options);
  }
  interruption.raise();
  return name_of_end(end);
}

// The interpreter's main thread looks for Ctrl-C while others make the runs.
std::vector<std::string> run_many(const std::vector<std::pair<RunSettings, std::string>>& runs,
                                  int threads, const nb::object& progress) {
  std::vector<SweepCell> cells;
  for (const auto& [settings, folder] : runs) cells.push_back({settings, folder});
  std::atomic<bool> stop = false;
  SweepOptions options;
  options.threads = threads;
  options.interrupt = &stop;
  std::mutex mutex;
  SweepProgress latest;
  options.progress = [&](const SweepProgress& p) {
    const std::lock_guard lock(mutex);
    latest = p;
  };
  Interruption interruption;
  const auto go_on = [&] {
    SweepProgress p;
    {
      const std::lock_guard lock(mutex);
      p = latest;
    }
    return interruption.go_on() &&
           interruption.ask(progress, p.runs_ended, p.runs, p.episodes_done, p.episodes);
  };
  std::vector<RunEnd> ends;
  {
    const nb::gil_scoped_release released;
    ends = watched<std::vector<RunEnd>>([&] { return sweep(cells, options); }, stop, go_on);
  }
  interruption.raise();
  std::vector<std::string> names;
  for (const RunEnd end : ends) names.emplace_back(name_of_end(end));
  return names;
}

using Columns = nb::typed<nb::dict, std::string, ArrayOut<double>>;

Columns columns_of(const NumberTable& table) {
  Columns columns;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    columns[table.columns[i].c_str()] = array_of(table.values[i]);
  return columns;
}

}  // namespace

void bind_experiment(nb::module_& module) {
  using nb::arg;
  nb::class_<RunSettings>(module, "RunSettings")
      .def_ro("env", &RunSettings::env)
      .def_ro("agent", &RunSettings::agent)
      .def_ro("belief", &RunSettings::belief)
      .def_ro("episodes", &RunSettings::episodes)
      .def_ro("seed", &RunSettings::seed)
      .def_ro("snapshot_every", &RunSettings::snapshot_every)
      .def_prop_ro("stop", [](const RunSettings& s) { return name_of(s.stop); });
  module.def("run_settings", &run_settings, arg("env"), arg("agent"), arg("belief"),
             arg("episodes"), arg("seed"), arg("stop"), arg("snapshot_every"));
  module.def("run_episodes", &run_one, arg("settings"), arg("folder"), arg("keep_going").none(),
             arg("checkpoint_episodes"));
  module.def("run_many", &run_many, arg("runs"), arg("threads"), arg("progress").none());
  module.def(
      "read_run",
      [](const std::string& folder) {
        const RunRecord record = read_run(folder);
        return std::tuple(record.run.definition.dump(), record.run.command, record.run.version,
                          record.run.finished, columns_of(record.episodes),
                          columns_of(record.timing));
      },
      arg("folder"));
}

}  // namespace vapor::python
