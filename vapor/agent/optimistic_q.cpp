#include "vapor/agent/optimistic_q.h"

#include <algorithm>
#include <cmath>

#include "vapor/agent/greedy.h"

namespace vapor {

OptimisticQAgent::OptimisticQAgent(const Shape& shape, const OptimisticQSettings& settings)
    : shape_(shape),
      settings_(settings),
      visits_(shape.pairs()),
      Q_(shape.pairs()),
      policy_(shape.pairs()) {
  for (Index l = 0; l < shape.layers(); ++l)
    for (Index p : shape.pairs_of_layer(l)) Q_[p] = (shape.layers() - l) * settings.high;
}

std::span<const double> OptimisticQAgent::policy(RandomStream) {
  greedy_policy(shape_, Q_, policy_);
  return policy_;
}

void OptimisticQAgent::observe(const Episode& episode) {
  ++episode_;
  const double H = shape_.layers();
  const double iota = std::log(shape_.pairs() * static_cast<double>(episode_) / settings_.delta);
  double steps = H;
  for (const Step& step : episode) {  // in the order played: V(s') is still the old one
    steps -= 1.0;
    double V = 0.0;
    if (step.next_state >= 0) {
      const Range next = shape_.pairs_of(step.next_state);
      V = std::min(steps * settings_.high,
                   *std::max_element(&Q_[next.first()], &Q_[next.first()] + next.size()));
    }
    const double t = visits_[step.pair] += 1.0;
    const double alpha = (H + 1.0) / (H + t);
    const double bonus =
        settings_.c * (settings_.high - settings_.low) * std::sqrt(H * H * H * iota / t);
    Q_[step.pair] = (1.0 - alpha) * Q_[step.pair] + alpha * (step.reward + V + bonus);
  }
}

void OptimisticQAgent::archive(Archive& archive) {
  archive(episode_);
  archive(visits_);
  archive(Q_);
}

}  // namespace vapor
