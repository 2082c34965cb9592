// Optimism by the uncertainty Bellman equation (O'Donoghue et al., 2018; exact form Luis et al.,
// 2023). With q the mean values of the policy that is played, and u the variances of its values,
//
//   u(s,a) = Var r + Var_P (sum over s' of P(s') v(s')) + sum over s' of w(s') u(s'),
//
// the policy is greedy for q + gain sqrt(u), v(s) and u(s) are those of its action.
//
//   exact   w(s') = E P(s')^2, the variance if the values of different next states are independent
//   upper   w(s') = E P(s'), the bound of O'Donoghue et al.
//
// Dirichlet transitions of this mass, rewards normal-gamma as in eubrl.
#pragma once

#include "vapor/agent/count_agent.h"

namespace vapor {

enum class UbeEquation { kExact, kUpper };

struct UbeSettings {
  UbeEquation equation = UbeEquation::kExact;
  double gain = 1.0;   // multiplies the deviation; theirs is 1
  double mass = 0.1;   // of the Dirichlet prior, shared by the states of the next layer
  double beta = 1e-4;  // of the normal-gamma prior: kappa and beta at once
};

CountAgent::Rule ube_rule(const UbeSettings& settings = {});

}  // namespace vapor
