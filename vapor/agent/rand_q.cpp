#include "vapor/agent/rand_q.h"

#include <algorithm>
#include <utility>

#include "vapor/agent/greedy.h"

namespace vapor {

RandQAgent::RandQAgent(const Shape& shape, const RandQSettings& settings, Places places)
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
  for (double q : Q_) Q_j_.insert(Q_j_.end(), settings.samples, q);
}

std::span<const double> RandQAgent::policy(RandomStream random) {
  learning_ = random.split("learning");
  greedy_policy(shape_, Q_, policy_);
  return policy_;
}

void RandQAgent::observe(const Episode& episode) {
  // In the order played, and of one step the first layer first: V(s') is still the old one.
  for (const Step& step : episode)
    for (Index p : pools_.pairs(pools_.of(step.pair))) {
      const Index place = step.next_state < 0 ? -1 : pools_.place_of(step.next_state);
      const Index next = place < 0 ? -1 : pools_.state_after(p, place);
      const bool last = pools_.layer_of(p) + 1 == shape_.layers();
      if (last || next >= 0) learn(p, step.reward, next);
    }
}

void RandQAgent::learn(Index pair, double reward, Index next_state) {
  const double H = shape_.layers();
  const double cap = (H - pools_.layer_of(pair)) * settings_.high;
  double V = 0.0;
  if (next_state >= 0 && !places_.ends(next_state)) {
    const Range next = shape_.pairs_of(next_state);
    V = std::min(cap - settings_.high,
                 *std::max_element(&Q_[next.first()], &Q_[next.first()] + next.size()));
  }
  const double n = settings_.n0 + (visits_[pair] += 1.0);
  const std::span<double> all(&Q_j_[pair * settings_.samples], settings_.samples);
  for (double& q : all) {
    const double B = learning_.beta(n, settings_.n0);
    const double W = learning_.beta((H + 1.0) / settings_.kappa, n / settings_.kappa);
    q = (1.0 - W) * q + W * (B * (reward + V) + (1.0 - B) * cap);
  }
  Q_[pair] = std::min(Q_[pair], std::ranges::max(all));
}

void RandQAgent::archive(Archive& archive) {
  archive(learning_);
  archive(visits_);
  archive(Q_);
  archive(Q_j_);
}

}  // namespace vapor
