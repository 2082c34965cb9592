// The conjugate belief of the paper's tabular experiments (appendix I, "DeepSea (tabular)"):
// independent over pairs, mean rewards Gaussian or Beta, transitions known or Dirichlet with a
// symmetric prior over the next layer.
//
// After n visits, each counted `repeat` times, with rewards summing to R:
//
//   Gaussian    variance v = 1 / (1 / variance + repeat n / noise_variance),
//               mean v (mean / variance + repeat R / noise_variance)
//   Beta        a + repeat R, b + repeat (n - R)
//   Dirichlet   mean (repeat counts + mass base) / (repeat n + mass): sparse counts plus rank one
//
// An update costs what was visited; the problem is kept, and brought up to date when asked for.
// docs/beliefs.md has the formulas, the transformations and the sampling method.
#pragma once

#include <span>
#include <variant>
#include <vector>

#include "vapor/belief/belief.h"
#include "vapor/belief/dirichlet_average.h"
#include "vapor/belief/reward_belief.h"
#include "vapor/belief/sigma_transform.h"
#include "vapor/belief/successor_counts.h"

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

  bool dynamics_are_known() const { return std::holds_alternative<Transitions>(dynamics_); }
  std::span<const double> visits() const { return visits_; }  // by pair

 private:
  void check(const Step& step) const;
  void check_certain_next() const;
  void set_prior_dynamics();
  Range states_after(Index pair) const;
  bool next_is_known(Index pair) const;
  double dirichlet_mass(Index pair) const;
  PairUncertainty uncertainty(Index pair) const;
  bool tables_fit() const;
  void mark_all_changed();
  void refresh(Index pair);
  void refresh_value_sigmas();
  double sample_next_value(Index layer, Index pair, std::span<const double> V, double base,
                           RandomStream& random);

  RewardPrior reward_;
  DynamicsPrior dynamics_;
  std::vector<Index> certain_next_;  // by pair, or empty
  double repeat_;
  SigmaTransform transform_;
  Problem problem_;                 // of all visits but those to changed_ pairs
  std::vector<Index> layer_of_;     // by pair
  std::vector<double> visits_;      // by pair
  std::vector<double> reward_sum_;  // by pair
  SuccessorCounts successors_;      // empty if the dynamics are known

  std::vector<Index> changed_;     // pairs visited since the problem was asked for
  std::vector<char> is_changed_;   // by pair
  std::vector<double> sampled_V_;  // by state: room for sample_optimal_policy
  DirichletAverage average_;
};

}  // namespace vapor
