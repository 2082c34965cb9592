// The cells of a sweep file; the engines are Python's own (python/vapor/sweeps).
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <utility>

#include "core_module.h"
#include "vapor/run/sweep_grid.h"

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

bool stops_when_solved(const GridCell& cell) {
  return cell.run() == nullptr && cell.train()->stop_when_solved;
}

bool is_finished(const std::string& folder, const Definition& definition) {
  const std::optional<RunFile> run = expect_room_for(folder, definition);
  return run && run->finished;
}

bool run_is_finished(const RunSettings& settings, const std::string& folder) {
  return is_finished(folder, header_of(settings).definition);
}

// As `vapor train` defines it from the words of a cell. If neither episodes nor frames are given,
// the environment decides which there are; the record of another environment is refused anyway.
Definition definition_of(const TrainCellSettings& train, bool by_frames) {
  Definition definition = {{"env", train.env}, {"agent", train.agent}, {"seed", train.seed}};
  if (by_frames)
    definition.update({{"frames", train.frames.value_or(1'000'000)},
                       {"places", 8},
                       {"actors", 0},
                       {"clip_rewards", true},
                       {"checkpoint_frames", 50'000}});
  else
    definition.update({{"episodes", train.episodes.value_or(1000)},
                       {"stop", train.stop_when_solved ? "solved" : "never"}});
  return definition;
}

bool training_is_finished(std::string env, std::string agent, std::optional<std::int64_t> episodes,
                          std::optional<std::int64_t> frames, std::uint64_t seed,
                          bool stop_when_solved, const std::string& folder) {
  const TrainCellSettings train = {std::move(env), std::move(agent), episodes, frames,
                                   seed,           stop_when_solved};
  const std::optional<RunFile> run = read_run_file(folder);
  const bool by_frames = frames || (!episodes && run && run->definition.contains("frames"));
  return is_finished(folder, definition_of(train, by_frames));
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
      .def_prop_ro("frames", &frames_of)
      .def_prop_ro("stop_when_solved", &stops_when_solved);
  module.def("read_sweep", &read_sweep, arg("path"));
  module.def("run_is_finished", &run_is_finished, arg("settings"), arg("folder"));
  module.def("training_is_finished", &training_is_finished, arg("env"), arg("agent"),
             arg("episodes").none(), arg("frames").none(), arg("seed"), arg("stop_when_solved"),
             arg("folder"));
}

}  // namespace vapor::python
