// The environments that deep agents are trained in, of two kinds: those whose states are known by
// index, which table networks learn episode by episode, and those that are observed as arrays.
#pragma once

#include <string>
#include <vector>

#include "names.h"
#include "vapor/deep/frame_settings.h"

namespace vapor::command {

// Whether the environment of a spec is observed as arrays. Throws InputError that names --env if
// there is none of that name.
bool is_observed_as_arrays(const std::string& env);

// What a training in such an environment is made of. Throws InputError if the spec is bad or what
// it needs was not built or is not installed.
deep::TrainingParts parts_of(const std::string& env);

// All of them, those of `vapor list envs` first.
std::vector<Kind> worlds();

}  // namespace vapor::command
