#include "vapor/agent/experience.h"

#include <algorithm>

namespace vapor {

Experience::Experience(const Pools& pools)
    : visits(pools.size()),
      reward_sum(pools.size()),
      reward_square_sum(pools.size()),
      successors(pools.size()) {}

void Experience::add(const Episode& episode, const Pools& pools) {
  for (const Step& step : episode) {
    const Index pool = pools.of(step.pair);
    visits[pool] += 1.0;
    reward_sum[pool] += step.reward;
    reward_square_sum[pool] += step.reward * step.reward;
    if (step.next_state < 0) continue;
    const Index place = pools.place_of(step.next_state);
    std::vector<Successor>& met = successors[pool];
    auto found = std::ranges::find(met, place, &Successor::place);
    if (found == met.end()) found = met.insert(met.end(), {.place = place});
    found->count += 1;
    found->reward_sum += step.reward;
    found->reward_square_sum += step.reward * step.reward;
  }
}

double Experience::transitions(Index pool) const {
  double seen = 0.0;
  for (const Successor& next : successors[pool]) seen += next.count;
  return seen;
}

void Experience::archive(Archive& archive) {
  archive(visits);
  archive(reward_sum);
  archive(reward_square_sum);
  archive(successors);
}

}  // namespace vapor
