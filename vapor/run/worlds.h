// The environments that deep agents are trained in, by name, with the networks that fit them. They
// are of two kinds: those whose states are known by index, which table networks learn episode by
// episode, and those that are observed as arrays.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "vapor/deep/make_agent.h"
#include "vapor/env/registry.h"
#include "vapor/env/vector_environment.h"
#include "vapor/nn/torso.h"

namespace vapor {

// What a training in environments that are observed as arrays is made of, beside its settings.
struct TrainingParts {
  // The environments of one actor. Called before any thread is started.
  std::function<std::unique_ptr<VectorEnvironment>(Index places)> make_environment;

  // Called once for the learner and once for each actor, always with the same stream: what is drawn
  // at random and not learned, such as prior functions, is then the same in all of them.
  deep::MakeAgent make_agent;

  // Throws InputError if what make_agent needs is not here. Called before a record is begun.
  std::function<void()> expect_networks = [] {};

  // The settings of an agent before its spec changes them.
  std::function<deep::Config(const Place& place, const std::string& agent)> defaults =
      deep::paper_config;

  // What makes the run again, for its record; empty: vapor train.
  std::string command;
};

// Whether there are networks on arrays here: they are a part that needs libtorch (torch_part.h).
bool has_networks_on_arrays();

// All of them, those of environment_kinds() first.
std::vector<EnvironmentKind> world_kinds();

// Whether the environment of a spec is observed as arrays. Throws InputError that names the setting
// env if there is none of that name.
bool is_observed_as_arrays(const std::string& env);

// What a training in such an environment is made of. Throws InputError if the spec is bad.
TrainingParts parts_of(const std::string& env);

// The same for environments that somebody else makes, observed as arrays that `torso` is for. The
// settings of an agent before its spec changes them are the paper's on images of the small torso;
// what is smaller is learned in larger steps.
TrainingParts parts_for(nn::Torso torso,
                        std::function<std::unique_ptr<VectorEnvironment>(Index)> make_environment);

}  // namespace vapor
