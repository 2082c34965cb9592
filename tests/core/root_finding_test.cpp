#include "vapor/core/root_finding.h"

#include <gtest/gtest.h>

#include <cmath>

namespace vapor {
namespace {

TEST(IncreasingRoot, ALine) {
  EXPECT_NEAR(increasing_root([](double x) { return 3.0 * x - 6.0; }, -10.0, 10.0), 2.0, 1e-14);
}

TEST(IncreasingRoot, KnownRoots) {
  EXPECT_NEAR(increasing_root([](double x) { return x * x - 2.0; }, 0.0, 2.0), std::sqrt(2.0),
              1e-15);
  EXPECT_NEAR(increasing_root([](double x) { return std::exp(x) - 10.0; }, -50.0, 50.0),
              std::log(10.0), 1e-14);
  EXPECT_NEAR(increasing_root([](double x) { return x - std::cos(x); }, 0.0, 1.0),
              0.73908513321516064, 1e-15);
}

// False position alone creeps on these: flat on one side, steep on the other.
TEST(IncreasingRoot, FlatThenSteep) {
  EXPECT_NEAR(increasing_root([](double x) { return std::pow(x, 9) - 1e-9; }, 0.0, 10.0), 0.1,
              1e-14);
  EXPECT_NEAR(increasing_root([](double x) { return std::exp(x) - 1e-6; }, -700.0, 700.0),
              std::log(1e-6), 1e-12);
  EXPECT_NEAR(increasing_root([](double x) { return std::atan(1e8 * (x - 0.3)); }, -1e6, 1e6), 0.3,
              1e-9);
}

TEST(IncreasingRoot, FindsAJump) {
  const auto step = [](double x) { return x < 1.0 / 3.0 ? -1e-3 : 1e5; };
  EXPECT_NEAR(increasing_root(step, -5.0, 7.0), 1.0 / 3.0, 1e-15);
}

// Sizes from the smallest rewards to the largest.
TEST(IncreasingRoot, KeepsRelativeAccuracyAtAnyScale) {
  for (double scale = 1e-120; scale < 1e120; scale *= 1e10) {
    const double root = increasing_root([scale](double x) { return std::expm1(x / scale - 0.7); },
                                        -5.0 * scale, 9.0 * scale);
    EXPECT_NEAR(root / scale, 0.7, 1e-14) << scale;
  }
}

TEST(IncreasingRoot, OfARootFarFromZeroIsItsNeighbour) {
  const double target = 123456789.123456789;
  const double root =
      increasing_root([&](double x) { return x - target; }, target - 1.0, target + 5.0);
  EXPECT_NEAR(root, target, 1e-7);
}

TEST(IncreasingRoot, WithoutASignChangeIsTheNearerEnd) {
  EXPECT_EQ(increasing_root([](double x) { return x + 100.0; }, -1.0, 1.0), -1.0);
  EXPECT_EQ(increasing_root([](double x) { return x - 100.0; }, -1.0, 1.0), 1.0);
  EXPECT_EQ(increasing_root([](double x) { return x; }, 0.0, 1.0), 0.0);
  EXPECT_EQ(increasing_root([](double x) { return x; }, -1.0, 0.0), 0.0);
  EXPECT_EQ(increasing_root([](double x) { return x; }, 2.0, 2.0), 2.0);
}

TEST(IncreasingRoot, EndsOnAPlateau) {
  const double root = increasing_root(
      [](double x) { return x < 1.0   ? x - 1.0
                            : x > 2.0 ? x - 2.0
                                      : 0.0; }, -10.0, 10.0);
  EXPECT_GE(root, 1.0 - 1e-14);
  EXPECT_LE(root, 2.0 + 1e-14);
}

// Every call stays inside the bracket: f may not exist outside it.
TEST(IncreasingRoot, StaysInsideTheBracket) {
  int calls = 0;
  increasing_root(
      [&](double x) {
        EXPECT_GE(x, 0.0);
        EXPECT_LE(x, 1e300);
        ++calls;
        return x < 1e-290 ? -1.0 : std::log(x);
      },
      0.0, 1e300);
  EXPECT_GT(calls, 2);
}

// E (tau) = tau^0.3 and O(tau) = c / tau^2 are equal at tau = c^(1 / 2.3), a straight line in the
// logarithms: from wherever it starts, the secant is there at once.
TEST(LogTemperatureRoot, OfPowersTakesAFewSteps) {
  for (double c : {1e-6, 1.0, 1e6})
    for (double start : {1e-3, 1.0, 1e3}) {
      int steps = 0;
      const auto balance = [&](double x) {
        ++steps;
        return TemperatureBalance{std::exp(0.3 * x), c * std::exp(-2.0 * x)};
      };
      const double root = log_temperature_root(balance, start, 1e-12);
      EXPECT_NEAR(root, std::log(c) / 2.3, 1e-11);
      EXPECT_LE(steps, 8);  // no step is longer than 4
    }
}

TEST(LogTemperatureRoot, IsFarOutWhereTheyAreNeverEqual) {
  const auto no_entropy = [](double x) { return TemperatureBalance{0.0, std::exp(-2.0 * x)}; };
  EXPECT_GE(log_temperature_root(no_entropy, 2.0, 1e-12), std::log(2.0) + 30.0);
  const auto no_optimism = [](double) { return TemperatureBalance{1.0, 0.0}; };
  EXPECT_LE(log_temperature_root(no_optimism, 2.0, 1e-12), std::log(2.0) - 30.0);
}

// A balance that is known to 1e-3 alone: the search ends, and near the root.
TEST(LogTemperatureRoot, EndsWhereTheBalanceIsRough) {
  int steps = 0;
  const auto rough = [&](double x) {
    const double noise = 1.0 + (++steps % 2 == 0 ? 1e-3 : -1e-3);
    return TemperatureBalance{noise, std::exp(-2.0 * x)};
  };
  EXPECT_NEAR(log_temperature_root(rough, 5.0, 1e-5), 0.0, 1e-3);
  EXPECT_LE(steps, 60);
}

}  // namespace
}  // namespace vapor
