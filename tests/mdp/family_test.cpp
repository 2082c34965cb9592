#include "vapor/mdp/family.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "vapor/core/error.h"
#include "vapor/core/random.h"

namespace vapor {
namespace {

// A belief as a cloud of weighted points, dense enough to be its integral: the trapezoidal rule in
// a variable x in which the density falls off at both ends.
struct Cloud {
  std::vector<long double> value, weight;

  static Cloud of(const std::function<long double(long double)>& value_at,
                  const std::function<long double(long double)>& log_density, long double low,
                  long double high, int points = 40000) {
    Cloud cloud;
    const long double step = (high - low) / points;
    for (int i = 0; i <= points; ++i) {
      const long double x = low + i * step;
      cloud.value.push_back(value_at(x));
      cloud.weight.push_back(step * std::exp(log_density(x)));
    }
    return cloud;
  }

  long double mean(const std::function<long double(long double)>& f) const {
    long double sum = 0.0L, total = 0.0L;
    for (std::size_t i = 0; i < value.size(); ++i) {
      sum += weight[i] * f(value[i]);
      total += weight[i];
    }
    return sum / total;
  }

  void standardise() {
    const long double m = mean([](long double v) { return v; });
    for (long double& v : value) v -= m;
    const long double deviation = std::sqrt(mean([](long double v) { return v * v; }));
    for (long double& v : value) v /= deviation;
  }
};

// psi and its kin from the definition, in terms that do not cancel near 0.
Cumulants by_quadrature(const Cloud& cloud, double beta) {
  const auto remainder = [](long double z) -> long double {
    if (std::abs(z) > 1e-3L) return std::expm1(z) - z;
    return z * z / 2 * (1 + z / 3 * (1 + z / 4 * (1 + z / 5 * (1 + z / 6))));
  };
  const long double more = cloud.mean([&](long double z) { return remainder(beta * z); });
  const long double first = cloud.mean([&](long double z) { return z * std::expm1(beta * z); });
  const long double second = cloud.mean([&](long double z) { return z * z * std::exp(beta * z); });
  const long double psi = std::log1p(more);
  const long double slope = first / (1 + more);
  return {static_cast<double>(psi), static_cast<double>(slope),
          static_cast<double>(second / (1 + more) - slope * slope),
          static_cast<double>(beta * slope - psi)};
}

void expect_psi_of(const Family& family, Cloud cloud, const std::vector<double>& betas,
                   const std::string& what) {
  cloud.standardise();
  const long double largest = *std::max_element(cloud.value.begin(), cloud.value.end());
  for (double beta : betas) {
    constexpr double kLargestExponent = 5000.0;  // of the reference's long double
    if (beta >= family.limit() || beta * largest > kLargestExponent) continue;
    SCOPED_TRACE(what + " at beta = " + std::to_string(beta));
    const Cumulants got = family.at(beta);
    const Cumulants expected = by_quadrature(cloud, beta);
    EXPECT_NEAR(got.psi / expected.psi, 1.0, 2e-11);
    EXPECT_NEAR(got.slope / expected.slope, 1.0, 2e-11);
    // The reference cancels: second moments less squares.
    EXPECT_NEAR(got.curvature, expected.curvature,
                1e-9 * std::max(expected.curvature, expected.slope * expected.slope));
    EXPECT_NEAR(got.rate / expected.rate, 1.0, 5e-11);
  }
}

const std::vector<double> kBetas = {1e-5, 1e-3, 0.03, 0.2, 0.7, 1.3, 2.5, 6.0, 15.0};

Cloud beta_cloud(long double a, long double b) {
  return Cloud::of(
      [](long double x) { return 1 / (1 + std::exp(-x)); },
      [=](long double x) {
        return a * x - (a + b) * (x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)));
      },
      -90 / std::min(a, 2.0L), 90 / std::min(b, 2.0L), 120000);
}

TEST(Family, BetaIsItsIntegral) {
  for (const auto& [a, b] : std::vector<std::pair<double, double>>{
           {0.5, 0.5}, {1, 1}, {1, 7}, {7, 1}, {2, 3}, {20, 30}, {1, 200}, {200, 1}, {150, 90}})
    expect_psi_of(*beta_belief(a, b).family, beta_cloud(a, b), kBetas,
                  "Beta(" + std::to_string(a) + ", " + std::to_string(b) + ")");
}

// Beta(1, 1) is uniform: psi = log((exp(t) - 1) / t) - t / 2 with t = beta sqrt(12).
TEST(Family, UniformHasAClosedForm) {
  const FamilyPtr uniform = beta_belief(1.0, 1.0).family;
  for (double beta : {0.5, 3.0, 20.0, 1e3, 1e6}) {
    const long double t = beta * std::sqrt(12.0L);
    const long double psi = t / 2 + std::log(-std::expm1(-t)) - std::log(t);
    EXPECT_NEAR(uniform->at(beta).psi / static_cast<double>(psi), 1.0, 1e-13) << beta;
  }
}

TEST(Family, GammaIsItsIntegral) {
  for (double k : {0.1, 1.0, 4.0, 80.0})
    expect_psi_of(*gamma_belief(k, 2.0).family,
                  Cloud::of([](long double x) { return std::exp(x); },
                            [k](long double x) { return k * x - std::exp(x); }, -90 / k,
                            std::log(k + 4000.0L), 200000),
                  {1e-4, 0.01, 0.1, 0.25, 0.8, 1.8, 8.0}, "Gamma(" + std::to_string(k) + ")");
}

TEST(Family, LaplaceIsItsIntegral) {
  Cloud cloud = Cloud::of([](long double x) { return std::exp(x); },
                          [](long double x) { return x - std::exp(x); }, -90, std::log(4000.0L));
  const std::size_t half = cloud.value.size();
  for (std::size_t i = 0; i < half; ++i) {
    cloud.value.push_back(-cloud.value[i]);
    cloud.weight.push_back(cloud.weight[i]);
  }
  expect_psi_of(*laplace_belief(0.3, 2.0).family, cloud, {1e-4, 0.01, 0.5, 1.0, 1.3}, "Laplace");
}

TEST(Family, TwoPointsAreTheirSum) {
  for (double p : {1e-6, 0.01, 0.3, 0.5, 0.9, 0.9999})
    expect_psi_of(*two_point_belief(p, -2.0, 5.0).family, {{0, 1}, {1.0L - p, p}}, kBetas,
                  "two points " + std::to_string(p));
}

TEST(Family, SamplesAreTheirSum) {
  const std::vector<double> values = {-3.0, 0.1, 0.1, 2.0, 7.5};
  expect_psi_of(*sample_belief(values).family, {{-3, 0.1, 0.1, 2, 7.5}, {1, 1, 1, 1, 1}}, kBetas,
                "samples");
  expect_psi_of(*sample_belief(values, {1, 2, 3, 4, 5}).family,
                {{-3, 0.1, 0.1, 2, 7.5}, {1, 2, 3, 4, 5}}, kBetas, "weighted samples");
}

TEST(Family, AMixtureIsTheMixtureOfIntegrals) {
  const PairBelief mixture =
      mixture_belief({{0.3, beta_belief(2.0, 5.0, -1.0, 3.0)}, {0.7, two_point_belief(0.2, 0, 1)}});
  Cloud cloud = beta_cloud(2, 5);
  long double total = 0.0L;
  for (long double w : cloud.weight) total += w;
  for (std::size_t i = 0; i < cloud.value.size(); ++i) {
    cloud.value[i] = -1 + 4 * cloud.value[i];
    cloud.weight[i] *= 0.3L / total;
  }
  for (const auto& [value, weight] : {std::pair{1.0L, 0.7L * 0.2L}, {0.0L, 0.7L * 0.8L}}) {
    cloud.value.push_back(value);
    cloud.weight.push_back(weight);
  }
  expect_psi_of(*mixture.family, cloud, kBetas, "mixture");
}

// The mixture of Gaussians N(0, 1) and N(0, 1) is one.
TEST(Family, AMixtureOfTheSameGaussianIsGaussian) {
  const PairBelief same = mixture_belief({{1.0, {2.0, 3.0, {}}}, {4.0, {2.0, 3.0, {}}}});
  EXPECT_DOUBLE_EQ(same.mean, 2.0);
  EXPECT_DOUBLE_EQ(same.sigma, 3.0);
  for (double beta : {1e-3, 0.5, 5.0, 30.0})
    EXPECT_NEAR(same.family->at(beta).psi, 0.5 * beta * beta, 1e-12 * beta * beta);
}

TEST(Family, MeansAndDeviations) {
  const PairBelief beta = beta_belief(2.0, 6.0, 1.0, 5.0);
  EXPECT_DOUBLE_EQ(beta.mean, 2.0);
  EXPECT_DOUBLE_EQ(beta.sigma, 4.0 * std::sqrt(2.0 * 6.0 / (64.0 * 9.0)));
  const PairBelief gamma = gamma_belief(4.0, 0.5);
  EXPECT_DOUBLE_EQ(gamma.mean, 2.0);
  EXPECT_DOUBLE_EQ(gamma.sigma, 1.0);
  EXPECT_DOUBLE_EQ(laplace_belief(1.0, 3.0).sigma, 3.0 * std::numbers::sqrt2);
  const PairBelief bounded = bounded_belief(0.25, 0.0, 1.0);
  EXPECT_DOUBLE_EQ(bounded.sigma, std::sqrt(0.25 * 0.75));
  EXPECT_DOUBLE_EQ(bounded.family->atom(), 0.25);
}

// Of all beliefs on an interval with a mean the two ends have the largest psi, and that is below
// Hoeffding's.
TEST(Family, TwoPointsBoundEveryBeliefOnTheInterval) {
  for (const auto& [a, b] : std::vector<std::pair<double, double>>{{0.4, 2}, {1, 1}, {3, 1}}) {
    const PairBelief inside = beta_belief(a, b);
    const PairBelief ends = bounded_belief(inside.mean, 0.0, 1.0);
    for (double beta : {0.01, 0.5, 4.0, 60.0}) {
      const double psi = ends.family->at(beta * ends.sigma).psi;
      EXPECT_LE(inside.family->at(beta * inside.sigma).psi, psi);
      EXPECT_LE(psi, beta * beta / 8.0 * (1.0 + 1e-12));
    }
  }
}

// Marchal and Arbel (2017): a Beta is sub-Gaussian with variance 1 / (4 (a + b + 1)).
TEST(Family, BetaIsBelowItsVarianceProxy) {
  for (double a : {0.3, 1.0, 4.0, 60.0})
    for (double b : {0.3, 1.0, 4.0, 60.0}) {
      const PairBelief belief = beta_belief(a, b);
      for (double beta : {0.1, 2.0, 30.0, 500.0})
        EXPECT_LE(belief.family->at(beta * belief.sigma).psi,
                  beta * beta / (8.0 * (a + b + 1.0)) * (1.0 + 1e-11));
    }
}

CumulantFunction gaussian_function(double sigma) {
  return {.values = [sigma](double beta) -> CumulantValues {
    return {0.5 * sigma * sigma * beta * beta, sigma * sigma * beta, sigma * sigma};
  }};
}

std::string refusal(const std::function<void()>& f) {
  try {
    f();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Family, AFunctionOfOnesOwn) {
  const PairBelief own = function_belief(1.0, gaussian_function(3.0));
  EXPECT_DOUBLE_EQ(own.sigma, 3.0);
  EXPECT_DOUBLE_EQ(own.family->at(0.5).psi, 0.125);
}

TEST(Family, AFunctionThatIsNotACumulantGeneratingFunctionIsRefused) {
  const auto refused = [](auto psi) {
    CumulantFunction function;
    function.values = psi;
    return refusal([&] { function_belief(0.0, function); });
  };
  EXPECT_EQ(refused([](double b) -> CumulantValues { return {1 + b * b, 2 * b, 2}; }),
            "function: psi(0) must be 0, got 1");
  EXPECT_NE(refused([](double b) -> CumulantValues {
              return {b + b * b, 1 + 2 * b, 2};
            }).find("psi'(0) must be 0"),
            std::string::npos);
  EXPECT_NE(refused([](double b) -> CumulantValues {
              return {1 - std::cos(b), std::sin(b), std::cos(b)};
            }).find("is not convex"),
            std::string::npos);
  EXPECT_NE(refused([](double b) -> CumulantValues {
              return {b * b / 2, 2 * b, 1};
            }).find("psi' is not its derivative"),
            std::string::npos);
  EXPECT_NE(refused([](double b) -> CumulantValues {
              return {b * b / 2, b, b == 0 ? 1.0 : 3.0};
            }).find("psi'' is not the derivative"),
            std::string::npos);
  EXPECT_NE(refused([](double b) -> CumulantValues {
              return {-std::log1p(-b) - b, b / (1 - b), 1 / ((1 - b) * (1 - b))};
            }).find("is not finite"),
            std::string::npos);
  EXPECT_THROW(function_belief(0.0, {.values = [](double) -> CumulantValues {
                                 throw std::runtime_error("mine");
                               }}),
               std::runtime_error);
}

TEST(Family, ParametersOutOfRangeAreRefused) {
  EXPECT_EQ(refusal([] { beta_belief(-1.0, 2.0); }),
            "alpha: must be between 0.01 and 1000000, got -1");
  EXPECT_EQ(refusal([] { beta_belief(1.0, std::nan("")); }),
            "beta: must be between 0.01 and 1000000, got nan");
  EXPECT_EQ(refusal([] { beta_belief(1.0, 1.0, 2.0, 2.0); }),
            "high: must be above low, which is 2, got 2");
  EXPECT_EQ(refusal([] { gamma_belief(0.0, 1.0); }), "shape: must be between 1e-6 and 1e12, got 0");
  EXPECT_EQ(refusal([] { gamma_belief(1.0, 0.0); }), "scale: must be > 0 and at most 1e100, got 0");
  EXPECT_EQ(refusal([] { bounded_belief(2.0, 0.0, 1.0); }), "mean: must be between 0 and 1, got 2");
  EXPECT_EQ(refusal([] { two_point_belief(1.5, 0.0, 1.0); }),
            "probability: must be between 0 and 1, got 1.5");
  EXPECT_EQ(refusal([] { sample_belief({}); }), "values: must have at least one entry");
  EXPECT_EQ(refusal([] { sample_belief({1.0}, {1.0, 2.0}); }),
            "weights: must have 1 entries, one a value, got 2");
  EXPECT_EQ(refusal([] { mixture_belief({{0.0, {}}}); }),
            "weight: must be > 0 and at most 1e100, got 0");
}

TEST(Family, WhatIsCertainHasNoFamily) {
  EXPECT_EQ(sample_belief({2.0, 2.0}).family, nullptr);
  EXPECT_EQ(sample_belief({2.0, 2.0}).sigma, 0.0);
  EXPECT_EQ(bounded_belief(1.0, 0.0, 1.0).sigma, 0.0);
}

TEST(Family, EqualSpecificationsAreTheSame) {
  EXPECT_TRUE(same_family(beta_belief(1, 2).family, beta_belief(1, 2, -3, 5).family));
  EXPECT_FALSE(same_family(beta_belief(1, 2).family, beta_belief(1, 3).family));
  EXPECT_FALSE(same_family(beta_belief(1, 2).family, nullptr));
  EXPECT_TRUE(same_family(sample_belief({1, 2}).family, sample_belief({1, 2}).family));
  const PairBelief own = function_belief(0.0, gaussian_function(1.0));
  EXPECT_TRUE(same_family(own.family, own.family));
  EXPECT_FALSE(same_family(own.family, function_belief(0.0, gaussian_function(1.0)).family));
}

}  // namespace
}  // namespace vapor
