#include "vapor/agent/epsilon_greedy.h"

#include <algorithm>
#include <ranges>

#include "vapor/agent/greedy.h"

namespace vapor {

EpsilonGreedyAgent::EpsilonGreedyAgent(const Shape& shape, const EpsilonGreedySettings& settings)
    : shape_(shape), settings_(settings), Q_(shape.pairs()), policy_(shape.pairs()) {}

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
  for (const Step& step : std::views::reverse(episode)) {
    double target = step.reward;
    if (step.next_state >= 0) {
      const Range next = shape_.pairs_of(step.next_state);
      target += *std::max_element(&Q_[next.first()], &Q_[next.first()] + next.size());
    }
    Q_[step.pair] += settings_.learning_rate * (target - Q_[step.pair]);
  }
}

}  // namespace vapor
