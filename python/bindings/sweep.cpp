// The cells of a sweep file; the engines are Python's own (python/vapor/sweeps).
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>

#include "core_module.h"
#include "vapor/experiment/sweep_grid.h"

namespace vapor::python {
namespace {

namespace nb = nanobind;

std::optional<RunSettings> run_of(const GridCell& cell) {
  return cell.run() == nullptr ? std::nullopt : std::optional(*cell.run());
}

// The most episodes of a cell; none if nobody knows before.
std::optional<std::int64_t> episodes_of(const GridCell& cell) {
  return cell.run() == nullptr ? cell.train()->episodes : std::optional(cell.run()->episodes);
}

std::optional<std::int64_t> frames_of(const GridCell& cell) {
  return cell.run() == nullptr ? cell.train()->frames : std::nullopt;
}

std::string status_of_run(const RunSettings& settings, const std::string& folder) {
  const std::optional<RunFile> run = expect_room_for(folder, header_of(settings).definition);
  return run && run->finished ? "finished" : "unfinished";
}

}  // namespace

void bind_sweep(nb::module_& module) {
  using nb::arg;
  nb::class_<GridCell>(module, "SweepCell")
      .def_ro("folder", &GridCell::folder)
      .def_ro("checkpoint_every", &GridCell::checkpoint_every)
      .def_prop_ro("env", &GridCell::env)
      .def_prop_ro("agent", &GridCell::agent)
      .def_prop_ro("seed", &GridCell::seed)
      .def_prop_ro("words", &GridCell::words)
      .def_prop_ro("run_settings", &run_of)
      .def_prop_ro("episodes", &episodes_of)
      .def_prop_ro("frames", &frames_of);
  module.def("read_sweep", &read_sweep, arg("path"));
  module.def("status_of_run", &status_of_run, arg("settings"), arg("folder"));
}

}  // namespace vapor::python
