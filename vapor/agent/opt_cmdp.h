// OptCMDP (Efroni, Mannor and Pirotta, "Exploration-exploitation in constrained MDPs", 2020,
// algorithm 1): each episode solves the extended linear program over the confidence set of
// transitions
//
//   |P(s') - frequency(s')| <= scale (2 sqrt(p (1 - p) iota / n) + 14 iota / 3n),
//   iota = log(2 S A L K / delta),
//
// optimistic about the reward and about the cost: it promises that regret and violation grow as the
// root of the episodes, and violates while it learns. It needs no baseline. Costs are known, so
// their own confidence set is left out.
#pragma once

#include "vapor/agent/budget_agent.h"

namespace vapor {

struct OptCmdpSettings {
  std::int64_t episodes = 100'000;  // K
  double delta = 0.01;
  double scale = 1.0;  // multiplies the intervals
};

BudgetAgent::Rule opt_cmdp_rule(const OptCmdpSettings& settings);

}  // namespace vapor
