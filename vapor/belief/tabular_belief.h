// The conjugate belief of the paper's tabular experiments (appendix I, "DeepSea (tabular)"):
// independent over pairs, mean rewards Gaussian, Beta or Student's t, transitions known or
// Dirichlet with a symmetric prior over the next layer.
//
// After n visits, each counted `repeat` times, with rewards summing to R:
//
//   Gaussian    variance v = 1 / (1 / variance + repeat n / noise_variance),
//               mean v (mean / variance + repeat R / noise_variance)
//   Beta        a + repeat R, b + repeat (n - R)
//   Student's t of unknown noise: belief/reward_table.h
//   Dirichlet   mean (repeat counts + mass base) / (repeat n + mass): sparse counts plus rank one
//
// If the places are stationary, the visits of a place and action in all layers are one count, and a
// sampled MDP has one reward and one row for all of them: pooled.
//
// An update costs what was visited; the problem is kept, and brought up to date when asked for.
// docs/beliefs.md has the formulas, the transformations and the sampling method.
#pragma once

#include <span>
#include <variant>
#include <vector>

#include "vapor/belief/belief.h"
#include "vapor/belief/dirichlet_average.h"
#include "vapor/belief/reward_table.h"
#include "vapor/belief/sigma_transform.h"
#include "vapor/belief/successor_counts.h"
#include "vapor/mdp/places.h"

namespace vapor {

// alpha = mass / S for each of the S states of the next layer. Assumption 2 asks for mass >= 1.
struct DirichletDynamics {
  double mass = 1.0;
};

using DynamicsPrior = std::variant<DirichletDynamics, Transitions>;  // unknown, or known

struct TabularPrior {
  Shape shape = {};
  std::vector<double> initial = {};  // rho, by state of the first layer
  RewardPrior reward = GaussianRewards{};
  DynamicsPrior dynamics = DirichletDynamics{};
  // By pair: the state that surely follows, -1 if that is unknown; empty: none is known. For
  // Dirichlet dynamics of which a part is known, such as an absorbing state.
  std::vector<Index> certain_next = {};
  double repeat = 1.0;  // m: how often each observed transition counts
  // Which states are one place (counts are pooled if they are stationary), and which are ends.
  Places places = {};
};

class TabularBelief : public Belief {
 public:
  // Throws InputError that names the field.
  TabularBelief(TabularPrior prior, SigmaTransform transform);

  // Throws InputError on steps that do not fit the shape and rewards without a likelihood; the
  // belief is then as it was.
  void update(const Episode& episode) override;
  const Problem& problem() override;
  double sample_optimal_policy(RandomStream& random, std::span<double> policy) override;
  Optimality optimality(RandomStream& random, int samples) override;
  void archive(Archive& archive) override;

  double unit() override;
  const Places& places() const override { return places_; }

  bool dynamics_are_known() const { return std::holds_alternative<Transitions>(dynamics_); }
  // By pair, or by place and action (mdp/places.h) if counts are pooled.
  std::span<const double> visits() const { return rewards_.visits(); }

 private:
  void check(const Step& step) const;
  void check_certain_next() const;
  void add_ends();
  void set_prior_dynamics();
  Range states_after(Index pair) const;
  bool is_last(Index pair) const { return pools_.layer_of(pair) + 1 == problem_.shape.layers(); }
  bool is_end(Index pair) const { return !is_end_.empty() && is_end_[pair] != 0; }
  bool next_is_known(Index pair) const;
  double transitions_seen(Index pair) const;
  double dirichlet_mass(Index pair) const;
  RewardPosterior reward_of(Index pool) const;
  PairUncertainty uncertainty(Index pair, double reward_variance) const;
  bool tables_fit() const;
  void mark_all_changed();
  void refresh_rewards(Index pool);
  void refresh_dynamics(Index pair);
  void refresh_value_sigmas();
  double sample_next_value(Index layer, Index pair, std::span<const double> V, double base,
                           RandomStream& random);
  void sample_pools(RandomStream& random);
  void sample_row(Index pool, RandomStream& random);
  double pooled_next_value(Index pair, std::span<const double> V) const;
  double sample_pair(Index layer, Index pair, double base, RandomStream& random);

  Places places_;
  Pools pools_;
  RewardTable rewards_;
  DynamicsPrior dynamics_;
  std::vector<Index> certain_next_;  // by pair, or empty
  std::vector<char> is_end_;         // by pair, or empty
  double repeat_;
  SigmaTransform transform_;
  Problem problem_;             // of all visits but those to changed_ pools
  SuccessorCounts successors_;  // empty if the dynamics are known

  std::vector<Index> changed_;    // pools visited since the problem was asked for
  std::vector<char> is_changed_;  // by pool

  // Room for sample_optimal_policy. A row is of the layer after the pool's first pair.
  std::vector<double> sampled_V_;            // by state
  std::vector<double> sampled_reward_;       // by pool
  std::vector<std::size_t> sampled_begin_;   // by pool: where its row begins
  std::vector<WeightedState> sampled_rows_;  // of all pools
  DirichletAverage average_;
};

}  // namespace vapor
