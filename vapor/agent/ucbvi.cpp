#include "vapor/agent/ucbvi.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "vapor/agent/greedy.h"

namespace vapor {

UcbviAgent::UcbviAgent(const Shape& shape, const UcbviSettings& settings, Places places)
    : shape_(shape),
      settings_(settings),
      places_(std::move(places)),
      pools_(places_, shape, places_.stationary),
      experience_(pools_),
      Q_(shape.pairs()),
      V_(shape.states()),
      policy_(shape.pairs()) {
  for (Index l = 0; l < shape.layers(); ++l)
    for (Index s : shape.states_of(l))
      for (Index p : shape.pairs_of(s))
        Q_[p] = places_.ends(s) ? 0.0 : (shape.layers() - l) * settings.high;
}

// Visits that showed all that a pair has to show: reward and, before the last layer, what follows.
double UcbviAgent::count_of(Index pair) const {
  const Index pool = pools_.of(pair);
  return pools_.layer_of(pair) + 1 == shape_.layers() ? experience_.visits[pool]
                                                      : experience_.transitions(pool);
}

std::span<const double> UcbviAgent::policy(RandomStream) {
  for (Index l = shape_.layers() - 1; l >= 0; --l)
    for (Index s : shape_.states_of(l)) {
      const Range pairs = shape_.pairs_of(s);
      for (Index p : pairs)
        if (!places_.ends(s) && count_of(p) > 0.0)
          Q_[p] = std::min(Q_[p], optimistic_value(p, shape_.layers() - l));
      V_[s] = *std::max_element(&Q_[pairs.first()], &Q_[pairs.first()] + pairs.size());
    }
  greedy_policy(shape_, Q_, policy_);
  return policy_;
}

// Mean reward + mean V(s') + b of a visited pair.
double UcbviAgent::optimistic_value(Index pair, double steps) const {
  const Index pool = pools_.of(pair);
  const double n = count_of(pair);
  const double visits = experience_.visits[pool];
  const double reward = experience_.reward_sum[pool] / visits;
  double V = 0.0, V_square = 0.0;
  for (const Experience::Successor& next : experience_.successors[pool]) {
    const Index state = pools_.state_after(pair, next.place);
    if (state < 0) continue;
    V += next.count / n * V_[state];
    V_square += next.count / n * V_[state] * V_[state];
  }
  const double range = steps * (settings_.high - settings_.low);
  double iota = std::log(pools_.size() * n * (n + 1.0) / settings_.delta);
  double bonus = range * std::sqrt(iota / (2.0 * n));
  if (settings_.bonus == UcbviBonus::kBernstein) {
    const double reward_variance = experience_.reward_square_sum[pool] / visits - reward * reward;
    const double variance = std::max(0.0, reward_variance) + std::max(0.0, V_square - V * V);
    iota += std::log(2.0);
    bonus =
        std::sqrt(2.0 * variance * iota / n) + 7.0 * range * iota / (3.0 * std::max(1.0, n - 1.0));
  }
  return reward + V + settings_.scale * bonus;
}

void UcbviAgent::archive(Archive& archive) {
  experience_.archive(archive);
  archive(Q_);
}

}  // namespace vapor
