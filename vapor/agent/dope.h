// DOPE (Bura, HasanzadeZonuzy, Kalathil, Shakkottai and Chamberland, "DOPE: Doubly optimistic and
// pessimistic exploration for safe reinforcement learning", NeurIPS 2022): each episode solves the
// extended linear program over the confidence set of transitions
//
//   |P(s') - frequency(s')| <= beta(s') = scale min(1, 2 sqrt(p (1 - p) iota / n) + 14 iota / 3n),
//   iota = log(2 S A L K / delta),
//
// with the rewards r + optimism L^2 / (budget - baseline) B and the pessimistic costs c + L B, B
// being the sum of beta over s'. While no policy keeps to the budget at those costs, the baseline
// is played. The public code of the paper has optimism = 0; 1 is the text's. It also begins with
// S^2 A L^3 / (budget - baseline)^2 episodes of the baseline whatever the program says; here only
// the program decides, as in the text. And it knows which next states a pair can have; here all of
// the next layer are possible.
#pragma once

#include "vapor/agent/budget_agent.h"

namespace vapor {

struct DopeSettings {
  std::int64_t episodes = 100'000;  // K
  double delta = 0.01;
  double scale = 1.0;     // multiplies beta
  double optimism = 0.0;  // multiplies the bonus of rewards
};

BudgetAgent::Rule dope_rule(const DopeSettings& settings);

}  // namespace vapor
