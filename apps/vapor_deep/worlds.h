// The environments that deep agents are trained in, of two kinds: those whose states are known by
// index, which table networks learn episode by episode, and those that are observed as arrays.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "names.h"
#include "vapor/deep/frame_settings.h"

namespace vapor::command {

// Whether the environment of a spec is observed as arrays. Throws InputError that names --env if
// there is none of that name.
bool is_observed_as_arrays(const std::string& env);

// The settings of agents on arrays before a spec changes them: the paper's, on images that the
// small torso is for; what is smaller has the torso that fits it and learns in larger steps.
std::function<deep::Config(const std::string& place, const std::string& agent)> defaults_of(
    deep::Torso torso);

// What a training in such an environment is made of. Throws InputError if the spec is bad or what
// it needs was not built or is not installed.
deep::TrainingParts parts_of(const std::string& env);

// All of them, those of `vapor list envs` first.
std::vector<Kind> worlds();

}  // namespace vapor::command
