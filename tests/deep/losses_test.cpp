#include "vapor/deep/objective/losses.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "vapor/core/check.h"
#include "vapor/core/error.h"
#include "vapor/core/random.h"
#include "vapor/deep/closed_form.h"
#include "vapor/deep/objective/objective.h"

namespace vapor::deep {
namespace {

constexpr Index kActions = 4;

// A function of logits, and its slope by central differences. The logits are floats, as a network
// gives them, so the step is a power of two that leaves them exact.
using LogitLoss = std::function<double(const std::vector<float>&)>;

std::vector<double> slopes(const LogitLoss& loss, std::vector<float> logits) {
  constexpr float step = 0x1p-10F;
  std::vector<double> slope;
  for (float& x : logits) {
    const float at = x;
    x = at + step;
    const double above = loss(logits);
    x = at - step;
    slope.push_back((above - loss(logits)) / (2.0 * step));
    x = at;
  }
  return slope;
}

struct Case {
  std::vector<float> logits;
  std::vector<double> sigma;
};

Case random_case(std::uint64_t seed) {
  RandomStream random(seed);
  Case c;
  for (Index a = 0; a < kActions; ++a) {
    c.logits.push_back(std::ldexp(static_cast<float>(random.index(4096)) - 2048.0F, -10));
    c.sigma.push_back(random.uniform(0.01, 1.0));
  }
  return c;
}

struct Policy {
  std::vector<double> pi = std::vector<double>(kActions);
  std::vector<double> log_pi = std::vector<double>(kActions);
  explicit Policy(const std::vector<float>& logits) { softmax(logits.data(), pi, log_pi); }
};

void expect_near(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance) << "at " << i;
}

TEST(Losses, SoftmaxIsAProbabilityAndItsLogarithm) {
  const Policy p({1000.0F, 999.0F, -1000.0F, 0.0F});
  EXPECT_NEAR(p.pi[0], 1.0 / (1.0 + std::exp(-1.0)), 1e-15);
  EXPECT_NEAR(p.log_pi[2], -2000.0 - std::log1p(std::exp(-1.0)), 1e-9);
  EXPECT_NEAR(p.pi[0] + p.pi[1] + p.pi[2] + p.pi[3], 1.0, 1e-15);
}

TEST(Losses, PolicyLossHasTheGradientOfFiniteDifferences) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Case c = random_case(seed);
    const auto loss = [&](const std::vector<float>& logits) {
      const Policy p(logits);
      std::vector<double> ignored(kActions);
      return policy_loss(p.pi, p.log_pi, 2, -1.7, ignored);
    };
    const Policy p(c.logits);
    std::vector<double> gradient(kActions, 0.0);
    policy_loss(p.pi, p.log_pi, 2, -1.7, gradient);
    expect_near(gradient, slopes(loss, c.logits), 1e-6);
  }
}

TEST(Losses, ImprovementLossHasTheGradientOfFiniteDifferencesForEveryObjective) {
  std::vector<Objective> objectives = {RiskSeeking{}};
  for (const Optimism optimism : {Optimism::kOff, Optimism::kSampled, Optimism::kExpected})
    for (const Entropy entropy : {Entropy::kNone, Entropy::kFixed, Entropy::kStateAction})
      objectives.push_back(make_objective({optimism, entropy, 0.7}));
  for (const Objective& objective : objectives)
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const Case c = random_case(seed);
      const auto loss = [&](const std::vector<float>& logits) {
        const Policy p(logits);
        std::vector<double> ignored(kActions);
        return improvement_loss(objective, {p.pi, p.log_pi, c.sigma, 0.3}, 1.3, ignored);
      };
      const Policy p(c.logits);
      std::vector<double> gradient(kActions, 0.0);
      improvement_loss(objective, {p.pi, p.log_pi, c.sigma, 0.3}, 1.3, gradient);
      expect_near(gradient, slopes(loss, c.logits), 1e-6);
    }
}

// Some of these pairs have a lambda beyond exp(-1/2), where the slope ends.
TEST(Losses, OccupancyLossHasTheGradientOfFiniteDifferences) {
  const Objective objective = make_objective({Optimism::kOccupancy, Entropy::kNone});
  int beyond = 0;
  for (const double log_mu : {0.0, -0.5, -4.0})
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Case c = random_case(seed);
      const auto loss = [&](const std::vector<float>& logits) {
        const Policy p(logits);
        std::vector<double> ignored(kActions);
        return improvement_loss(objective, {p.pi, p.log_pi, c.sigma, 1.0, log_mu}, 1.3, ignored);
      };
      const Policy p(c.logits);
      for (const double l : p.log_pi) beyond += l + log_mu > -0.5 ? 1 : 0;
      std::vector<double> gradient(kActions, 0.0);
      improvement_loss(objective, {p.pi, p.log_pi, c.sigma, 1.0, log_mu}, 1.3, gradient);
      expect_near(gradient, slopes(loss, c.logits), 1e-5);
    }
  EXPECT_GT(beyond, 5);
}

// min over tau of sigma^2 / (2 tau) - tau log lambda is sigma sqrt(-2 log lambda), and the bonus in
// evaluation is the derivative of lambda times it.
TEST(Losses, OccupancyIsTheLeastOverTheTemperatures) {
  const std::vector<double> pi = {0.25, 0.75};
  const std::vector<double> log_pi = {std::log(0.25), std::log(0.75)};
  const std::vector<double> sigma = {0.8, 0.4};
  const double log_mu = std::log(0.1);
  const Objective objective = make_objective({Optimism::kOccupancy, Entropy::kNone});
  double least = 0.0;
  double slope = 0.0;
  for (std::size_t a = 0; a < 2; ++a) {
    const double log_lambda = log_mu + log_pi[a];
    const auto player = [&](double tau) {
      return sigma[a] * sigma[a] / (2.0 * tau) - tau * log_lambda;
    };
    double best = player(1e-3);
    for (int i = 1; i <= 2000; ++i) best = std::min(best, player(1e-3 * i));
    least += pi[a] * best;
    const auto whole = [&](double lambda) {
      return lambda * sigma[a] * std::sqrt(-2.0 * std::log(lambda));
    };
    const double lambda = std::exp(log_lambda);
    slope += pi[a] * (whole(lambda + 1e-6) - whole(lambda - 1e-6)) / 2e-6;
  }
  std::vector<double> ignored(2);
  const StateView s{pi, log_pi, sigma, 1.0, log_mu};
  EXPECT_NEAR(improvement_loss(objective, s, 1.0, ignored), -least, 1e-5);
  EXPECT_NEAR(evaluation_bonus(objective, s), slope, 1e-8);
}

// lambda sqrt(-2 log lambda) is greatest at exp(-1/2), with that value.
TEST(Losses, OccupancyKeepsItsGreatestValueBeyondIt) {
  const std::vector<double> pi = {0.75, 0.25};
  const std::vector<double> log_pi = {std::log(0.75), std::log(0.25)};
  const std::vector<double> sigma = {0.8, 0.0};
  const Objective objective = make_objective({Optimism::kOccupancy, Entropy::kNone});
  std::vector<double> gradient(2, 0.0);
  EXPECT_NEAR(improvement_loss(objective, {pi, log_pi, sigma}, 1.0, gradient),
              -0.8 * std::exp(-0.5), 1e-12);
  EXPECT_EQ(evaluation_bonus(objective, {pi, log_pi, sigma}), 0.0);
  EXPECT_EQ(gradient, std::vector<double>(2, 0.0));
}

// The loss itself, written out once for VAPOR-lite and once for the tuned scalar.
TEST(Losses, ImprovementLossIsTheObjectiveOfThePaper) {
  const Case c = random_case(1);
  const Policy p(c.logits);
  std::vector<double> ignored(kActions);
  double lite = 0.0;
  double tuned = 0.0;
  const double tau = 0.3;
  for (Index a = 0; a < kActions; ++a) {
    lite += p.pi[a] * c.sigma[a] * (1.0 - p.log_pi[a]);
    tuned += p.pi[a] * (c.sigma[a] * c.sigma[a] / (2.0 * tau) - tau * p.log_pi[a]);
  }
  EXPECT_NEAR(improvement_loss({}, {p.pi, p.log_pi, c.sigma, tau}, 1.0, ignored), -lite, 1e-12);
  const Objective ersac = make_objective({Optimism::kRiskSeeking, Entropy::kTuned, 1.0});
  EXPECT_NEAR(improvement_loss(ersac, {p.pi, p.log_pi, c.sigma, tau}, 1.0, ignored), -tuned, 1e-12);
}

TEST(Losses, TemperatureGradientIsThatOfFiniteDifferences) {
  const Case c = random_case(2);
  const Policy p(c.logits);
  std::vector<double> ignored(kActions);
  const Objective ersac = make_objective({Optimism::kRiskSeeking, Entropy::kTuned, 1.0});
  const auto value = [&](double tau) {
    return -improvement_loss(ersac, {p.pi, p.log_pi, c.sigma, tau}, 1.0, ignored);
  };
  EXPECT_NEAR(temperature_gradient({p.pi, p.log_pi, c.sigma, 0.4}),
              (value(0.4 + 1e-5) - value(0.4 - 1e-5)) / 2e-5, 1e-8);
}

TEST(Losses, EvaluationHasWhatTheObjectiveSays) {
  const std::vector<double> pi = {0.25, 0.75};
  const std::vector<double> log_pi = {std::log(0.25), std::log(0.75)};
  const std::vector<double> sigma = {0.8, 0.4};
  const StateView s{pi, log_pi, sigma, 0.5};
  EXPECT_DOUBLE_EQ(
      evaluation_bonus(make_objective({Optimism::kExpected, Entropy::kStateAction}), s), 0.5);
  EXPECT_DOUBLE_EQ(evaluation_bonus(make_objective({Optimism::kSampled, Entropy::kStateAction}), s),
                   0.0);
  EXPECT_DOUBLE_EQ(sampled_bonus(make_objective({Optimism::kSampled, Entropy::kStateAction}), 0.8),
                   0.8);
  EXPECT_DOUBLE_EQ(sampled_bonus(make_objective({Optimism::kExpected, Entropy::kStateAction}), 0.8),
                   0.0);
  EXPECT_DOUBLE_EQ(evaluation_bonus(make_objective({Optimism::kRiskSeeking, Entropy::kTuned}), s),
                   0.25 * 0.64 + 0.75 * 0.16);
  EXPECT_NEAR(evaluation_bonus(make_objective({Optimism::kOff, Entropy::kFixed, 2.0, true}), s),
              -2.0 * (0.25 * log_pi[0] + 0.75 * log_pi[1]), 1e-15);
}

TEST(Losses, AnOptimismWithAnEntropyOfItsOwnWantsThatOne) {
  EXPECT_THROW(make_objective({Optimism::kRiskSeeking, Entropy::kFixed}), InputError);
  EXPECT_THROW(make_objective({Optimism::kExpected, Entropy::kTuned}), InputError);
  EXPECT_NO_THROW(make_objective({Optimism::kRiskSeeking, Entropy::kTuned}));
  EXPECT_THROW(make_objective({Optimism::kOccupancy, Entropy::kStateAction}), InputError);
}

TEST(Losses, RefuseArraysOfAnotherLength) {
  const std::vector<double> two = {0.5, 0.5}, three = {0.2, 0.3, 0.5};
  std::vector<double> out(2), longer(3);
  EXPECT_THROW(policy_loss(two, three, 0, 1.0, out), InternalError);
  EXPECT_THROW(policy_loss(two, two, 0, 1.0, longer), InternalError);
  EXPECT_THROW(policy_loss(two, two, 2, 1.0, out), InternalError) << "there are actions 0 and 1";
  EXPECT_THROW(improvement_loss({}, {two, two, three}, 1.0, out), InternalError);
  EXPECT_THROW(improvement_loss({}, {two, two, two}, 1.0, longer), InternalError);
  EXPECT_THROW(evaluation_bonus({}, {two, three, two}), InternalError);
  EXPECT_THROW(soft_value(three, 1.0, out), InternalError);
}

// At pi = argmax of the closed form, the policy gradient of sum_a pi_a q_a plus the gradient over
// all actions vanish together, for any weight of the entropy.
TEST(Losses, TheClosedFormIsAFixedPointOfThePolicyGradient) {
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    for (const double w : {0.5, 1.0, 3.0}) {
      const Case c = random_case(seed);
      std::vector<double> q(c.logits.begin(), c.logits.end());
      std::vector<double> work = q;
      std::vector<double> pi(kActions);
      closed_form_policy(work, c.sigma, w, pi);
      std::vector<double> log_pi;
      for (const double p : pi) log_pi.push_back(std::log(std::max(p, 1e-300)));
      const Objective objective = make_objective({Optimism::kExpected, Entropy::kStateAction, w});
      std::vector<double> gradient(kActions, 0.0);
      improvement_loss(objective, {pi, log_pi, c.sigma, 1.0}, 1.0, gradient);
      // The expected policy gradient: action a is taken with probability pi_a.
      for (Index a = 0; a < kActions; ++a) policy_loss(pi, log_pi, a, pi[a] * q[a], gradient);
      for (const double g : gradient) EXPECT_NEAR(g, 0.0, 1e-9);
    }
}

// And it is the maximum: no other policy of many has a larger value.
TEST(Losses, TheClosedFormIsTheMaximum) {
  const Objective objective = make_objective({Optimism::kExpected, Entropy::kStateAction, 2.0});
  const Case c = random_case(3);
  const auto value = [&](const std::vector<double>& pi, const std::vector<double>& log_pi) {
    std::vector<double> ignored(kActions);
    double total = -improvement_loss(objective, {pi, log_pi, c.sigma, 1.0}, 1.0, ignored);
    for (Index a = 0; a < kActions; ++a) total += pi[a] * c.logits[a];
    return total;
  };
  std::vector<double> work(c.logits.begin(), c.logits.end());
  std::vector<double> pi(kActions);
  closed_form_policy(work, c.sigma, 2.0, pi);
  std::vector<double> log_pi;
  for (const double p : pi) log_pi.push_back(std::log(p));
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Policy other(random_case(1000 + seed).logits);
    EXPECT_GE(value(pi, log_pi), value(other.pi, other.log_pi));
  }
}

TEST(Losses, SquaredLossHasTheGradientOfFiniteDifferences) {
  double slope = 0.0;
  double ignored = 0.0;
  const double loss = squared_loss(1.5, 0.5, 3.0, slope);
  EXPECT_DOUBLE_EQ(loss, 1.5);
  EXPECT_NEAR(
      slope,
      (squared_loss(1.5 + 1e-5, 0.5, 3.0, ignored) - squared_loss(1.5 - 1e-5, 0.5, 3.0, ignored)) /
          2e-5,
      1e-8);
}

TEST(Losses, DuelingValuesAndTheirGradient) {
  const std::vector<float> outputs = {2.0F, 1.0F, -3.0F, 5.0F};
  std::vector<double> q(3);
  dueling_values(outputs.data(), q);
  EXPECT_THAT(q, testing::ElementsAre(2.0, -2.0, 6.0));
  // Loss: sum_a w_a q_a^2 / 2.
  const std::vector<double> w = {0.5, 2.0, 1.0};
  const auto loss = [&](const std::vector<float>& x) {
    std::vector<double> values(3);
    dueling_values(x.data(), values);
    double sum = 0.0;
    for (int a = 0; a < 3; ++a) sum += 0.5 * w[a] * values[a] * values[a];
    return sum;
  };
  std::vector<float> gradient(4, 0.0F);
  add_dueling_gradient(std::vector<double>{0.5 * q[0], 2.0 * q[1], 1.0 * q[2]}, gradient.data());
  expect_near({gradient.begin(), gradient.end()}, slopes(loss, outputs), 1e-5);
}

TEST(Losses, SoftValueIsTheLimitOfTheMaximumAndItsSlopeIsThePolicy) {
  const std::vector<double> q = {0.3, 0.1, 0.2};
  std::vector<double> pi(3);
  EXPECT_NEAR(soft_value(q, 1e-4, pi), 0.3, 1e-12);
  EXPECT_NEAR(pi[greedy_action(q)], 1.0, 1e-12);
  soft_value(q, 0.5, pi);
  std::vector<double> ignored(3);
  for (int a = 0; a < 3; ++a) {
    std::vector<double> above = q;
    std::vector<double> below = q;
    above[a] += 1e-5;
    below[a] -= 1e-5;
    EXPECT_NEAR((soft_value(above, 0.5, ignored) - soft_value(below, 0.5, ignored)) / 2e-5, pi[a],
                1e-9);
  }
}

}  // namespace
}  // namespace vapor::deep
