// Tabular Q-learning (Watkins, 1989) with epsilon-greedy exploration: with probability epsilon a
// uniform action, else a greedy one, ties shared. The steps of an episode are learned from the last
// to the first, so that a reward reaches the start at once. Q starts at 0; assumes nothing.
#pragma once

#include <vector>

#include "vapor/agent/agent.h"
#include "vapor/mdp/places.h"

namespace vapor {

struct EpsilonGreedySettings {
  double epsilon = 0.1;        // the share of uniform actions
  double learning_rate = 0.1;  // of each step towards r + max_a Q(s', a)
};

class EpsilonGreedyAgent final : public Agent {
 public:
  // What is seen in one layer is learned in all that have the place, if places are stationary.
  EpsilonGreedyAgent(const Shape& shape, const EpsilonGreedySettings& settings = {},
                     const Places& places = {});

  std::span<const double> policy(RandomStream random) override;
  void observe(const Episode& episode) override;
  void archive(Archive& archive) override { archive(Q_); }

 private:
  Shape shape_;
  EpsilonGreedySettings settings_;
  Pools pools_;
  std::vector<double> Q_;
  std::vector<double> policy_;
};

}  // namespace vapor
