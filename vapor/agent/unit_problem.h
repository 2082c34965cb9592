// The problem that a belief poses, in the belief's own unit of rewards: what methods with
// tolerances solve, so that rewards in other units give the same policies.
#pragma once

#include "vapor/belief/belief.h"

namespace vapor {

inline Problem unit_problem(Belief& belief) { return in_units(belief.problem(), belief.unit()); }

}  // namespace vapor
