#include "vapor/env/budget.h"

#include <fmt/format.h>

#include <utility>

#include "vapor/core/error.h"
#include "vapor/mdp/constrained_plan.h"

namespace vapor {

void set_cost(Environment& environment, std::vector<double> of_pair, double budget) {
  if (!(budget >= 0.0 && budget <= 1e9))
    throw InputError("budget", fmt::format("must be in [0, 1e9], got {}", budget));
  const ConstrainedPlan baseline =
      constrained_optimum(environment.model, of_pair, kBaselineShare * budget);
  if (!baseline.feasible)
    throw InputError("budget", fmt::format("must leave a baseline of a fifth of it: the cheapest "
                                           "policy costs {}, got {}",
                                           baseline.cost, budget));
  environment.cost = Cost{.of_pair = std::move(of_pair),
                          .budget = budget,
                          .baseline = baseline.policy,
                          .baseline_cost = baseline.cost,
                          .reward_high = environment.known.reward_high};
}

}  // namespace vapor
