// The vector environments of this library by name. (Those that need a program of their own, such as
// Atari's, are in vapor/atari.)
#pragma once

#include <memory>
#include <string>

#include "vapor/core/spec.h"
#include "vapor/env/vector_environment.h"

namespace vapor {

// "catch".
bool is_vector_environment(const std::string& name);

// The environments that a spec names, e.g. catch:rows=10,columns=5. Throws InputError that names
// the spec's place.
std::unique_ptr<VectorEnvironment> make_vector_environment(const Spec& named, Index places);

}  // namespace vapor
