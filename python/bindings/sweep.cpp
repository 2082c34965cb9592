// The cells of a sweep file, and the engine of this machine.
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <utility>
#include <vector>

#include "core_module.h"
#include "interruption.h"
#include "vapor/run/process_sweep.h"
#include "vapor/run/sweep_grid.h"

namespace vapor::python {
namespace {

namespace nb = nanobind;

using Outcome = std::pair<std::string, std::string>;  // status and error

Outcome outcome_of(const CellOutcome& outcome) {
  return {outcome.status == CellStatus::kWasFinished ? "was_finished" : name_of(outcome.status),
          outcome.error};
}

std::vector<Outcome> sweep_here(const std::vector<SweepCell>& cells, const std::string& out,
                                const std::string& program, int processes,
                                const nb::object& progress, const nb::object& say) {
  Interruption interruption;
  ProcessSweepOptions options;
  options.program = program;
  options.processes = processes;
  SweepProgress latest;
  options.progress = [&](const SweepProgress& p) { latest = p; };
  options.say = [&](const std::string& message) {
    const nb::gil_scoped_acquire held;
    say(message);
  };
  options.keep_going = [&] {
    return interruption.go_on() && interruption.ask(progress, latest.runs_ended, latest.runs,
                                                    latest.episodes_done, latest.episodes);
  };
  std::vector<CellOutcome> outcomes;
  {
    const nb::gil_scoped_release released;
    outcomes = sweep_in_processes(cells, out, options);
  }
  if (!interruption.has_raised())
    interruption.ask(progress, latest.runs_ended, latest.runs, latest.episodes_done,
                     latest.episodes);
  interruption.raise();
  std::vector<Outcome> all;
  for (const CellOutcome& outcome : outcomes) all.push_back(outcome_of(outcome));
  return all;
}

}  // namespace

void bind_sweep(nb::module_& module) {
  using nb::arg;
  nb::class_<SweepCell>(module, "SweepCell")
      .def_ro("folder", &SweepCell::folder)
      .def_ro("settings", &SweepCell::settings)
      .def_ro("checkpoint_every", &SweepCell::checkpoint_every)
      .def_ro("varied", &SweepCell::varied);
  module.def("read_sweep", &read_sweep, arg("path"));
  module.def("write_manifest", &write_manifest, arg("cells"), arg("out"));
  module.def(
      "is_finished",
      [](const RunSettings& settings, const std::string& folder) {
        const auto run = expect_room_for(folder, header_of(settings).definition);
        return run && run->finished;
      },
      arg("settings"), arg("folder"));
  module.def("sweep", &sweep_here, arg("cells"), arg("out"), arg("program"), arg("processes"),
             arg("progress").none(), arg("say"));
}

}  // namespace vapor::python
