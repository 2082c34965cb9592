// Whether what is about to be made fits into this machine, before it is made.
#pragma once

#include <string>

#include "vapor/core/error.h"

namespace vapor::deep {

// Throws InputError that names `place` if so many bytes are more than the machine has; `remedy`
// says what to change.
void expect_memory(const Place& place, const std::string& what, double bytes,
                   const std::string& remedy);

}  // namespace vapor::deep
