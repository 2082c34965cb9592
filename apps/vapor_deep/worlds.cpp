#include "worlds.h"

#include <algorithm>

#include "vapor/atari/games.h"
#include "vapor/core/error.h"
#include "vapor/core/spec.h"
#include "vapor/env/registry.h"
#include "vapor/env/vector_registry.h"
#ifdef VAPOR_HAS_TORCH
#include "vapor/deep/torch/image_agents.h"
#endif

namespace vapor::command {
namespace {

std::unique_ptr<deep::Agent> make_agent(const std::string& name, const deep::Config& config,
                                        const deep::ObservationStore& store, Index actions,
                                        const RandomStream& random) {
#ifdef VAPOR_HAS_TORCH
  return deep::make_image_agent(name, config, store, actions, random);
#else
  static_cast<void>(name), static_cast<void>(config), static_cast<void>(store);
  static_cast<void>(actions), static_cast<void>(random);
  throw InputError("--env",
                   "is observed as arrays, and VAPOR was built without libtorch, which "
                   "their networks need; install libtorch-dev and build again");
#endif
}

std::unique_ptr<VectorEnvironment> make_arrays(const std::string& env, Index places) {
  Spec spec("--env", env);
  if (atari::is_game(spec.name())) return atari::make_game(spec, places);
  return make_vector_environment(spec, places);
}

std::vector<std::string> names_of(const std::vector<Kind>& kinds) {
  std::vector<std::string> names;
  for (const Kind& kind : kinds) names.push_back(kind.name);
  return names;
}

}  // namespace

std::vector<Kind> worlds() {
  std::vector<Kind> kinds;
  for (const EnvironmentKind& kind : environment_kinds())
    kinds.push_back({kind.name, kind.settings, kind.summary});
  kinds.push_back({"catch", "rows=10, columns=5", "bsuite's Catch, observed as an image"});
  kinds.push_back({"minatar", "game=breakout, sticky=0.1, actions=minimal",
                   "small versions of five Atari games: docs/atari.md"});
  kinds.push_back({"atari",
                   "game=pong, sticky=0.25, noop=30, skip=4, stack=4, size=84, life=false, "
                   "actions=minimal, max_frames=108000, threads=1",
                   "Atari 2600 games of the Arcade Learning Environment: docs/atari.md"});
  return kinds;
}

bool is_observed_as_arrays(const std::string& env) {
  const std::string name = Spec("--env", env).name();
  if (atari::is_game(name) || is_vector_environment(name)) return true;
  const std::vector<std::string> names = names_of(worlds());
  if (std::ranges::find(names, name) == names.end()) throw unknown_name("--env", name, names);
  return false;
}

std::function<deep::Config(const std::string&, const std::string&)> defaults_of(deep::Torso torso) {
  return [torso](const std::string& place, const std::string& agent) {
    deep::Config config = deep::paper_config(place, agent);
    if (torso == deep::Torso::kSmall) return config;
    config.torso = torso;
    if (torso == deep::Torso::kMlp) {
      config.hidden = 64;
      config.layers = 2;
    }
    for (deep::AdamSettings* adam : {&config.actor, &config.critic, &config.reward})
      adam->learning_rate = 1e-3;
    return config;
  };
}

deep::TrainingParts parts_of(const std::string& env) {
  deep::TrainingParts parts;
  parts.make_environment = [env](Index places) { return make_arrays(env, places); };
  parts.make_agent = make_agent;
  parts.defaults =
      defaults_of(Spec("--env", env).name() == "atari" ? deep::Torso::kSmall : deep::Torso::kTiny);
  return parts;
}

}  // namespace vapor::command
