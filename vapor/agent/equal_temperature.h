// VAPOR with one temperature for all pairs (appendix "Connection between K-learning and VAPOR"):
// K-learning with the entropy of the occupancy measure in place of the policy's. A search for tau
// whose every step is a certified solve.
#pragma once

#include "vapor/agent/belief_agent.h"
#include "vapor/solver/settings.h"

namespace vapor {

PolicyRule equal_temperature_rule(const Settings& settings);

}  // namespace vapor
