#include "vapor/solver/regulariser.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/solver/solution_checks.h"
#include "vapor/core/random.h"

namespace vapor {
namespace {

using test_support::conjugate;
using test_support::regulariser_value;

template <typename R>
constexpr RegulariserKind kind_of() {
  return std::same_as<R, Vapor> ? RegulariserKind::kVapor : RegulariserKind::kWeightedEntropy;
}

// f from its definition, in extended precision.
template <typename R>
long double f(long double lambda, double sigma) {
  return regulariser_value(kind_of<R>(), lambda, sigma);
}

// The maximum over [0, 1] of lambda delta + f(lambda), as the maximiser gives it.
template <typename R>
double maximum(double delta, double sigma) {
  const double log_lambda = R::log_maximiser(delta, sigma);
  const double lambda = std::exp(log_lambda);
  return lambda * delta + R::value(lambda, log_lambda, sigma);
}

const std::vector<double> kLambdas = {1e-30, 1e-12, 1e-6, 1e-3, 0.01, 0.1,
                                      0.3,   0.5,   0.7,  0.9,  0.99, 0.999};
const std::vector<double> kSigmas = {1e-8, 1e-3, 0.5, 1.0, 30.0, 1e8};
const std::vector<double> kRatios = {-25.0, -8.0, -3.0, -1.0, -0.3, -1e-6, 0.0,
                                     1e-6,  0.2,  0.9,  1.1,  4.0,  40.0};  // delta / sigma

template <typename R>
class Regulariser : public testing::Test {};
using Regularisers = testing::Types<Vapor, WeightedEntropy>;
TYPED_TEST_SUITE(Regulariser, Regularisers);

TYPED_TEST(Regulariser, ValueIsItsDefinition) {
  for (double sigma : kSigmas)
    for (double lambda : kLambdas)
      EXPECT_NEAR(TypeParam::value(lambda, std::log(lambda), sigma) /
                      static_cast<double>(f<TypeParam>(lambda, sigma)),
                  1.0, 1e-13);
}

TYPED_TEST(Regulariser, ValueIsZeroAtBothEndsAndWithoutSigma) {
  EXPECT_EQ(TypeParam::value(0.0, kLogOfZero, 3.0), 0.0);
  EXPECT_EQ(TypeParam::value(1.0, 0.0, 3.0), 0.0);
  EXPECT_EQ(TypeParam::value(0.4, std::log(0.4), 0.0), 0.0);
}

TYPED_TEST(Regulariser, SlopeIsTheDerivativeOfValue) {
  for (double sigma : kSigmas)
    for (double lambda : kLambdas) {
      const long double h = 1e-4L * std::min(lambda, 1.0 - lambda);
      const long double difference =
          (f<TypeParam>(lambda + h, sigma) - f<TypeParam>(lambda - h, sigma)) / (2.0L * h);
      const double slope = TypeParam::slope(std::log(lambda), sigma) / sigma;
      EXPECT_NEAR(slope, difference / sigma, 1e-5 * std::max(1.0, std::abs(slope))) << lambda;
    }
}

// On its own curve, tau = temperature(lambda), the linearisation is Taylor's: slope f' and
// curvature -f''.
TYPED_TEST(Regulariser, LinearisationOnItsCurveIsSlopeAndCurvature) {
  for (double sigma : kSigmas)
    for (double lambda : kLambdas) {
      const double log_lambda = std::log(lambda);
      const double tau = TypeParam::temperature(log_lambda, sigma);
      const Linearisation line = TypeParam::linearise(lambda, log_lambda, tau, 0.0, 0.0, sigma);
      const double slope = TypeParam::slope(log_lambda, sigma);
      EXPECT_NEAR(line.slope, slope, 1e-12 * (std::abs(slope) + sigma));
      EXPECT_NEAR(line.tau_shift, 0.0, 1e-13 * tau);
      const long double h = 1e-3L * std::min(lambda, 1.0 - lambda);
      const long double second =
          (f<TypeParam>(lambda + h, sigma) - 2 * f<TypeParam>(lambda, sigma) +
           f<TypeParam>(lambda - h, sigma)) /
          (h * h);
      EXPECT_NEAR(line.curvature / static_cast<double>(-second), 1.0, 1e-5) << lambda;
      EXPECT_GT(line.curvature, 0.0);
    }
}

TYPED_TEST(Regulariser, NoLambdaBeatsTheMaximiser) {
  for (double sigma : {1e-4, 1.0, 250.0})
    for (double ratio : kRatios) {
      const double delta = ratio * sigma;
      const double best = maximum<TypeParam>(delta, sigma);
      EXPECT_NEAR(best, conjugate(kind_of<TypeParam>(), delta, sigma),
                  1e-13 * (std::abs(delta) + sigma));
      for (int i = 0; i <= 4000; ++i) {
        const long double lambda = i % 2 == 0 ? i / 4000.0L : std::pow(10.0L, -40.0L * i / 4000.0L);
        ASSERT_LE(lambda * delta + f<TypeParam>(lambda, sigma),
                  best + 1e-14L * (std::abs(delta) + sigma))
            << "delta " << delta << " sigma " << sigma << " lambda " << lambda;
      }
    }
}

// f*(delta) - max(delta, 0), for the certificate: never less, and more by rounding only. In
// extended precision the difference itself is good to 1e-19 of delta.
TYPED_TEST(Regulariser, ExcessIsOnTheSafeSideOfTheConjugate) {
  RandomStream random(1);
  for (double sigma : kSigmas) {
    for (int i = 0; i < 20000; ++i) {
      const double ratio =
          (i % 2 == 0 ? 1.0 : -1.0) * std::pow(10.0, -6.0 + 9.0 * random.uniform());
      const DoubleDouble delta = {ratio * sigma, 0.0};
      const long double exact = conjugate(kind_of<TypeParam>(), delta.hi, sigma) -
                                std::max(static_cast<long double>(delta.hi), 0.0L);
      const long double rounding = 4e-19L * std::abs(delta.hi);
      const double excess = TypeParam::excess_above(delta, sigma);
      const double digits = 1e-13 * (1.0 + ratio * ratio);
      ASSERT_GE(excess, exact - rounding) << ratio;
      ASSERT_LE(excess, exact * (1.0L + digits) + rounding + 1e-300L * sigma) << ratio;
    }
  }
}

// It falls on both sides of 0, smoothly, to what doubles cannot tell from nothing.
TYPED_TEST(Regulariser, ExcessFallsAwayFromZero) {
  for (double sigma : {5e-324, 1e-300, 1.0, 1e100}) {
    double before = TypeParam::excess_above({}, sigma);
    EXPECT_NEAR(before / sigma, conjugate(kind_of<TypeParam>(), 0.0L, 1.0L),
                1e-12 + 5e-324 / sigma);
    for (double x : {1e-300, 1e-8, 0.5, 1.0, 3.0, 30.0, 50.0, 700.0, 1e10, 1e160, 1e300}) {
      for (double delta : {sigma * x, -sigma * x}) {
        const double excess = TypeParam::excess_above({delta, 0.0}, sigma);
        EXPECT_GE(excess, 0.0) << x;
        EXPECT_LE(excess, before * (1.0 + 1e-12)) << x;
      }
      before = TypeParam::excess_above({sigma * x, 0.0}, sigma) * (1.0 + 1e-12) + 1e-14 * sigma;
      before = std::max(before, TypeParam::excess_above({-sigma * x, 0.0}, sigma));
    }
  }
}

TYPED_TEST(Regulariser, MaximiserIsStationaryOrOne) {
  for (double sigma : kSigmas)
    for (double ratio : kRatios) {
      const double log_lambda = TypeParam::log_maximiser(ratio * sigma, sigma);
      ASSERT_LE(log_lambda, 0.0);
      const double left = ratio + TypeParam::slope(log_lambda, sigma) / sigma;
      if (log_lambda == 0.0)
        EXPECT_GE(left, 0.0) << ratio;  // wants more than 1
      else
        EXPECT_NEAR(left, 0.0, 1e-13 * (1.0 + std::abs(ratio))) << ratio;
    }
}

// f* is convex, and its derivative is the maximiser.
TYPED_TEST(Regulariser, ConjugateIsConvexWithTheMaximiserAsDerivative) {
  const double sigma = 0.8;
  const double h = 1e-4;
  for (double delta = -6.0; delta < 6.0; delta += 0.0371) {
    const double below = maximum<TypeParam>(delta - h, sigma);
    const double here = maximum<TypeParam>(delta, sigma);
    const double above = maximum<TypeParam>(delta + h, sigma);
    EXPECT_GE(above - 2.0 * here + below, -1e-14 * (1.0 + std::abs(here)));
    EXPECT_NEAR((above - below) / (2.0 * h), std::exp(TypeParam::log_maximiser(delta, sigma)),
                1e-7);
  }
}

TYPED_TEST(Regulariser, ExtremeRatiosStayFinite) {
  for (double sigma : {0.0, 1e-300, 1e-8, 1.0, 1e8})
    for (double delta : {-1e20, -1e12, -1.0, -1e-12, 0.0, 1e-12, 1.0, 1e12, 1e20}) {
      SCOPED_TRACE(testing::Message() << "delta " << delta << " sigma " << sigma);
      const double log_lambda = TypeParam::log_maximiser(delta, sigma);
      ASSERT_LE(log_lambda, 0.0);
      ASSERT_TRUE(std::isfinite(log_lambda));
      ASSERT_TRUE(std::isfinite(maximum<TypeParam>(delta, sigma)));
      ASSERT_TRUE(std::isfinite(TypeParam::slope(log_lambda, sigma)));
      EXPECT_NEAR(maximum<TypeParam>(delta, sigma), conjugate(kind_of<TypeParam>(), delta, sigma),
                  1e-12 * (std::abs(delta) + sigma));
    }
}

// Without sigma: all or nothing, nothing at the kink.
TYPED_TEST(Regulariser, WithoutSigmaTheMaximiserIsLinear) {
  EXPECT_EQ(std::exp(TypeParam::log_maximiser(1e-9, 0.0)), 1.0);
  EXPECT_EQ(std::exp(TypeParam::log_maximiser(-1e-9, 0.0)), 0.0);
  EXPECT_EQ(std::exp(TypeParam::log_maximiser(0.0, 0.0)), 0.0);
  const Linearisation line = TypeParam::linearise(0.3, std::log(0.3), 0.0, 0.0, 0.0, 0.0);
  EXPECT_EQ(line.slope, 0.0);
  EXPECT_EQ(line.curvature, 0.0);
}

// Off its curve: the two equations slope = sigma w - tau and tau^2 (-2 log lambda) = sigma^2,
// linearised in lambda and tau with derivatives taken numerically.
TEST(VaporRegulariser, LinearisationOffItsCurveIsNewtonsOnBothEquations) {
  for (double sigma : {1e-3, 1.0, 50.0})
    for (double lambda : {1e-9, 0.01, 0.4, 0.95})
      for (double factor : {0.05, 0.7, 1.0, 3.0, 40.0}) {
        SCOPED_TRACE(testing::Message() << sigma << " " << lambda << " " << factor);
        const double tau = factor * Vapor::temperature(std::log(lambda), sigma);
        const Linearisation line = Vapor::linearise(lambda, std::log(lambda), tau, 0.0, 0.0, sigma);
        const auto slope = [&](long double x, long double t) {
          return sigma * std::sqrt(-2.0L * std::log(x)) - t;
        };
        const auto product = [&](long double x, long double t) {
          return t * t * (-2.0L * std::log(x)) - static_cast<long double>(sigma) * sigma;
        };
        const long double dx = 1e-6L * std::min(lambda, 1.0 - lambda);
        const long double dt = 1e-6L * tau;
        const auto by_x = [&](auto&& g) {
          return (g(lambda + dx, tau) - g(lambda - dx, tau)) / (2.0L * dx);
        };
        const auto by_tau = [&](auto&& g) {
          return (g(lambda, tau + dt) - g(lambda, tau - dt)) / (2.0L * dt);
        };
        for (double step : {0.0, -0.3 * lambda, 0.5 * lambda}) {
          const long double tau_step = line.tau_shift + line.tau_rate * step;
          const long double left =
              product(lambda, tau) + by_x(product) * step + by_tau(product) * tau_step;
          const double scale = sigma * sigma * std::max(1.0, factor * factor);
          EXPECT_NEAR(left / scale, 0.0, 1e-8);
          const long double expected =
              slope(lambda, tau) + by_x(slope) * step + by_tau(slope) * tau_step;
          EXPECT_NEAR(line.slope - line.curvature * step, expected,
                      1e-8 * (sigma + tau + std::abs(tau_step)));
        }
      }
}

TEST(VaporRegulariser, TemperatureIsSigmaOverWAndEndsWell) {
  EXPECT_DOUBLE_EQ(Vapor::temperature(std::log(0.2), 3.0), 3.0 / std::sqrt(-2.0 * std::log(0.2)));
  EXPECT_EQ(Vapor::temperature(0.0, 3.0), INFINITY);
  EXPECT_TRUE(std::isnan(Vapor::temperature(std::log(0.2), 0.0)));
  EXPECT_EQ(WeightedEntropy::temperature(std::log(0.2), 3.0), 3.0);
  EXPECT_TRUE(std::isnan(Linear::temperature(std::log(0.2), 3.0)));
}

// Rounding may leave lambda a hair above 1.
TEST(VaporRegulariser, LambdaJustAboveOneCountsAsOne) {
  const double lambda = std::nextafter(1.0, 2.0);
  EXPECT_EQ(Vapor::value(lambda, std::log(lambda), 1.0), 0.0);
  EXPECT_EQ(Vapor::temperature(std::log(lambda), 1.0), INFINITY);
  EXPECT_TRUE(std::isfinite(Vapor::slope(std::log(lambda), 1.0)));
}

}  // namespace
}  // namespace vapor
