// Q-learning with UCB-Hoeffding exploration (Jin et al., 2018, algorithm 1). At the t-th visit of a
// pair of an MDP of H layers, with rewards in [low, high],
//
//   Q(s,a) <- (1 - alpha_t) Q(s,a) + alpha_t (r + V(s') + b_t),   V(s) = min(cap, max_a Q(s,a)),
//   alpha_t = (H + 1) / (H + t),   b_t = c (high - low) sqrt(H^3 iota / t),
//   iota = log(pairs K / delta) in episode K,   cap = high x the steps to go,
//
// Q starting at the cap. Assumes that rewards lie in [low, high].
#pragma once

#include <cstdint>
#include <vector>

#include "vapor/agent/agent.h"
#include "vapor/mdp/places.h"

namespace vapor {

struct OptimisticQSettings {
  double c = 1.0;       // multiplies the bonus
  double delta = 0.05;  // the probability that optimism fails, for c large enough
  double low = 0.0;     // the range of rewards
  double high = 1.0;
};

class OptimisticQAgent final : public Agent {
 public:
  // What is seen in one layer is learned in all that have the place, if places are stationary;
  // where an episode is over, values are known to be 0.
  OptimisticQAgent(const Shape& shape, const OptimisticQSettings& settings = {},
                   Places places = {});

  std::span<const double> policy(RandomStream random) override;
  void observe(const Episode& episode) override;
  void archive(Archive& archive) override;

  std::span<const double> Q() const { return Q_; }  // by pair

 private:
  void learn(Index pair, double reward, Index next_state, double iota);

  Shape shape_;
  OptimisticQSettings settings_;
  Places places_;
  Pools pools_;
  std::int64_t episode_ = 0;
  std::vector<double> visits_;
  std::vector<double> Q_;
  std::vector<double> policy_;
};

}  // namespace vapor
