#include "vapor/agent/optimistic_q.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "vapor/agent/greedy.h"

namespace vapor {

OptimisticQAgent::OptimisticQAgent(const Shape& shape, const OptimisticQSettings& settings,
                                   Places places)
    : shape_(shape),
      settings_(settings),
      places_(std::move(places)),
      pools_(places_, shape, places_.stationary),
      visits_(shape.pairs()),
      Q_(shape.pairs()),
      policy_(shape.pairs()) {
  for (Index l = 0; l < shape.layers(); ++l)
    for (Index s : shape.states_of(l))
      for (Index p : shape.pairs_of(s))
        Q_[p] = places_.ends(s) ? 0.0 : (shape.layers() - l) * settings.high;
}

std::span<const double> OptimisticQAgent::policy(RandomStream) {
  greedy_policy(shape_, Q_, policy_);
  return policy_;
}

void OptimisticQAgent::observe(const Episode& episode) {
  ++episode_;
  const double iota = std::log(pools_.size() * static_cast<double>(episode_) / settings_.delta);
  // In the order played, and of one step the first layer first: V(s') is still the old one.
  for (const Step& step : episode)
    for (Index p : pools_.pairs(pools_.of(step.pair))) {
      const Index place = step.next_state < 0 ? -1 : pools_.place_of(step.next_state);
      const Index next = place < 0 ? -1 : pools_.state_after(p, place);
      const bool last = pools_.layer_of(p) + 1 == shape_.layers();
      if (last || next >= 0) learn(p, step.reward, next, iota);
    }
}

void OptimisticQAgent::learn(Index pair, double reward, Index next_state, double iota) {
  const double H = shape_.layers();
  const double steps = H - 1.0 - pools_.layer_of(pair);
  double V = 0.0;
  if (next_state >= 0 && !places_.ends(next_state)) {
    const Range next = shape_.pairs_of(next_state);
    V = std::min(steps * settings_.high,
                 *std::max_element(&Q_[next.first()], &Q_[next.first()] + next.size()));
  }
  const double t = visits_[pair] += 1.0;
  const double alpha = (H + 1.0) / (H + t);
  const double bonus =
      settings_.c * (settings_.high - settings_.low) * std::sqrt(H * H * H * iota / t);
  Q_[pair] = (1.0 - alpha) * Q_[pair] + alpha * (reward + V + bonus);
}

void OptimisticQAgent::archive(Archive& archive) {
  archive(episode_);
  archive(visits_);
  archive(Q_);
}

}  // namespace vapor
