// What was seen of the rewards of every pool of pairs, and the beliefs about their means. Under
// NormalGammaRewards the pools share the range of rewards and the level of noise, both learned
// (empirical Bayes). With v = ss / (n - 1) of the pools seen twice or more, whose n rewards have
// squared distances from their mean that add up to ss, in units of the squared range:
//
//   beta_0 = max(least_level, (first_weight first_level + sum of v) / (first_weight + number)),
//
// without which a pair whose first reward happens to be 0 is settled at 0 and given up for good,
// though others have shown that rewards are noisy; and, of pairs that are either noisy or quiet,
// the share N / (number + 1) of the N pools with v > least_level and the mean of their v, without
// which a noisy pair among quiet ones is settled at its first reward. A pair takes of the two the
// view that leaves it more doubt.
//
// The weight of the prior mean mu_0, with m the mean of a pool's rewards,
//
//   kappa_0 = min(1, 4 (w + sum of v) / (w + sum of max(0, (m - mu_0)^2 - v / n))),
//   w = first_weight first_level:
//
// 1 where noise is large, and the less the more means differ without noise. Else a deterministic
// reward far from mu_0, a fall down a cliff, is taken for noise and looked at many times.
//
// An untried pair is believed capable of the upside above mu_0: up to the top of the range or,
// where that is learned, the best return of an episode so far, so that nothing is settled for
// before what is untried was looked at; and at least a tenth of what rewards fall below mu_0.
#pragma once

#include <span>
#include <vector>

#include "vapor/belief/reward_belief.h"
#include "vapor/core/archive.h"

namespace vapor {

class RewardTable {
 public:
  // Each observed reward counts `repeat` times. Throws InputError that names the field.
  RewardTable(RewardPrior prior, Index pools, double repeat);

  const RewardPrior& prior() const { return prior_; }
  std::span<const double> visits() const { return visits_; }  // by pool

  void add(Index pool, double reward);
  void add_return(double sum);  // of an episode's rewards

  // Brings what the pools share up to date with what was added. Returns whether it changed, and
  // with it the posterior of every pool.
  bool share();

  // By what was shared last.
  RewardPosterior posterior(Index pool) const;
  double sample(Index pool, RandomStream& random) const;

  // The power of two next above the range of rewards under NormalGammaRewards, else 1.
  double unit() const;

  void archive(Archive& archive);
  bool fits(Index pools) const;  // whether what was restored can be of so many pools

 private:
  bool learns_noise() const { return std::holds_alternative<NormalGammaRewards>(prior_); }
  RewardSums seen(Index pool) const;
  SharedLevel shared_level(const NormalGammaRewards& prior) const;
  double upside(const NormalGammaRewards& prior, double prior_mean) const;

  RewardPrior prior_;
  double repeat_;
  std::vector<double> visits_;      // by pool
  std::vector<double> reward_sum_;  // by pool
  std::vector<double> squares_;     // by pool, about the mean; empty unless the noise is learned
  RewardRange seen_range_{0.0, 0.0};
  double best_return_ = 0.0;
  SharedLevel shared_;
};

}  // namespace vapor
