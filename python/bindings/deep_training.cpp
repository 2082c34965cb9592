// Trainings, by episodes and by frames.
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "arrays.h"
#include "deep_environment.h"
#include "deep_module.h"
#include "deep_watch.h"
#include "vapor/core/spec.h"
#include "vapor/deep/frame_training.h"
#include "vapor/deep/training.h"
#include "vapor/run/worlds.h"

namespace vapor::python {
namespace {

using deep::FrameTrainingSettings;
using deep::TrainingEnd;
using deep::TrainingSettings;

std::string name_of(TrainingEnd end) {
  switch (end) {
    case TrainingEnd::kFinished:
      return "finished";
    case TrainingEnd::kWasFinished:
      return "was_finished";
    case TrainingEnd::kInterrupted:
      return "interrupted";
  }
  return "";
}

std::string train_by_episodes(const TrainingSettings& settings, const std::string& folder,
                              std::int64_t checkpoint_every, const nb::object& go_on,
                              const nb::object& progress) {
  if (checkpoint_every < 0) throw InputError("checkpoint_every", "must be >= 0");
  Watch watch(go_on, progress);
  deep::TrainingOptions options;
  options.checkpoint.episodes = checkpoint_every;
  options.keep_going = [&](std::int64_t episodes, const deep::TrainingRow* row) {
    const deep::TrainingRow r = row == nullptr ? deep::TrainingRow{} : *row;
    return watch(episodes, r.episode.episode_return, r.episode.success, r.frames, r.learner_frames,
                 r.episode.sigma, r.episode.entropy, r.losses.policy, r.losses.value,
                 r.losses.reward);
  };
  TrainingEnd end;
  {
    const nb::gil_scoped_release released;
    validate(settings);
    end = deep::train(settings, folder, options);
  }
  watch.raise();
  return name_of(end);
}

std::string train_by_frames(const FrameTrainingSettings& settings, const deep::TrainingParts& parts,
                            const std::string& folder, const nb::object& go_on,
                            const nb::object& progress) {
  Watch watch(go_on, progress);
  deep::FrameTrainingOptions options;
  options.keep_going = [&](const deep::FrameProgress& p) {
    return watch(p.frames, p.frames_wanted, p.episodes, p.learner_frames, p.frames_per_second,
                 p.mean_return, p.mean_length, p.sigma, p.entropy, p.losses.policy, p.losses.value,
                 p.losses.reward, p.environments_lost, p.frames_lost);
  };
  TrainingEnd end;
  {
    const nb::gil_scoped_release released;
    end = deep::train(settings, parts, folder, options);
  }
  watch.raise();
  return name_of(end);
}

std::string train_world(const FrameTrainingSettings& settings, const std::string& folder,
                        const nb::object& go_on, const nb::object& progress) {
  return train_by_frames(settings, deep::parts_of(settings.env), folder, go_on, progress);
}

// `make_adapter(places)` gives a VectorAdapter whose observations have this shape.
std::string train_environments(const FrameTrainingSettings& settings, const std::string& folder,
                               const nb::object& make_adapter, const ShapeFields& shape,
                               const std::string& command, const nb::object& go_on,
                               const nb::object& progress) {
  deep::TrainingParts parts =
      deep::parts_for(deep::fitting_torso(shape_of(shape)), [&make_adapter](Index places) {
        const nb::gil_scoped_acquire held;
        return std::make_unique<PythonVectorEnvironment>(make_adapter(places));
      });
  parts.command = command;
  const deep::Config config = validate(settings, parts);  // all that can be wrong, before a record
  deep::torso_layout(config.network.torso, config.network.hidden, config.network.layers,
                     shape_of(shape));
  return train_by_frames(settings, parts, folder, go_on, progress);
}

using AgentFields = std::tuple<std::string, std::string, std::map<std::string, std::string>>;

std::vector<AgentFields> agent_kinds() {
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
  nb::class_<TrainingSettings>(module, "TrainingSettings")
      .def(
          "__init__",
          [](TrainingSettings* self, std::string env, std::string agent, std::int64_t episodes,
             std::uint64_t seed, bool stop_when_solved) {
            new (self) TrainingSettings{std::move(env), std::move(agent), episodes, seed,
                                        stop_when_solved};
          },
          arg("env"), arg("agent"), arg("episodes"), arg("seed"), arg("stop_when_solved"));
  nb::class_<FrameTrainingSettings>(module, "FrameTrainingSettings")
      .def(
          "__init__",
          [](FrameTrainingSettings* self, std::string env, std::string agent, std::int64_t frames,
             std::uint64_t seed, Index places, Index actors, bool clip_rewards,
             std::int64_t checkpoint_frames) {
            new (self) FrameTrainingSettings{std::move(env), std::move(agent), frames,
                                             seed,           places,           actors,
                                             clip_rewards,   checkpoint_frames};
          },
          arg("env"), arg("agent"), arg("frames"), arg("seed"), arg("places"), arg("actors"),
          arg("clip_rewards"), arg("checkpoint_frames"));
}

}  // namespace

void bind_training(nb::module_& module) {
  using nb::arg;
  bind_settings(module);
  module.def("train_by_episodes", &train_by_episodes, arg("settings"), arg("folder"),
             arg("checkpoint_every"), arg("go_on"), arg("progress").none());
  module.def("train_world", &train_world, arg("settings"), arg("folder"), arg("go_on"),
             arg("progress").none());
  module.def("train_environments", &train_environments, arg("settings"), arg("folder"),
             arg("make_adapter"), arg("shape"), arg("command"), arg("go_on"),
             arg("progress").none());
  module.def("agent_kinds", &agent_kinds);
  module.def("is_observed_as_arrays", &deep::is_observed_as_arrays, arg("env"));
  module.def("worlds", [] {
    std::vector<std::string> names;
    for (const EnvironmentKind& kind : deep::world_kinds()) names.push_back(kind.name);
    return names;
  });
}

}  // namespace vapor::python
