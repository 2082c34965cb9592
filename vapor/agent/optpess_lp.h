// OptPess-LP (Liu, Zhou, Kalathil, Kumar and Tian, "Learning policies with zero or bounded
// constraint violation for constrained MDPs", NeurIPS 2021, algorithm 1): each episode solves the
// constrained MDP of the empirical frequencies with
//
//   r + alpha beta,   alpha = S L + 4 L S L / (budget - baseline),
//   c + S L beta,     beta  = scale sqrt(iota / max(n, 1)),  iota = log(S 2 S A L K / delta),
//
// under the budget. The baseline is played while its own pessimistic cost is at least the middle of
// budget and baseline, or if no policy keeps to the budget. As in the public code of DOPE, rewards
// and costs need no confidence set of their own, and the terms for that are left out.
#pragma once

#include "vapor/agent/budget_agent.h"

namespace vapor {

struct OptPessLpSettings {
  std::int64_t episodes = 100'000;  // K
  double delta = 0.01;
  double scale = 1.0;  // multiplies beta
};

BudgetAgent::Rule optpess_lp_rule(const OptPessLpSettings& settings);

}  // namespace vapor
