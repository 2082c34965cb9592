// The variance-based reward bonus (Sorg, Singh and Lewis, 2010): the mean MDP, with
//
//   Q(s,a) = E r + reward_scale sigma_r(s,a) + transition_scale sqrt(sum over s' of Var P(s'))
//            + mean V(s'),
//
// sigma_r the posterior deviation of the mean reward. Dirichlet transitions of this mass, rewards
// normal-gamma as in eubrl. The constants of its theorem grow with 1 / (1 - gamma), the number of
// states and 1 / delta: any scale can be given.
#pragma once

#include "vapor/agent/count_agent.h"

namespace vapor {

struct VbrbSettings {
  double reward_scale = 1.0;
  double transition_scale = 1.0;
  double mass = 0.1;   // of the Dirichlet prior, shared by the states of the next layer
  double beta = 1e-4;  // of the normal-gamma prior: kappa and beta at once
};

CountAgent::Rule vbrb_rule(const VbrbSettings& settings = {});

}  // namespace vapor
