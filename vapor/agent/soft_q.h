// Soft Q-learning: inference over exponentiated rewards (approximation 1; Levine, 2018). Soft
// backward induction on the posterior mean model at a fixed temperature,
//
//   V(s) = tau log sum_a exp(Q(s,a) / tau),   pi(s,a) = exp((Q(s,a) - V(s)) / tau).
//
// It ignores uncertainty: the paper's example of what goes wrong.
#pragma once

#include "vapor/agent/belief_agent.h"

namespace vapor {

PolicyRule soft_q_rule(double temperature);

}  // namespace vapor
