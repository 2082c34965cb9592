#include "vapor/agent/experience.h"

#include <algorithm>

namespace vapor {

Experience::Experience(const Shape& shape)
    : visits(shape.pairs()),
      reward_sum(shape.pairs()),
      reward_square_sum(shape.pairs()),
      successors(shape.pairs()) {}

void Experience::add(const Episode& episode) {
  for (const Step& step : episode) {
    visits[step.pair] += 1.0;
    reward_sum[step.pair] += step.reward;
    reward_square_sum[step.pair] += step.reward * step.reward;
    if (step.next_state < 0) continue;
    std::vector<Successor>& met = successors[step.pair];
    const auto found = std::find_if(met.begin(), met.end(), [&](const Successor& successor) {
      return successor.state == step.next_state;
    });
    if (found == met.end())
      met.push_back({step.next_state, 1});
    else
      ++found->count;
  }
}

void Experience::archive(Archive& archive) {
  archive(visits);
  archive(reward_sum);
  archive(reward_square_sum);
  archive(successors);
}

}  // namespace vapor
