// Variance-based information-directed sampling (Russo and Van Roy, 2018), state by state. Of
// `samples` MDPs drawn from the belief (dynamics E P, rewards N(E r, sigma_hat^2), as rlsvi draws
// them), with Q* and A* the optimal values and action of one,
//
//   Delta_a = E (max_b Q*_b - Q*_a)                    what a costs
//   v_a = Var over A* of E (Q*_a given A*)             what a tells about A*
//
// and the state's distribution minimises (pi . Delta)^2 / (pi . v); two actions always suffice.
// The action of the mean values where nothing is to be learned. A difference from the bandits of
// that paper: the regret and the information of later steps are those of Q*, not of the policy
// that is played.
#pragma once

#include <span>

#include "vapor/agent/belief_agent.h"

namespace vapor {

// The minimiser above for these costs >= 0 and variances >= 0.
void ids_distribution(std::span<const double> Delta, std::span<const double> v,
                      std::span<double> pi);

PolicyRule ids_rule(int samples = 20);

}  // namespace vapor
