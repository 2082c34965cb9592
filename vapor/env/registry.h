// The environments by name, as the command line and the records write them.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "vapor/core/spec.h"
#include "vapor/env/environment.h"

namespace vapor {

using EnvironmentKind = SpecKind;

std::span<const EnvironmentKind> environment_kinds();

// The environment that a spec names, e.g. deep_sea:depth=30; what is random about it is drawn from
// `seed`. Throws InputError that names the spec's place.
Environment make_environment(const Spec& named, std::uint64_t seed);

}  // namespace vapor
