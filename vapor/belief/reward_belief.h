// Conjugate beliefs about the mean reward of a pair, independent over pairs. A belief is its prior
// and two sums: how many rewards were seen and what they add up to.
#pragma once

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
  double a = 1.0;  // > 0
  double b = 1.0;  // > 0
};

using RewardPrior = std::variant<GaussianRewards, BetaRewards>;

// Throws InputError that names the field.
void validate(const RewardPrior& prior, Index pairs);

// Throws InputError unless the prior gives such a reward a likelihood.
void check_observable(const RewardPrior& prior, double reward);

struct RewardPosterior {
  double mean = 0.0;
  double variance = 0.0;  // or, if not Gaussian, the variance proxy (belief/sub_gaussian.h)
};

// After `count` rewards that add up to `sum`; neither need be whole, since a repeated observation
// counts for more than one.
RewardPosterior posterior_of(const RewardPrior& prior, Index pair, double count, double sum);

// A mean reward drawn from that posterior.
double sample_reward(const RewardPrior& prior, Index pair, double count, double sum,
                     RandomStream& random);

}  // namespace vapor
