// Rewards of unknown mean and unknown noise: the posterior against hand-worked numbers and against
// numerical integration, its draws against Student's t, and what the pairs share.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/belief/kolmogorov_smirnov.h"
#include "vapor/belief/reward_table.h"
#include "vapor/belief/tabular_belief.h"

namespace vapor {
namespace {

constexpr SharedLevel kLevel{.prior_mean = 0.0, .range = 1.0, .variance = 0.05};

RewardSums sums_of(const std::vector<double>& rewards) {
  RewardSums sums;
  for (double r : rewards) sums.sum += r;
  sums.count = static_cast<double>(rewards.size());
  for (double r : rewards) sums.squares += std::pow(r - sums.sum / sums.count, 2);
  return sums;
}

RewardPosterior posterior_after(const std::vector<double>& rewards,
                                const SharedLevel& level = kLevel) {
  return posterior_of(NormalGammaRewards{}, 0, sums_of(rewards), level);
}

// Rewards 1 and 0: kappa 3, mu 1/3, alpha 2, beta = .05 + (.5 + 2 (1/4) / 3) / 2 = .3833...
TEST(NormalGamma, ThePosteriorIsTheOneWorkedByHand) {
  const RewardPosterior p = posterior_after({1.0, 0.0});
  EXPECT_NEAR(p.mean, 1.0 / 3.0, 1e-15);
  EXPECT_NEAR(p.variance, (0.05 + 0.5 * (0.5 + 1.0 / 6.0)) / (1.0 * 3.0), 1e-15);
}

TEST(NormalGamma, AnUntriedPairSitsAtTheUpsideAndAPairThatPaidNothingAtTheLevel) {
  EXPECT_EQ(posterior_after({}).variance, 1.0);
  EXPECT_NEAR(posterior_after({0.0}).variance, 0.05, 1e-15);  // beta_0 / (1/2 * 2)
  EXPECT_NEAR(posterior_after({1.0}, {.variance = 1e-5}).variance, 0.25 + 1e-5, 1e-15)
      << "a surprising reward leaves doubt";
  EXPECT_EQ(posterior_after({5.0}).variance, 1.0) << "never above the squared upside";
}

// kappa_0 = 1/4, reward 1: kappa 5/4, mu 4/5, alpha 3/2, beta = 1e-5 + (1/4) / (5/4) / 2 = .1 +
// 1e-5.
TEST(NormalGamma, ALightPriorMeanIsSoonForgotten) {
  const RewardPosterior p = posterior_after({1.0}, {.mean_weight = 0.25, .variance = 1e-5});
  EXPECT_NEAR(p.mean, 0.8, 1e-15);
  EXPECT_NEAR(p.variance, (0.1 + 1e-5) / (0.5 * 1.25), 1e-15);
}

// The density of the mean is the integral over the noise variance v of
//   N(m | mu_0, v) InvGamma(v | 1, beta_0) prod N(r_i | m, v).
TEST(NormalGamma, MeanAndVarianceAreThoseOfTheIntegral) {
  const std::vector<double> rewards = {0.9, 0.2, 0.6, 0.7};
  double total = 0.0, first = 0.0, second = 0.0;
  for (double m = -6.0; m <= 7.0; m += 0.005) {
    double density = 0.0;
    for (double log_v = -9.0; log_v <= 9.0; log_v += 0.02) {
      const double v = std::exp(log_v);
      double log_p = log_v;  // dv = v dlog v
      log_p += -2.0 * std::log(v) - kLevel.variance / v;
      log_p += -0.5 * std::log(v) - 0.5 * m * m / v;
      for (double r : rewards) log_p += -0.5 * std::log(v) - 0.5 * (r - m) * (r - m) / v;
      density += std::exp(log_p);
    }
    total += density;
    first += m * density;
    second += m * m * density;
  }
  const double mean = first / total;
  const RewardPosterior p = posterior_after(rewards);
  EXPECT_NEAR(p.mean, mean, 1e-6);
  EXPECT_NEAR(p.variance, second / total - mean * mean, 1e-4 * p.variance);
}

// A mean drawn is mu + sqrt(beta / (alpha kappa)) t, t of 2 alpha degrees of freedom: here against
// z / sqrt(chi^2 / dof) with chi^2 a sum of squares.
TEST(NormalGamma, DrawsAreStudentsT) {
  const RewardSums seen = sums_of({0.9, 0.2, 0.6, 0.7});
  const double kappa = 5.0, alpha = 3.0, mu = 2.4 / kappa;
  const double beta = 0.05 + 0.5 * (seen.squares + 4.0 / kappa * 0.36);
  RandomStream random(3);
  std::vector<double> drawn, expected;
  for (int i = 0; i < 20000; ++i) {
    drawn.push_back(sample_reward(NormalGammaRewards{}, 0, seen, random, kLevel));
    double chi_square = 0.0;
    for (int k = 0; k < 6; ++k) {
      const double z = random.normal();
      chi_square += z * z;
    }
    const double t = random.normal() / std::sqrt(chi_square / 6.0);
    expected.push_back(mu + std::sqrt(beta / (alpha * kappa)) * t);
  }
  EXPECT_LT(test_support::kolmogorov_smirnov(drawn, expected), 1.95);
}

TEST(NormalGamma, BeforeTheFirstRewardADrawHasTheUpsideAsItsDeviation) {
  RandomStream random(4);
  double sum = 0.0, squares = 0.0;
  constexpr int n = 20000;
  for (int i = 0; i < n; ++i) {
    const double x = sample_reward(NormalGammaRewards{}, 0, {}, random, {.upside = 3.0});
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / n, 0.0, 5.0 * 3.0 / std::sqrt(n));
  EXPECT_NEAR(squares / n, 9.0, 5.0 * 9.0 * std::sqrt(2.0 / n));
}

RewardTable table_of(const std::vector<std::vector<double>>& rewards, NormalGammaRewards prior) {
  RewardTable table(prior, static_cast<Index>(rewards.size()), 1.0);
  for (std::size_t pool = 0; pool < rewards.size(); ++pool)
    for (double r : rewards[pool]) table.add(static_cast<Index>(pool), r);
  table.share();
  return table;
}

// Pools seen twice: of variances 1/2 and 0; (0.1 * 0.05 + 1/2 + 0) / (0.1 + 2) = 0.2404...
TEST(RewardTable, TheLevelOfNoiseIsSharedOverPools) {
  const NormalGammaRewards prior{.range = RewardRange{0.0, 1.0}};
  const RewardTable table = table_of({{1.0, 0.0}, {0.0, 0.0}, {0.0}, {}}, prior);
  const double level = (0.1 * 0.05 + 0.5) / 2.1;
  EXPECT_NEAR(table.posterior(2).variance, level, 1e-15) << "one reward of 0 leaves the level";
  EXPECT_NEAR(table.posterior(1).variance, level / (1.0 * 3.0), 1e-15);
  const RewardTable quiet = table_of({std::vector<double>(9, 0.0), {0.0}}, prior);
  EXPECT_NEAR(quiet.posterior(1).variance, 0.1 * 0.05 / 1.1, 1e-15);
}

// One pair in a hundred is noisy, at level 1, the others are quiet. A pair whose only reward is
// 0.12 is as likely to be a noisy one as its odds say:
//   (1/100 / (99/100)) (beta_n / beta_q) ((beta_q + c) / (beta_n + c))^(3/2),   c = 0.12^2 / 4.
TEST(NormalGamma, AnOddRewardAmongQuietOnesMayBeOfANoisyPair) {
  SharedLevel level{.prior_mean = 0.0, .range = 1.0, .variance = 0.01};
  level.noisy_share = 0.01;
  level.noisy_variance = 1.0;
  level.quiet_variance = 1e-5;
  const double c = 0.12 * 0.12 / 4.0;
  const double odds = 0.01 / 0.99 * 1e5 * std::pow((1e-5 + c) / (1.0 + c), 1.5);
  const double p = odds / (1.0 + odds);
  const double mixed = p * (1.0 + c) + (1.0 - p) * (1e-5 + c);  // each beta / (1/2 * 2)
  ASSERT_GT(mixed, 0.01 + c) << "more doubt than the shared level leaves";
  EXPECT_NEAR(posterior_after({0.12}, level).variance, mixed, 1e-12);
  EXPECT_NEAR(posterior_after({0.0}, level).variance, 0.01, 1e-12) << "0 is what quiet pairs pay";
  // Two rewards that differ are no quiet pair's.
  EXPECT_GT(posterior_after({0.12, 0.33}, level).variance, 0.1);
  RandomStream random(5);
  double squares = 0.0;
  constexpr int n = 50000;
  for (int i = 0; i < n; ++i) {
    const double x =
        sample_reward(NormalGammaRewards{}, 0, sums_of({0.12, 0.3, 0.1, 0.2, 0.5}), random, level);
    squares += (x - 1.22 / 6.0) * (x - 1.22 / 6.0);
  }
  EXPECT_NEAR(squares / n, posterior_after({0.12, 0.3, 0.1, 0.2, 0.5}, level).variance,
              0.05 * squares / n);
}

// The stochastic sea has noise in two corners alone: before pairs were noisy or quiet, a treasure
// whose first reward was 0.12 was settled there, and the seed was lost for hundreds of episodes.
TEST(RewardTable, APairIsNoisyOnceItsRewardsDiffer) {
  std::vector<std::vector<double>> seen(100, {0.0, 0.0});
  seen[0] = {0.9, -1.1, 0.3, -0.2};
  seen[1] = {0.12};
  seen[2] = {0.12, 0.33};
  const RewardTable table = table_of(seen, {.range = RewardRange{0.0, 1.0}});
  EXPECT_LT(std::sqrt(table.posterior(3).variance), 0.06);
  EXPECT_GT(std::sqrt(table.posterior(1).variance), 0.2);
  EXPECT_GT(std::sqrt(table.posterior(2).variance), 0.3);
}

// The trap of a level that is small and fixed: of two arms that pay 0 or 1, the better pays 0 first
// and is believed worth 0 for certain while the other pays 1 now and then.
TEST(RewardTable, AGoodPairThatPaysNothingFirstIsNotGivenUp) {
  const std::vector<double> other = {1.0, 0.0, 0.0, 1.0, 0.0, 0.0};
  const SharedLevel fixed{.prior_mean = 0.0, .range = 1.0, .variance = 1e-5};
  EXPECT_LT(std::sqrt(posterior_after({0.0}, fixed).variance),
            0.02 * posterior_after(other, fixed).mean)
      << "settled: the other arm's mean is 50 deviations away";
  const RewardTable shared = table_of({{0.0}, other}, {.range = RewardRange{0.0, 1.0}});
  EXPECT_GT(std::sqrt(shared.posterior(0).variance), shared.posterior(1).mean)
      << "within a deviation of the other arm";
}

TEST(RewardTable, TheRangeIsKnownOrLearned) {
  EXPECT_EQ(table_of({{}}, {}).posterior(0).variance, 1.0) << "nothing seen";
  EXPECT_EQ(table_of({{}, {0.0}}, {}).posterior(0).variance, 1.0) << "nothing but 0";
  EXPECT_EQ(table_of({{}, {-3.0}, {5.0}}, {}).posterior(0).variance, 25.0) << "what it may gain";
  EXPECT_NEAR(table_of({{}, {-3.0}}, {}).posterior(0).variance, 0.09, 1e-15)
      << "a tenth of what others lost, where nothing was gained";
  const RewardTable known = table_of({{}, {-3.0}}, {.range = RewardRange{5.0, 7.0}});
  EXPECT_EQ(known.posterior(0).variance, 4.0);
  EXPECT_EQ(known.posterior(0).mean, 5.0) << "what is nearest to 0 in the range";
}

// The ladder of examples/gymnasium_table.py: a sure 0.05 a step is seen first, and what is untried
// must still be worth an episode of it.
TEST(RewardTable, AnUntriedPairMayPayAsMuchAsTheBestEpisode) {
  for (bool known : {false, true}) {
    NormalGammaRewards prior;
    if (known) prior.range = RewardRange{0.0, 0.1};
    RewardTable table = table_of({{}, {0.05, 0.05}}, prior);
    table.add_return(1.0);
    table.add_return(0.4);
    table.share();
    EXPECT_NEAR(table.posterior(0).variance, known ? 0.01 : 1.0, 1e-15);
    EXPECT_EQ(table.unit(), known ? 0.125 : 0.0625) << "noise is measured by rewards";
  }
}

// Rewards -1 and -100 without noise: w = 0.1 * 0.05 * 100^2 = 50, kappa_0 = 4 * 50 / (50 + 10001).
TEST(RewardTable, OneFallLeavesLittleDoubtWhereRewardsHaveNoNoise) {
  const RewardTable table = table_of({{-1.0, -1.0}, {-100.0, -100.0}, {-100.0}}, {});
  const double kappa_0 = 200.0 / 10051.0;
  EXPECT_NEAR(table.posterior(2).mean, -100.0 / (1.0 + kappa_0), 1e-10);
  EXPECT_LE(std::sqrt(table.posterior(2).variance), 10.0);
  // Where others were seen to be noisy it is looked at again.
  const RewardTable noisy = table_of({{-1.0, -99.0}, {-100.0, 0.0}, {-100.0}}, {});
  EXPECT_NEAR(noisy.posterior(2).mean, -50.0, 1e-10);
}

// Powers of two move no digit.
TEST(RewardTable, RewardsInOtherUnitsGiveTheSameBeliefInThoseUnits) {
  const std::vector<double> rewards = {0.1, 0.7, -0.3, 0.45};
  for (double unit : {1024.0, 1.0 / 1024.0})
    for (bool known : {true, false}) {
      NormalGammaRewards prior, scaled;
      if (known) {
        prior.range = RewardRange{-1.0, 1.0};
        scaled.range = RewardRange{-unit, unit};
      }
      RewardTable a(prior, 3, 1.0), b(scaled, 3, 1.0);
      for (double r : rewards)
        for (Index pool : {0, 1}) {
          a.add(pool, r * (1.0 + pool));
          b.add(pool, r * (1.0 + pool) * unit);
        }
      EXPECT_TRUE(a.share() && b.share());
      EXPECT_EQ(b.unit(), a.unit() * unit);
      for (Index pool = 0; pool < 3; ++pool) {
        EXPECT_EQ(b.posterior(pool).mean, unit * a.posterior(pool).mean);
        EXPECT_EQ(b.posterior(pool).variance, unit * unit * a.posterior(pool).variance);
        RandomStream x(7), y(7);
        EXPECT_EQ(b.sample(pool, y), unit * a.sample(pool, x));
      }
    }
}

TEST(RewardTable, RestoredItGoesOnAsIfUnbroken) {
  RewardTable unbroken(NormalGammaRewards{}, 2, 1.0);
  for (double r : {0.5, -2.0, 0.25}) unbroken.add(1, r);
  Archive saved;
  unbroken.archive(saved);
  RewardTable restored(NormalGammaRewards{}, 2, 1.0);
  Archive archive = Archive::restoring(saved.bytes());
  restored.archive(archive);
  archive.expect_end();
  EXPECT_TRUE(restored.fits(2));
  EXPECT_FALSE(restored.fits(3));
  for (RewardTable* table : {&unbroken, &restored}) {
    table->add(1, 1.0);
    table->share();
  }
  EXPECT_EQ(restored.posterior(0).variance, unbroken.posterior(0).variance);
  EXPECT_EQ(restored.posterior(1).variance, unbroken.posterior(1).variance);
}

TEST(NormalGamma, BadConstantsAreRefusedByField) {
  const auto blamed = [](NormalGammaRewards prior) -> std::string {
    try {
      RewardTable(prior, 1, 1.0);
    } catch (const InputError& error) {
      return error.place();
    }
    return "none";
  };
  EXPECT_EQ(blamed({}), "none");
  EXPECT_EQ(blamed({.range = RewardRange{1.0, 1.0}}), "reward.range");
  EXPECT_EQ(blamed({.first_level = 0.0}), "reward.first_level");
  EXPECT_EQ(blamed({.first_weight = -1.0}), "reward.first_weight");
  EXPECT_EQ(blamed({.least_level = 0.0}), "reward.least_level");
}

}  // namespace
}  // namespace vapor
