#include "vapor/agent/epsilon_greedy.h"

#include <algorithm>
#include <ranges>

#include "vapor/agent/greedy.h"

namespace vapor {

EpsilonGreedyAgent::EpsilonGreedyAgent(const Shape& shape, const EpsilonGreedySettings& settings,
                                       const Places& places)
    : shape_(shape),
      settings_(settings),
      pools_(places, shape, places.stationary),
      Q_(shape.pairs()),
      policy_(shape.pairs()) {}

std::span<const double> EpsilonGreedyAgent::policy(RandomStream) {
  greedy_policy(shape_, Q_, policy_);
  for (Index s = 0; s < shape_.states(); ++s) {
    const Range pairs = shape_.pairs_of(s);
    for (Index p : pairs)
      policy_[p] = (1.0 - settings_.epsilon) * policy_[p] + settings_.epsilon / pairs.size();
  }
  return policy_;
}

void EpsilonGreedyAgent::observe(const Episode& episode) {
  for (const Step& step : std::views::reverse(episode))
    for (Index p : pools_.pairs(pools_.of(step.pair)) | std::views::reverse) {
      const Index place = step.next_state < 0 ? -1 : pools_.place_of(step.next_state);
      const Index next = place < 0 ? -1 : pools_.state_after(p, place);
      if (next < 0 && pools_.layer_of(p) + 1 < shape_.layers()) continue;
      double target = step.reward;
      if (next >= 0) {
        const Range pairs = shape_.pairs_of(next);
        target += *std::max_element(&Q_[pairs.first()], &Q_[pairs.first()] + pairs.size());
      }
      Q_[p] += settings_.learning_rate * (target - Q_[p]);
    }
}

}  // namespace vapor
