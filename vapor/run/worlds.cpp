#include "vapor/run/worlds.h"

#include <algorithm>

#include "vapor/atari/games.h"
#include "vapor/core/error.h"
#include "vapor/core/spec.h"
#include "vapor/deep/agents.h"
#include "vapor/env/vector_registry.h"
#include "vapor/nn/torch_part.h"

namespace vapor {
namespace {

using deep::Config;
using nn::AdamSettings;
using nn::Torso;

std::unique_ptr<VectorEnvironment> make_arrays(const std::string& env, Index places) {
  Spec spec(setting("env"), env);
  if (atari::is_game(spec.name())) return atari::make_game(spec, places);
  return make_vector_environment(spec, places);
}

Config defaults_on(Torso torso, const Place& place, const std::string& agent) {
  Config config = deep::paper_config(place, agent);
  if (torso == Torso::kSmall) return config;
  config.network.torso = torso;
  if (torso == Torso::kMlp) {
    config.network.hidden = 64;
    config.network.layers = 2;
  }
  for (AdamSettings* adam : {&config.network.actor, &config.network.critic, &config.network.reward})
    adam->learning_rate = 1e-3;
  return config;
}

}  // namespace

bool has_networks_on_arrays() { return nn::has_torch_part(); }

std::vector<EnvironmentKind> world_kinds() {
  const std::span<const EnvironmentKind> tables = environment_kinds();
  std::vector<EnvironmentKind> kinds(tables.begin(), tables.end());
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
  const std::string name = Spec(setting("env"), env).name();
  if (atari::is_game(name) || is_vector_environment(name)) return true;
  std::vector<std::string> names;
  for (const EnvironmentKind& kind : world_kinds()) names.push_back(kind.name);
  if (std::ranges::find(names, name) == names.end())
    throw unknown_name(setting("env"), name, names);
  return false;
}

TrainingParts parts_for(Torso torso,
                        std::function<std::unique_ptr<VectorEnvironment>(Index)> make_environment) {
  TrainingParts parts;
  parts.make_environment = std::move(make_environment);
  parts.make_agent = deep::make_array_agent;
  parts.expect_networks = [] { nn::torch_part(); };
  parts.defaults = [torso](const Place& place, const std::string& agent) {
    return defaults_on(torso, place, agent);
  };
  return parts;
}

TrainingParts parts_of(const std::string& env) {
  return parts_for(Spec(setting("env"), env).name() == "atari" ? Torso::kSmall : Torso::kTiny,
                   [env](Index places) { return make_arrays(env, places); });
}

}  // namespace vapor
