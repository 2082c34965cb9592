// The two readings of "probability of being optimal" of section 3, played as policies:
//
//   marginal      pi(s,a) = P(pi*(s) = a): each state on its own, inconsistent along a trajectory
//   conditional   pi(s,a) = P(pi*(s) = a | Gamma*(s)), proportional to P(Gamma*(s,a)): equation (1)
//
// Exact where the belief is finite, else from sampled MDPs; where no sample arrives, the
// conditional policy is uniform.
#pragma once

#include "vapor/agent/belief_agent.h"

namespace vapor {

PolicyRule marginal_optimality_rule(int samples);
PolicyRule conditional_optimality_rule(int samples);

}  // namespace vapor
