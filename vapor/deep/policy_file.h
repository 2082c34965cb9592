// The file `policy` of a run: as much of its agent as playing needs.
#pragma once

#include <string>

#include "vapor/deep/agent.h"

namespace vapor::deep {

// Into the folder of a run that the caller has locked.
void write_policy(const std::string& folder, Agent& agent);

// Into an agent that was made from the definition of the run. Throws InputError that names the file
// if it is missing, damaged or of another agent.
void read_policy(const std::string& folder, Agent& agent);

}  // namespace vapor::deep
