// Runs of every kind: their settings, making them, their records.
#include <nanobind/stl/function.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "arrays.h"
#include "core_module.h"
#include "deep_environment.h"
#include "interruption.h"
#include "python_player.h"
#include "vapor/agent/registry.h"
#include "vapor/core/spec.h"
#include "vapor/record/json_text.h"
#include "vapor/record/run_record.h"
#include "vapor/run/frame_training.h"
#include "vapor/run/loop.h"
#include "vapor/run/sweep.h"
#include "vapor/run/worlds.h"
#include "watch.h"

namespace vapor::python {
namespace {

template <typename T>
using Maybe = std::optional<T>;

RunKind kind_of(const std::string& kind) {
  return kind == "run" ? RunKind::kTable : RunKind::kNetwork;
}

// Of an environment of the library, or, if `arrays` says so, of one that is not known by name and
// is observed as arrays.
RunSettings run_settings(const std::string& kind, std::string env, std::string agent,
                         std::uint64_t seed, Maybe<std::string> belief,
                         Maybe<std::int64_t> episodes, Maybe<std::string> stop,
                         Maybe<std::int64_t> snapshot_every, Maybe<std::int64_t> checkpoint_every,
                         Maybe<std::int64_t> frames, Maybe<Index> places, Maybe<Index> actors,
                         Maybe<bool> clip_rewards, Maybe<std::int64_t> checkpoint_frames,
                         bool arrays) {
  const RunRequest request = {.kind = kind_of(kind),
                              .env = std::move(env),
                              .agent = std::move(agent),
                              .belief = std::move(belief),
                              .seed = seed,
                              .episodes = episodes,
                              .stop = std::move(stop),
                              .snapshot_every = snapshot_every,
                              .checkpoint_every = checkpoint_every,
                              .frames = frames,
                              .places = places,
                              .actors = actors,
                              .clip_rewards = clip_rewards,
                              .checkpoint_frames = checkpoint_frames};
  return arrays ? settings_of(request, true) : complete(settings_of(request));
}

// In the order of the fields of vapor.records.RunProgress.
LoopOptions options_of(std::int64_t checkpoint_every, Watch& watch) {
  LoopOptions options;
  options.checkpoint.episodes = checkpoint_every;
  options.keep_going = [&watch](const RunProgress& p) {
    return watch(p.episodes, p.frames, p.learner_frames, p.last.episode_return, p.last.success,
                 p.mean_return, p.mean_length, p.mean_sigma, p.mean_entropy, p.losses.policy,
                 p.losses.value, p.losses.reward, p.frames_per_second, p.learner_frames_per_second,
                 p.environments_lost, p.frames_lost);
  };
  return options;
}

std::string make(const RunPlan& plan, const std::string& folder, std::int64_t checkpoint_every,
                 const nb::object& go_on, const nb::object& progress) {
  Watch watch(go_on, progress);
  RunEnd end;
  {
    const nb::gil_scoped_release released;
    end = make_run(plan, folder, options_of(checkpoint_every, watch));
  }
  watch.raise();
  return name_of(end);
}

std::string make_one(const RunSettings& settings, const std::string& folder,
                     std::int64_t checkpoint_every, const nb::object& go_on,
                     const nb::object& progress) {
  return make(plan_of(settings), folder, checkpoint_every, go_on, progress);
}

// `make_adapter(places)` gives a VectorAdapter whose observations have this shape.
std::string make_in_environments(const RunSettings& settings, const std::string& folder,
                                 const nb::object& make_adapter, const ShapeFields& shape,
                                 const std::string& command, const nb::object& go_on,
                                 const nb::object& progress) {
  TrainingParts parts =
      parts_for(nn::fitting_torso(observation_shape(shape)), [&make_adapter](Index places) {
        const nb::gil_scoped_acquire held;
        return std::make_unique<PythonVectorEnvironment>(make_adapter(places));
      });
  parts.command = command;
  const RunPlan plan = plan_of(settings, parts);
  const deep::Config config = check_frame_training(settings, parts);
  nn::torso_layout(config.network.torso, config.network.hidden, config.network.layers,
                   observation_shape(shape));
  return make(plan, folder, 0, go_on, progress);
}

// The tolerance that a record of such an agent should name, if any, and the agent as it is to be
// made: in a folder that an older program began it goes on with the tolerance of that time.
std::pair<std::optional<double>, std::string> tolerance_of(const std::string& agent,
                                                           std::optional<std::string> folder) {
  RunSettings settings;
  settings.agent = agent;
  settings.tolerance = default_tolerance(Spec(setting("agent"), agent));
  const std::optional<RunFile> there = folder ? read_run_file(*folder) : std::nullopt;
  if (!there || there->definition.contains("tolerance")) return {settings.tolerance, agent};
  return {std::exchange(settings.tolerance, std::nullopt), agent_spec(settings)};
}

// A player of Python (python_player.h) in an environment of Python.
std::string make_by_player(const std::string& definition, const std::string& command,
                           std::vector<std::string> columns, const std::string& folder,
                           const nb::object& make_player, std::int64_t checkpoint_every,
                           const nb::object& go_on, const nb::object& progress) {
  RunPlan plan;
  plan.header = {Definition::parse(definition), command, std::move(columns)};
  plan.make_player = [&make_player](const Definition&) -> std::unique_ptr<Player> {
    const nb::gil_scoped_acquire held;
    return std::make_unique<PythonPlayer>(make_player());
  };
  return make(plan, folder, checkpoint_every, go_on, progress);
}

// The interpreter's main thread looks for Ctrl-C while others make the runs.
std::vector<std::string> make_many(const std::vector<std::pair<RunSettings, std::string>>& runs,
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
  for (const RunEnd end : ends) names.emplace_back(name_of(end));
  return names;
}

using Columns = nb::typed<nb::dict, std::string, ArrayOut<double>>;

Columns columns_of(const NumberTable& table) {
  Columns columns;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    columns[table.columns[i].c_str()] = array_of(table.values[i]);
  return columns;
}

using AgentFields = std::tuple<std::string, std::string, std::map<std::string, std::string>>;

std::vector<AgentFields> deep_agent_kinds() {
  std::vector<AgentFields> kinds;
  for (const deep::AgentKind& kind : deep::agent_kinds()) {
    Spec spec("agent", kind.name);
    read_config(spec, deep::paper_config("agent", kind.name));
    kinds.emplace_back(kind.name, kind.summary, spec.defaults());
  }
  return kinds;
}

void bind_settings(nb::module_& module) {
  using nb::arg;
  nb::class_<RunSettings>(module, "RunSettings")
      .def_ro("env", &RunSettings::env)
      .def_ro("agent", &RunSettings::agent)
      .def_ro("belief", &RunSettings::belief)
      .def_ro("seed", &RunSettings::seed)
      .def_prop_ro("by_frames", [](const RunSettings& s) { return s.by_frames.has_value(); })
      .def_prop_ro("places", [](const RunSettings& s) { return s.by_frames->places; })
      .def_prop_ro("definition",
                   [](const RunSettings& s) { return header_of(s).definition.dump(); })
      .def_prop_ro("words", [](const RunSettings& s) { return words_of(s); });
  module.def("run_settings", &run_settings, arg("kind"), arg("env"), arg("agent"), arg("seed"),
             arg("belief").none() = nb::none(), arg("episodes").none() = nb::none(),
             arg("stop").none() = nb::none(), arg("snapshot_every").none() = nb::none(),
             arg("checkpoint_every").none() = nb::none(), arg("frames").none() = nb::none(),
             arg("places").none() = nb::none(), arg("actors").none() = nb::none(),
             arg("clip_rewards").none() = nb::none(), arg("checkpoint_frames").none() = nb::none(),
             arg("arrays") = false);
  module.def(
      "settings_of",
      [](const std::string& definition) {
        return settings_of("definition", Definition::parse(definition));
      },
      arg("definition"));
}

}  // namespace

void bind_run(nb::module_& module) {
  using nb::arg;
  bind_settings(module);
  module.def("make_run", &make_one, arg("settings"), arg("folder"), arg("checkpoint_every"),
             arg("go_on"), arg("progress").none());
  module.def("make_in_environments", &make_in_environments, arg("settings"), arg("folder"),
             arg("make_adapter"), arg("shape"), arg("command"), arg("go_on"),
             arg("progress").none());
  module.def("make_by_player", &make_by_player, arg("definition"), arg("command"), arg("columns"),
             arg("folder"), arg("make_player"), arg("checkpoint_every"), arg("go_on"),
             arg("progress").none());
  module.def("tolerance_of", &tolerance_of, arg("agent"), arg("folder").none());
  module.def("make_runs", &make_many, arg("runs"), arg("threads"), arg("progress").none());
  module.def("deep_agent_kinds", &deep_agent_kinds);
  module.def("is_observed_as_arrays", &is_observed_as_arrays, arg("env"));
  module.def("worlds", [] {
    std::vector<std::string> names;
    for (const EnvironmentKind& kind : world_kinds()) names.push_back(kind.name);
    return names;
  });
  module.def(
      "read_run",
      [](const std::string& folder) {
        const RunRecord record = read_run(folder);
        const std::string& problem = record.timing_problem;
        if (!problem.empty() && PyErr_WarnEx(PyExc_UserWarning, problem.c_str(), 1) != 0)
          throw nb::python_error();
        return std::tuple(record.run.definition.dump(), record.run.command, record.run.version,
                          record.run.finished, columns_of(record.episodes),
                          columns_of(record.timing));
      },
      arg("folder"));
  module.def(
      "as_running",
      [](const nb::bytes& run) {
        nlohmann::ordered_json file = parse_json("run.json", {run.c_str(), run.size()});
        for (const char* key : {"files", "checksum"}) file.erase(key);
        file["status"] = "running";
        const std::string text = sealed(file, 2);
        return nb::bytes(text.data(), text.size());
      },
      arg("run"));
}

}  // namespace vapor::python
