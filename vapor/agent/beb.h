// The Bayesian exploration bonus (Kolter and Ng, 2009): the mean MDP of Dirichlet transitions, with
//
//   Q(s,a) = mean reward + beta / (1 + alpha_0 + n) + mean V(s'),
//
// alpha_0 + n being the mass of the posterior. Their theorem has beta = 2 H^2, H the horizon, and
// their experiments smaller ones; `theorem` takes it. Known rewards in the paper, means here.
#pragma once

#include "vapor/agent/count_agent.h"

namespace vapor {

struct BebSettings {
  double beta = 0.1;     // multiplies the bonus
  bool theorem = false;  // beta = 2 H^2
  double mass = 1.0;     // alpha_0, shared by the states of the next layer
};

CountAgent::Rule beb_rule(const BebSettings& settings = {});

}  // namespace vapor
