// Exploration without rewards: max over lambda in Lambda(E P) of the entropy, or of the weighted
// entropy -sum sigma lambda log lambda with sigma(s,a) = 1{n(s,a) = 0} (section 6 and appendix I,
// "Reward-Free GridWorld").
//
//   game      EntGame (Tiapkin et al., 2023). In episode t the forecaster predicts
//             dbar_l(s,a) = (n_l(s,a) + n0) / (t - 1 + n0 pairs of the layer), and the sampler
//             plays the best response: the optimal policy of E P for the reward
//             sigma log(1 / dbar), ties shared. With unequal sigma this is not the gradient of the
//             weighted entropy, sigma (log(1 / dbar) - 1): the -1 is left out, so that an untried
//             pair is never worth less than a tried one. Pooled, dbar is that of a state and action
//             over all layers: (n(s,a) + n0) / (steps so far + n0 stationary pairs).
//   program   solves the maximum of the entropy itself each episode, and plays its policy.
//
// Assumes that the belief knows the dynamics; where it does not, E P stands in for P without a
// bonus for exploring them.
#pragma once

#include <memory>
#include <vector>

#include "vapor/agent/agent.h"
#include "vapor/belief/belief.h"
#include "vapor/solver/solve.h"

namespace vapor {

enum class MaxEntropyMethod { kGame, kProgram };

struct MaxEntropySettings {
  bool weighted = false;  // sigma(s,a) = 1{n(s,a) = 0} in place of 1
  MaxEntropyMethod method = MaxEntropyMethod::kGame;
  double prior_count = 1.0;  // n0 of the forecaster
  bool pooled = false;       // the forecaster counts a state and action through all layers
};

class MaxEntropyAgent final : public Agent {
 public:
  // `stationary_pairs`, by pair, gives the same number to the pairs of different layers that are
  // one state and action: n(s,a) is counted by that number. Empty: every pair has its own.
  // Throws InputError unless it is by pair and >= 0.
  MaxEntropyAgent(std::unique_ptr<Belief> belief, const MaxEntropySettings& settings = {},
                  std::vector<Index> stationary_pairs = {});

  std::span<const double> policy(RandomStream random) override;
  void observe(const Episode& episode) override;
  void archive(Archive& archive) override;
  const Solution* solution() const override { return solved_ ? &solution_ : nullptr; }

 private:
  void best_response();
  void solve_program();
  double weight(Index pair) const;

  std::unique_ptr<Belief> belief_;
  MaxEntropySettings settings_;
  std::vector<Index> stationary_pairs_;
  double episodes_ = 0.0;                  // t - 1
  std::vector<double> visits_;             // by pair
  std::vector<double> stationary_visits_;  // by stationary pair
  std::vector<double> reward_;             // by pair
  std::vector<double> policy_;             // by pair; the warm start of the program
  Solver solver_;
  Solution solution_;
  bool solved_ = false;
};

}  // namespace vapor
