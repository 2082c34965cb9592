// EUBRL, epistemic uncertainty directed Bayesian RL (Ma and Lee, 2026): reward and bonus weighted
// by the probability of being uncertain. Transitions Dirichlet with `alpha` for every next state,
// rewards of (s, a, s') normal-gamma. With E_T(s,a) = sum over s' of Var P(s') and E_r(s,a) the
// mean over s' of the variance of the mean reward,
//
//   E = scale (sqrt(E_T) + sqrt(E_r)),   pU = E / (the largest E that was ever seen),
//   Q(s,a) = (1 - pU) mean reward + pU E + mean V(s').
//
// Settings are those of the public code for the stochastic DeepSea; it has beta = 1e-4 for the
// deterministic one.
#pragma once

#include "vapor/agent/count_agent.h"

namespace vapor {

struct EubrlSettings {
  double alpha = 1e-6;  // of the Dirichlet prior, of every next state
  double beta = 0.05;   // of the normal-gamma prior: kappa and beta at once
  double scale = 1.0;   // multiplies the uncertainty
};

CountAgent::Rule eubrl_rule(const EubrlSettings& settings = {});

}  // namespace vapor
