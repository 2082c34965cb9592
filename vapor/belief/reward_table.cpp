#include "vapor/belief/reward_table.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vapor {

RewardTable::RewardTable(RewardPrior prior, Index pools, double repeat)
    : prior_(std::move(prior)), repeat_(repeat), visits_(pools, 0.0), reward_sum_(pools, 0.0) {
  validate(prior_, pools);
  if (learns_noise()) squares_.assign(pools, 0.0);
  share();
}

void RewardTable::add(Index pool, double reward) {
  if (learns_noise()) {
    // Welford (1962).
    const double n = visits_[pool];
    const double before = n > 0.0 ? reward - reward_sum_[pool] / n : 0.0;
    const double after = reward - (reward_sum_[pool] + reward) / (n + 1.0);
    squares_[pool] += before * after;
    seen_range_.low = std::min(seen_range_.low, reward);
    seen_range_.high = std::max(seen_range_.high, reward);
  }
  visits_[pool] += 1.0;
  reward_sum_[pool] += reward;
}

void RewardTable::add_return(double sum) { best_return_ = std::max(best_return_, sum); }

double RewardTable::upside(const NormalGammaRewards& prior, double prior_mean) const {
  constexpr double kOfDownside = 0.1;
  const RewardRange range =
      prior.range.value_or(RewardRange{seen_range_.low, std::max(seen_range_.high, best_return_)});
  if (!(range.size() > 0.0)) return 1.0;  // nothing but 0 was ever paid
  return std::max(range.high - prior_mean, kOfDownside * (prior_mean - range.low));
}

SharedLevel RewardTable::shared_level(const NormalGammaRewards& prior) const {
  SharedLevel level;
  const RewardRange range = prior.range.value_or(seen_range_);
  level.prior_mean = std::clamp(0.0, range.low, range.high);
  if (range.size() > 0.0) level.range = range.size();  // else 1: nothing but 0 was ever paid
  level.upside = upside(prior, level.prior_mean);
  const double square = level.range * level.range;
  double sum = prior.first_weight * prior.first_level * square;
  double squared_means = sum;
  double weight = prior.first_weight;
  double noisy_sum = 0.0, noisy = 0.0, quiet = 0.0;
  level.quiet_variance = prior.least_level * square;
  for (std::size_t pool = 0; pool < visits_.size(); ++pool) {
    if (visits_[pool] < 2.0) continue;
    const double variance = squares_[pool] / (visits_[pool] - 1.0);
    sum += variance;
    const double mean = reward_sum_[pool] / visits_[pool] - level.prior_mean;
    squared_means += std::max(0.0, mean * mean - variance / visits_[pool]);
    weight += 1.0;
    const bool is_noisy = variance > level.quiet_variance;
    noisy_sum += is_noisy ? variance : 0.0;
    (is_noisy ? noisy : quiet) += 1.0;
  }
  constexpr double kNoiseOfOneReward = 4.0;  // from what ratio on mu_0 weighs as much as a reward
  level.mean_weight = std::min(1.0, kNoiseOfOneReward * sum / squared_means);
  level.variance = std::max(level.quiet_variance, sum / weight);
  if (noisy > 0.0) {
    level.noisy_share = noisy / (noisy + quiet + 1.0);  // never 1: the next may be quiet
    level.noisy_variance = noisy_sum / noisy;
  }
  return level;
}

bool RewardTable::share() {
  if (!learns_noise()) return false;
  const SharedLevel before = shared_;
  shared_ = shared_level(std::get<NormalGammaRewards>(prior_));
  return shared_ != before;
}

RewardSums RewardTable::seen(Index pool) const {
  return {.count = repeat_ * visits_[pool],
          .sum = repeat_ * reward_sum_[pool],
          .squares = squares_.empty() ? 0.0 : repeat_ * squares_[pool]};
}

RewardPosterior RewardTable::posterior(Index pool) const {
  return posterior_of(prior_, pool, seen(pool), shared_);
}

double RewardTable::sample(Index pool, RandomStream& random) const {
  return sample_reward(prior_, pool, seen(pool), random, shared_);
}

double RewardTable::unit() const {
  if (!learns_noise()) return 1.0;
  int exponent = 0;
  std::frexp(shared_.range, &exponent);
  return std::ldexp(1.0, exponent);
}

void RewardTable::archive(Archive& archive) {
  archive(visits_);
  archive(reward_sum_);
  if (!learns_noise()) return;
  archive(squares_);
  archive(seen_range_);
  if (!std::get<NormalGammaRewards>(prior_).range) archive(best_return_);  // else it is not read
}

bool RewardTable::fits(Index pools) const {
  const auto size = static_cast<std::size_t>(pools);
  return visits_.size() == size && reward_sum_.size() == size &&
         squares_.size() == (learns_noise() ? size : 0);
}

}  // namespace vapor
