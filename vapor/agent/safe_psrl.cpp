#include "vapor/agent/safe_psrl.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vapor {

BudgetAgent::Rule safe_psrl_rule(const SafePsrlSettings& settings) {
  return [settings](BudgetAgent::View view, std::span<double> policy) {
    const IntervalModel& drawn = view.intervals.set(
        view.seen, view.pools,
        [&](Index, std::span<const double> counts, std::span<double> low, std::span<double> high) {
          const double prior = settings.mass / static_cast<double>(counts.size());
          double sum = 0.0;
          for (std::size_t i = 0; i < counts.size(); ++i)
            sum += low[i] = view.random.gamma(prior + counts[i]);
          for (std::size_t i = 0; i < counts.size(); ++i)
            high[i] = low[i] = sum > 0.0 ? low[i] / sum : 1.0 / static_cast<double>(counts.size());
        });
    const double root = std::sqrt(static_cast<double>(view.episode));
    const double epsilon = settings.pessimism * view.cost.budget / root;
    if (settings.program) {
      const ConstrainedPlan& plan =
          view.planner.plan(drawn, view.reward, view.cost.of_pair, view.cost.budget - epsilon);
      std::copy(plan.policy.begin(), plan.policy.end(), policy.begin());
      return;
    }
    if (view.memory.empty()) view.memory = {0.0};
    double& y = view.memory.front();
    std::vector<double> reward(view.reward.begin(), view.reward.end());
    const double price = y / (settings.rate * view.shape.layers() * root);
    for (std::size_t p = 0; p < reward.size(); ++p) reward[p] -= price * view.cost.of_pair[p];
    const ConstrainedPlan& plan =
        view.planner.plan(drawn, reward, view.cost.of_pair, std::numeric_limits<double>::max());
    y = std::max(0.0, y + plan.cost + epsilon - view.cost.budget);
    std::copy(plan.policy.begin(), plan.policy.end(), policy.begin());
  };
}

}  // namespace vapor
