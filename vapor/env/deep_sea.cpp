#include "vapor/env/deep_sea.h"

#include <fmt/format.h>

#include <algorithm>

#include "vapor/core/error.h"

namespace vapor {

DeepSea::DeepSea(Index depth, RandomStream mapping) : depth_(depth) {
  if (depth < 1 || depth > 10000)
    throw InputError("depth", fmt::format("must be in 1..10000, got {}", depth));
  for (Index row = 0; row < depth; ++row) {
    shape_.add_layer();
    for (Index column = 0; column <= row; ++column) {
      shape_.add_state(2);
      right_.push_back(mapping.index(2));
    }
  }
}

Step DeepSea::step(Index row, Index state, Index action) const {
  const Index column = state - shape_.states_of(row).first();
  const bool right = action == right_[state];
  const bool last = row + 1 == depth_;
  Step step;
  step.pair = shape_.pairs_of(state).first() + action;
  if (right) step.reward = -0.01 / depth_;
  if (right && last && column + 1 == depth_) step.reward += 1.0;
  const Index next_column = right ? column + 1 : std::max(column - 1, 0);
  step.next_state = last ? -1 : shape_.states_of(row + 1).first() + next_column;
  return step;
}

Episode DeepSea::play(std::span<const double> policy, RandomStream& random) const {
  Episode episode;
  episode.reserve(depth_);
  Index state = 0;
  for (Index row = 0; row < depth_; ++row) {
    const Range pairs = shape_.pairs_of(state);
    const Index action = random.categorical(policy.subspan(pairs.first(), pairs.size()));
    episode.push_back(step(row, state, action));
    state = episode.back().next_state;
  }
  return episode;
}

bool DeepSea::found_treasure(const Episode& episode) const {
  return !episode.empty() && episode.back().reward > 0.5;
}

std::vector<double> DeepSea::optimal_policy() const {
  std::vector<double> policy(shape_.pairs(), 0.0);
  for (Index s = 0; s < shape_.states(); ++s) policy[shape_.pairs_of(s).first() + right_[s]] = 1.0;
  return policy;
}

}  // namespace vapor
