#include "vapor/belief/reward_belief.h"

#include <fmt/format.h>

#include <algorithm>
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

void check_all_positive(const std::string& field, const std::vector<double>& table) {
  for (std::size_t i = 0; i < table.size(); ++i)
    check_positive(fmt::format("{}[{}]", field, i), table[i]);
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
  check_all_positive("reward.variance", prior.variance);
  check_positive("reward.noise_variance", prior.noise_variance);
}

void validate_prior(const BetaRewards& prior, Index pairs) {
  check_size("reward.a", prior.a.size(), pairs);
  check_size("reward.b", prior.b.size(), pairs);
  check_all_positive("reward.a", prior.a);
  check_all_positive("reward.b", prior.b);
}

void validate_prior(const NormalGammaRewards& prior, Index) {
  check_positive("reward.first_level", prior.first_level);
  check_positive("reward.first_weight", prior.first_weight);
  check_positive("reward.least_level", prior.least_level);
  if (!prior.range) return;
  const auto [low, high] = *prior.range;
  if (!(std::abs(low) <= 1e100 && std::abs(high) <= 1e100 && low < high))
    throw InputError("reward.range", fmt::format("must be low < high, got {}..{}", low, high));
}

RewardPosterior posterior(const GaussianRewards& prior, Index pair, const RewardSums& seen,
                          const SharedLevel&) {
  const double prior_variance = of_pair(prior.variance, pair);
  const double variance = 1.0 / (1.0 / prior_variance + seen.count / prior.noise_variance);
  const double mean =
      (of_pair(prior.mean, pair) / prior_variance + seen.sum / prior.noise_variance) * variance;
  return {mean, variance};
}

RewardPosterior posterior(const BetaRewards& prior, Index pair, const RewardSums& seen,
                          const SharedLevel&) {
  const double a = of_pair(prior.a, pair) + seen.sum;
  const double b = of_pair(prior.b, pair) + (seen.count - seen.sum);
  return {a / (a + b), beta_variance_proxy(a, b)};
}

// Normal-inverse-gamma after n > 0 rewards (Murphy, 2007, "Conjugate Bayesian analysis of the
// Gaussian distribution", section 6, with alpha_0 = 1).
struct NormalGamma {
  double mu = 0.0, kappa = 1.0, alpha = 1.0, beta = 1.0;
};

NormalGamma normal_gamma(const RewardSums& seen, const SharedLevel& shared, double level) {
  const double n = seen.count;
  const double kappa = shared.mean_weight + n;
  const double distance = seen.sum / n - shared.prior_mean;
  return {
      .mu = (shared.mean_weight * shared.prior_mean + seen.sum) / kappa,
      .kappa = kappa,
      .alpha = 1.0 + 0.5 * n,
      .beta = level + 0.5 * (seen.squares + shared.mean_weight * n / kappa * distance * distance)};
}

double variance_of(const NormalGamma& p) { return p.beta / ((p.alpha - 1.0) * p.kappa); }

// What the two views of the level of noise make of a pair: the one that leaves more doubt counts.
struct Views {
  NormalGamma shared;
  NormalGamma noisy, quiet;
  double probability_noisy = 0.0;

  double mixed_variance() const {
    return probability_noisy * variance_of(noisy) + (1.0 - probability_noisy) * variance_of(quiet);
  }
  bool mixture_counts() const {
    return probability_noisy > 0.0 && mixed_variance() > variance_of(shared);
  }
};

Views views_of(const RewardSums& seen, const SharedLevel& level) {
  Views views;
  views.shared = normal_gamma(seen, level, level.variance);
  if (level.noisy_share <= 0.0) return views;
  views.noisy = normal_gamma(seen, level, level.noisy_variance);
  views.quiet = normal_gamma(seen, level, level.quiet_variance);
  // p(rewards | beta_0) is beta_0^alpha_0 / beta^alpha times what the two have in common.
  const double log_odds = std::log(level.noisy_share / (1.0 - level.noisy_share)) +
                          std::log(level.noisy_variance / level.quiet_variance) -
                          views.noisy.alpha * std::log(views.noisy.beta / views.quiet.beta);
  views.probability_noisy = 1.0 / (1.0 + std::exp(-log_odds));
  return views;
}

RewardPosterior posterior(const NormalGammaRewards&, Index, const RewardSums& seen,
                          const SharedLevel& shared) {
  const double most = shared.upside * shared.upside;
  if (seen.count <= 0.0) return {shared.prior_mean, most};  // no variance is finite yet
  const Views views = views_of(seen, shared);
  const double variance =
      views.mixture_counts() ? views.mixed_variance() : variance_of(views.shared);
  return {views.shared.mu, std::min(most, variance)};
}

double sample(const GaussianRewards& prior, Index pair, const RewardSums& seen,
              RandomStream& random, const SharedLevel& shared) {
  const RewardPosterior p = posterior(prior, pair, seen, shared);
  return p.mean + std::sqrt(p.variance) * random.normal();
}

double sample(const BetaRewards& prior, Index pair, const RewardSums& seen, RandomStream& random,
              const SharedLevel&) {
  return random.beta(of_pair(prior.a, pair) + seen.sum,
                     of_pair(prior.b, pair) + (seen.count - seen.sum));
}

double sample(const NormalGammaRewards&, Index, const RewardSums& seen, RandomStream& random,
              const SharedLevel& shared) {
  if (seen.count <= 0.0) return shared.prior_mean + shared.upside * random.normal();
  const Views views = views_of(seen, shared);
  NormalGamma p = views.shared;
  if (views.mixture_counts())
    p = random.uniform() < views.probability_noisy ? views.noisy : views.quiet;
  const double noise_variance = p.beta / random.gamma(p.alpha);
  return p.mu + std::sqrt(noise_variance / p.kappa) * random.normal();
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

RewardPosterior posterior_of(const RewardPrior& prior, Index pair, const RewardSums& seen,
                             const SharedLevel& shared) {
  return std::visit([&](const auto& p) { return posterior(p, pair, seen, shared); }, prior);
}

double sample_reward(const RewardPrior& prior, Index pair, const RewardSums& seen,
                     RandomStream& random, const SharedLevel& shared) {
  return std::visit([&](const auto& p) { return sample(p, pair, seen, random, shared); }, prior);
}

}  // namespace vapor
