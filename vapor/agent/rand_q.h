// Randomised Q-learning, RandQL (Tiapkin et al., 2023): optimism by random learning rates, without
// model or bonus. Of J tables Q_j, at a visit of a pair after n - 1 others, with H layers and
// cap = high x the steps to go,
//
//   target_j = B_j (r + V(s')) + (1 - B_j) cap,     B_j ~ Beta(n0 + n, n0)
//   Q_j <- (1 - W_j) Q_j + W_j target_j,            W_j ~ Beta((H + 1) / kappa, (n0 + n) / kappa)
//   Q <- min(Q, max_j Q_j),   V(s) = min(cap, max_a Q(s,a)),
//
// all starting at the cap. This is the form of the authors' experiments, without stages; their code
// has J = 10, kappa = 1 and n0 = 1 / S.
#pragma once

#include <vector>

#include "vapor/agent/agent.h"
#include "vapor/mdp/places.h"

namespace vapor {

struct RandQSettings {
  int samples = 10;    // J
  double n0 = 0.01;    // weight of the cap, > 0
  double kappa = 1.0;  // larger: learning rates are more random
  double high = 1.0;   // the largest reward of a step
};

class RandQAgent final : public Agent {
 public:
  // What is seen in one layer is learned in all that have the place, if places are stationary;
  // where an episode is over, values are known to be 0.
  RandQAgent(const Shape& shape, const RandQSettings& settings = {}, Places places = {});

  std::span<const double> policy(RandomStream random) override;
  void observe(const Episode& episode) override;
  void archive(Archive& archive) override;

  std::span<const double> Q() const { return Q_; }  // by pair

 private:
  void learn(Index pair, double reward, Index next_state);

  Shape shape_;
  RandQSettings settings_;
  Places places_;
  Pools pools_;
  RandomStream learning_{0};  // of the episode that is played
  std::vector<double> visits_;
  std::vector<double> Q_;
  std::vector<double> Q_j_;  // by pair x J
  std::vector<double> policy_;
};

}  // namespace vapor
