// K-learning (O'Donoghue, 2021; section 6): soft values of the optimistic reward
// E r + sigma_hat^2 / (2 tau) under the one temperature tau that minimises the value of the start;
// the policy is proportional to exp(K / tau).
#pragma once

#include "vapor/agent/belief_agent.h"

namespace vapor {

PolicyRule k_learning_rule();

}  // namespace vapor
