// OPSRL, optimistic posterior sampling (Tiapkin et al., 2022, "few samples and tight guarantees"):
//
//   Q(s,a) = the largest of J draws of sum_i W_i target_i,   W ~ Dirichlet(n0, counts)
//
// over the outcomes of agent/dirichlet_bootstrap.h. Their theorem has J of order log(S A H T), all
// weights divided by a kappa of that order, and r0 = 2; their code J = 8, n0 = r0 = 1, no kappa.
#pragma once

#include "vapor/agent/count_agent.h"

namespace vapor {

struct OpsrlSettings {
  int samples = 8;    // J
  double n0 = 0.001;  // weight of the outcome that was not met
  double r0 = 1.0;    // what it pays in every step to go
};

CountAgent::Rule opsrl_rule(const OpsrlSettings& settings = {});

}  // namespace vapor
