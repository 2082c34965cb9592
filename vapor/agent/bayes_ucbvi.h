// Bayes-UCBVI (Tiapkin et al., 2022, "From Dirichlet to Rubin"): optimism without a bonus,
//
//   Q(s,a) = the quantile at `level` of sum_i W_i target_i,   W ~ Dirichlet(n0, counts)
//
// over the outcomes of agent/dirichlet_bootstrap.h, from `samples` draws. Their theorem has
// level = 1 - c delta / (S A H n (n + 1)), r0 = 2 and n0 of order log T.
#pragma once

#include "vapor/agent/count_agent.h"

namespace vapor {

struct BayesUcbviSettings {
  double level = 0.9;  // of the quantile
  double n0 = 0.01;    // weight of the outcome that was not met
  double r0 = 1.0;     // what it pays in every step to go
  int samples = 20;    // behind the quantile
};

CountAgent::Rule bayes_ucbvi_rule(const BayesUcbviSettings& settings = {});

}  // namespace vapor
