// RLSVI (Osband et al., 2019), as section 5 reads it: Thompson sampling under the transformed
// belief. Rewards are drawn from N(E r, sigma_hat^2), independent over pairs; the dynamics are E P;
// the policy is optimal for the draw.
#pragma once

#include "vapor/agent/belief_agent.h"

namespace vapor {

PolicyRule rlsvi_rule();

}  // namespace vapor
