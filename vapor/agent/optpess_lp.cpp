#include "vapor/agent/optpess_lp.h"

#include <algorithm>
#include <cmath>

namespace vapor {

BudgetAgent::Rule optpess_lp_rule(const OptPessLpSettings& settings) {
  return [settings](BudgetAgent::View view, std::span<double> policy) {
    const double states = view.shape.largest_layer(), layers = view.shape.layers();
    const double iota = std::log(states) + log_term(view.shape, settings.episodes, settings.delta);
    const double room = view.cost.budget - view.cost.baseline_cost;
    const double alpha = states * layers + 4.0 * layers * states * layers / room;
    std::vector<double> beta(view.pools.size(), 0.0);
    const IntervalModel& model =
        view.intervals.set(view.seen, view.pools,
                           [&](Index pool, std::span<const double> counts, std::span<double> low,
                               std::span<double> high) {
                             frequencies(counts, low);
                             std::copy(low.begin(), low.end(), high.begin());
                             double visits = 0.0;
                             for (const double count : counts) visits += count;
                             beta[pool] = settings.scale * std::sqrt(iota / std::max(visits, 1.0));
                           });
    std::vector<double> reward(view.reward.begin(), view.reward.end());
    std::vector<double> cost = view.cost.of_pair;
    for (Index p = 0; p < view.shape.pairs(); ++p) {
      reward[p] += alpha * beta[view.pools.of(p)];
      cost[p] += states * layers * beta[view.pools.of(p)];
    }
    const std::vector<double>& baseline = view.cost.baseline;
    const double middle = 0.5 * (view.cost.budget + view.cost.baseline_cost);
    if (!baseline.empty() && expected_total(model, baseline, cost) >= middle) {
      std::copy(baseline.begin(), baseline.end(), policy.begin());
      return;
    }
    const ConstrainedPlan& plan = view.planner.plan(model, reward, cost, view.cost.budget);
    const std::vector<double>& chosen = plan.feasible || baseline.empty() ? plan.policy : baseline;
    std::copy(chosen.begin(), chosen.end(), policy.begin());
  };
}

}  // namespace vapor
