#include "vapor/belief/reward_belief.h"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "vapor/belief/sub_gaussian.h"
#include "vapor/core/error.h"

namespace vapor {
namespace {

void check_positive(const std::string& field, double value) {
  if (!(value > 0.0 && value <= 1e100))
    throw InputError(field, fmt::format("must be > 0 and at most 1e100, got {}", value));
}

void check_size(const std::string& field, std::size_t size, Index pairs) {
  if (size != 1 && size != static_cast<std::size_t>(pairs))
    throw InputError(field,
                     fmt::format("must have 1 or {} entries, one a pair, got {}", pairs, size));
}

double of_pair(const std::vector<double>& table, Index pair) {
  return table.size() == 1 ? table[0] : table[pair];
}

void validate_prior(const GaussianRewards& prior, Index pairs) {
  check_size("reward.mean", prior.mean.size(), pairs);
  check_size("reward.variance", prior.variance.size(), pairs);
  for (std::size_t i = 0; i < prior.mean.size(); ++i)
    if (!(std::abs(prior.mean[i]) <= 1e100))
      throw InputError(fmt::format("reward.mean[{}]", i),
                       fmt::format("must be finite and at most 1e100, got {}", prior.mean[i]));
  for (std::size_t i = 0; i < prior.variance.size(); ++i)
    check_positive(fmt::format("reward.variance[{}]", i), prior.variance[i]);
  check_positive("reward.noise_variance", prior.noise_variance);
}

void validate_prior(const BetaRewards& prior, Index) {
  check_positive("reward.a", prior.a);
  check_positive("reward.b", prior.b);
}

RewardPosterior posterior(const GaussianRewards& prior, Index pair, double count, double sum) {
  const double prior_variance = of_pair(prior.variance, pair);
  const double variance = 1.0 / (1.0 / prior_variance + count / prior.noise_variance);
  const double mean =
      (of_pair(prior.mean, pair) / prior_variance + sum / prior.noise_variance) * variance;
  return {mean, variance};
}

RewardPosterior posterior(const BetaRewards& prior, Index, double count, double sum) {
  const double a = prior.a + sum;
  const double b = prior.b + (count - sum);
  return {a / (a + b), beta_variance_proxy(a, b)};
}

double sample(const GaussianRewards& prior, Index pair, double count, double sum,
              RandomStream& random) {
  const RewardPosterior p = posterior(prior, pair, count, sum);
  return p.mean + std::sqrt(p.variance) * random.normal();
}

double sample(const BetaRewards& prior, Index, double count, double sum, RandomStream& random) {
  return random.beta(prior.a + sum, prior.b + (count - sum));
}

}  // namespace

void validate(const RewardPrior& prior, Index pairs) {
  std::visit([&](const auto& p) { validate_prior(p, pairs); }, prior);
}

void check_observable(const RewardPrior& prior, double reward) {
  if (!(std::abs(reward) <= 1e100))
    throw InputError("reward", fmt::format("must be finite and at most 1e100, got {}", reward));
  if (std::holds_alternative<BetaRewards>(prior) && reward != 0.0 && reward != 1.0)
    throw InputError("reward", fmt::format("must be 0 or 1 under a Beta prior, got {}", reward));
}

RewardPosterior posterior_of(const RewardPrior& prior, Index pair, double count, double sum) {
  return std::visit([&](const auto& p) { return posterior(p, pair, count, sum); }, prior);
}

double sample_reward(const RewardPrior& prior, Index pair, double count, double sum,
                     RandomStream& random) {
  return std::visit([&](const auto& p) { return sample(p, pair, count, sum, random); }, prior);
}

}  // namespace vapor
