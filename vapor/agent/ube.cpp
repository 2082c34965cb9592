#include "vapor/agent/ube.h"

#include <algorithm>
#include <cmath>

namespace vapor {
namespace {

struct MeanAndVariance {
  double mean = 0.0;
  double variance = 0.0;
};

// Values of the states after the layer at hand, and their sums over it.
struct UbeAhead {
  std::vector<MeanAndVariance> of;  // by state of the shape
  Index states = 0;
  double mean = 0.0, square = 0.0, variance = 0.0;
};

// q and u of a pair.
MeanAndVariance ube_pair(const CountModel& model, Index pair, const UbeAhead& ahead,
                         const UbeSettings& settings) {
  const CountedReward reward = counted_reward(model, pair, settings.beta);
  if (ahead.states == 0) return {reward.mean, reward.variance};
  const double alpha = settings.mass / ahead.states;
  const bool exact = settings.equation == UbeEquation::kExact;
  double mass = settings.mass;
  for (const auto& next : model.seen.successors[model.pools.of(pair)]) mass += next.count;
  // E P(s')^2 = E P(s') (a + 1) / (mass + 1) for a parameter a.
  const auto weight = [&](double a) { return a / mass * (exact ? (a + 1.0) / (mass + 1.0) : 1.0); };
  double v = alpha / mass * ahead.mean, v2 = alpha / mass * ahead.square;
  double u = weight(alpha) * ahead.variance;
  for (const auto& next : model.seen.successors[model.pools.of(pair)]) {
    const Index state = model.pools.state_after(pair, next.place);
    if (state < 0) continue;
    const MeanAndVariance& value = ahead.of[state];
    v += next.count / mass * value.mean;
    v2 += next.count / mass * value.mean * value.mean;
    u += (weight(alpha + next.count) - weight(alpha)) * value.variance;
  }
  return {reward.mean + v, reward.variance + std::max(0.0, v2 - v * v) / (mass + 1.0) + u};
}

}  // namespace

CountAgent::Rule ube_rule(const UbeSettings& settings) {
  return [settings](const CountModel& model, RandomStream&, std::vector<double>&,
                    std::span<double> Q) {
    const Shape& shape = model.shape;
    std::vector<MeanAndVariance> pairs(shape.pairs());
    UbeAhead ahead;
    ahead.of.resize(shape.states());
    for (Index l = shape.layers() - 1; l >= 0; --l) {
      for (Index s : shape.states_of(l))
        for (Index p : shape.pairs_of(s)) {
          if (!model.places.ends(s)) pairs[p] = ube_pair(model, p, ahead, settings);
          Q[p] = pairs[p].mean + settings.gain * std::sqrt(pairs[p].variance);
        }
      ahead.states = shape.states_of(l).size();
      ahead.mean = ahead.square = ahead.variance = 0.0;
      for (Index s : shape.states_of(l)) {
        const Range range = shape.pairs_of(s);
        const auto first = Q.begin() + range.first();
        const auto best = std::max_element(first, first + range.size()) - Q.begin();
        const MeanAndVariance& value = ahead.of[s] = pairs[best];
        ahead.mean += value.mean;
        ahead.square += value.mean * value.mean;
        ahead.variance += value.variance;
      }
    }
  };
}

}  // namespace vapor
