// Conjugate beliefs about the mean reward of a pair, independent over pairs given what they share.
// What was seen of a pair is how many rewards there were, their sum, and their spread.
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "vapor/core/index.h"
#include "vapor/core/random.h"

namespace vapor {

// Mean rewards N(mean, variance), observed with Gaussian noise of known variance.
struct GaussianRewards {
  std::vector<double> mean{0.0};      // by pair, or one for all
  std::vector<double> variance{1.0};  // by pair, or one for all; > 0
  double noise_variance = 1.0;        // of an observed reward, > 0
};

// Mean rewards Beta(a, b), observed rewards 0 or 1: means in [0, 1], as Assumption 1 has them.
struct BetaRewards {
  std::vector<double> a{1.0};  // by pair, or one for all; > 0
  std::vector<double> b{1.0};  // by pair, or one for all; > 0
};

// Between what mean rewards lie.
struct RewardRange {
  double low = 0.0;
  double high = 1.0;

  double size() const { return high - low; }
};

// Mean and noise of a pair's rewards unknown: normal-inverse-gamma with alpha_0 = 1. The level
// beta_0 and the weight kappa_0 are shared: what pairs seen twice say about noise and means is
// believed of the others (belief/reward_table.h). Levels are variances, in units of the squared
// range.
struct NormalGammaRewards {
  std::optional<RewardRange> range = {};  // not given: of the rewards seen, the best return and 0
  double first_level = 0.05;              // before any pair was seen twice, > 0
  double first_weight = 0.1;              // of first_level, in pairs seen twice; > 0
  double least_level = 1e-5;              // > 0
};

using RewardPrior = std::variant<GaussianRewards, BetaRewards, NormalGammaRewards>;

// Throws InputError that names the field.
void validate(const RewardPrior& prior, Index pairs);

// Throws InputError unless the prior gives such a reward a likelihood.
void check_observable(const RewardPrior& prior, double reward);

// What was seen of a pair. None need be whole, since a repeated observation counts for more than
// one.
struct RewardSums {
  double count = 0.0;
  double sum = 0.0;
  double squares = 0.0;  // of the distances from the mean; NormalGammaRewards alone reads it
};

// What the pairs of NormalGammaRewards have in common.
struct SharedLevel {
  double prior_mean = 0.0;   // mu_0: 0, or what is nearest to it in the range
  double mean_weight = 1.0;  // kappa_0: of prior_mean, in rewards
  double range = 1.0;        // of mean rewards: the unit of levels
  double upside = 1.0;       // what an untried pair may pay above prior_mean: caps a deviation
  double variance = 0.0;     // beta_0: the mean over all pairs
  // Beside it, two kinds of pairs: a share of them is noisy, at this level, the others are at
  // the least one. A share of 0: none was seen to be.
  double noisy_share = 0.0;
  double noisy_variance = 0.0;
  double quiet_variance = 0.0;

  bool operator==(const SharedLevel&) const = default;
};

struct RewardPosterior {
  double mean = 0.0;
  // Of the mean reward. If it is Beta, the variance proxy (belief/sub_gaussian.h); if Student's t,
  // at most the squared upside, and no proxy: t has no sub-Gaussian parameter.
  double variance = 0.0;
};

// `shared` is for NormalGammaRewards alone.
RewardPosterior posterior_of(const RewardPrior& prior, Index pair, const RewardSums& seen,
                             const SharedLevel& shared = {});

// A mean reward drawn from that posterior. Of NormalGammaRewards that is Student's t, and before
// the first reward N(mu_0, upside^2), which the cap stands for.
double sample_reward(const RewardPrior& prior, Index pair, const RewardSums& seen,
                     RandomStream& random, const SharedLevel& shared = {});

}  // namespace vapor
