// Safe PSRL (Kalagarla, Jain and Nuzzo, "Safe posterior sampling for constrained MDPs with bounded
// constraint violation", 2023): each episode draws transitions P from their Dirichlet posterior
// and plays the optimal policy pi of P under rewards r - (y / eta_k) c; the multiplier then goes on
// by what that policy costs in the drawn MDP,
//
//   y <- max(0, y + V_c(pi; P) + epsilon_k - budget),
//
// a primal-dual step with a pessimism that vanishes: eta_k = rate L sqrt(k) and epsilon_k =
// pessimism budget / sqrt(k). This is the form of the algorithm; the constants of the paper's
// theorem are not reproduced, `rate` and `pessimism` stand in their place.
//
// `program` solves the constrained MDP that was drawn instead of taking a step, under the budget
// less epsilon_k: posterior sampling as the linear programs of this field have it. Where the drawn
// MDP has no policy within that, the cheapest is played.
#pragma once

#include "vapor/agent/budget_agent.h"

namespace vapor {

struct SafePsrlSettings {
  bool program = false;
  double mass = 1.0;  // of the Dirichlet prior of a pair
  double rate = 1.0;
  double pessimism = 1.0;
};

BudgetAgent::Rule safe_psrl_rule(const SafePsrlSettings& settings);

}  // namespace vapor
