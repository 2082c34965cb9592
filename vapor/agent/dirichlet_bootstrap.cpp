#include "vapor/agent/dirichlet_bootstrap.h"

namespace vapor {

std::vector<double> bootstrap_values(const CountModel& model, Index pair, const Ahead& ahead,
                                     double n0, double r0, int samples,
                                     const RandomStream& random) {
  const Index pool = model.pools.of(pair);
  std::vector<double> values(samples, r0 * ahead.steps);
  if (model.count(pair) == 0.0) return values;
  RandomStream stream = random.split(static_cast<std::uint64_t>(pool));
  for (double& value : values) {
    double weight = n0 > 0.0 ? stream.gamma(n0) : 0.0;
    double sum = weight * value;
    const auto add = [&](double count, double target) {
      const double drawn = stream.gamma(count);
      weight += drawn;
      sum += drawn * target;
    };
    if (ahead.states == 0)
      add(model.seen.visits[pool], model.mean_reward(pair));
    else
      for (const Experience::Successor& next : model.seen.successors[pool]) {
        const Index state = model.pools.state_after(pair, next.place);
        add(next.count, next.reward_sum / next.count + (state < 0 ? 0.0 : ahead.V[state]));
      }
    value = sum / weight;
  }
  return values;
}

}  // namespace vapor
