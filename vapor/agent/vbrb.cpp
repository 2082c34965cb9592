#include "vapor/agent/vbrb.h"

#include <algorithm>
#include <cmath>

namespace vapor {

CountAgent::Rule vbrb_rule(const VbrbSettings& settings) {
  return backward_rule([settings](const CountModel& model, Index pair, const Ahead& ahead) {
    const double alpha = settings.mass / std::max<Index>(1, ahead.states);
    const DirichletAhead next = dirichlet_ahead(model, pair, ahead, alpha);
    const CountedReward reward = counted_reward(model, pair, settings.beta);
    return reward.mean + settings.reward_scale * std::sqrt(reward.variance) +
           settings.transition_scale * std::sqrt(next.variance) + next.mean;
  });
}

}  // namespace vapor
