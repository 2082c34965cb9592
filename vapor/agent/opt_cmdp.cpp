#include "vapor/agent/opt_cmdp.h"

#include <algorithm>

namespace vapor {

BudgetAgent::Rule opt_cmdp_rule(const OptCmdpSettings& settings) {
  return [settings](BudgetAgent::View view, std::span<double> policy) {
    const double iota = log_term(view.shape, settings.episodes, settings.delta);
    const IntervalModel& model = view.intervals.set(
        view.seen, view.pools,
        [&](Index, std::span<const double> counts, std::span<double> low, std::span<double> high) {
          const auto width = [&](double p, double n) {
            return settings.scale * bernstein_width(p, n, iota);
          };
          confidence_row(counts, width, low, high);
        });
    const ConstrainedPlan& plan =
        view.planner.plan(model, view.reward, view.cost.of_pair, view.cost.budget);
    std::copy(plan.policy.begin(), plan.policy.end(), policy.begin());
  };
}

}  // namespace vapor
