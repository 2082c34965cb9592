// Thompson sampling, or PSRL (Strens, 2000; Osband et al., 2013): draws an MDP from the belief and
// plays its optimal policy for the whole episode. Its expected occupancy measure is P(Gamma*)
// (lemma "TS lambda", section 6).
#pragma once

#include "vapor/agent/belief_agent.h"

namespace vapor {

PolicyRule thompson_rule();

}  // namespace vapor
