#include "vapor/agent/dope.h"

#include <algorithm>

namespace vapor {

BudgetAgent::Rule dope_rule(const DopeSettings& settings) {
  return [settings](BudgetAgent::View view, std::span<double> policy) {
    const double iota = log_term(view.shape, settings.episodes, settings.delta);
    std::vector<double> width(view.pools.size(), 0.0);
    const IntervalModel& model =
        view.intervals.set(view.seen, view.pools,
                           [&](Index pool, std::span<const double> counts, std::span<double> low,
                               std::span<double> high) {
                             const auto beta = [&](double p, double n) {
                               return settings.scale * std::min(1.0, bernstein_width(p, n, iota));
                             };
                             width[pool] = confidence_row(counts, beta, low, high);
                           });
    const double layers = view.shape.layers();
    const double bonus =
        settings.optimism * layers * layers / (view.cost.budget - view.cost.baseline_cost);
    std::vector<double> reward(view.reward.begin(), view.reward.end());
    std::vector<double> cost = view.cost.of_pair;
    for (Index p = 0; p < view.shape.pairs(); ++p) {
      reward[p] += bonus * width[view.pools.of(p)];
      cost[p] += layers * width[view.pools.of(p)];
    }
    const ConstrainedPlan& plan = view.planner.plan(model, reward, cost, view.cost.budget);
    const std::vector<double>& chosen =
        plan.feasible || view.cost.baseline.empty() ? plan.policy : view.cost.baseline;
    std::copy(chosen.begin(), chosen.end(), policy.begin());
  };
}

}  // namespace vapor
