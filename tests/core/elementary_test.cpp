#include "vapor/core/elementary.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "vapor/core/random.h"

namespace vapor {
namespace {

constexpr double kUlps = 2.0;  // "a unit or two in the last place"

// |computed - exact| in units of the last place of `exact`.
double ulps(double computed, long double exact) {
  const double rounded = static_cast<double>(exact);
  const double unit = std::nextafter(std::abs(rounded), INFINITY) - std::abs(rounded);
  return static_cast<double>(std::abs(computed - exact) / unit);
}

void expect_log(const std::vector<double>& x) {
  std::vector<double> y(x.size(), 123.0);
  log_of(x, y);
  for (std::size_t i = 0; i < x.size(); ++i)
    ASSERT_LE(ulps(y[i], std::log(static_cast<long double>(x[i]))), kUlps)
        << "log(" << x[i] << ") = " << y[i];
}

void expect_exp(const std::vector<double>& x) {
  std::vector<double> y(x.size(), 123.0);
  exp_of(x, y);
  for (std::size_t i = 0; i < x.size(); ++i)
    ASSERT_LE(ulps(y[i], std::exp(static_cast<long double>(x[i]))), kUlps)
        << "exp(" << x[i] << ") = " << y[i];
}

TEST(Log, IsCloseFromTheTiniestToTheLargest) {
  RandomStream random(1);
  std::vector<double> x(100000);
  for (double& each : x) each = std::pow(10.0, random.uniform(-299.9, 308.0));
  expect_log(x);
}

TEST(Log, IsCloseOnTheProbabilities) {
  RandomStream random(2);
  std::vector<double> x(100000);
  for (double& each : x) each = random.uniform();
  expect_log(x);
}

// A policy that has nearly made up its mind: log(1 - e) = -e must keep its digits.
TEST(Log, KeepsItsDigitsNearOne) {
  std::vector<double> x = {std::nextafter(1.0, 0.0), std::nextafter(1.0, 2.0)};
  for (double e = 1e-15; e < 0.5; e *= 1.37) x.insert(x.end(), {1.0 - e, 1.0 + e});
  expect_log(x);
}

// Where the exponent changes and where the mantissa is folded.
TEST(Log, IsCloseAroundPowersOfTwo) {
  std::vector<double> x;
  for (int k = -990; k <= 1020; k += 7)
    for (double m : {1.0, std::sqrt(0.5), std::sqrt(2.0)})
      for (double y : {std::ldexp(m, k), std::nextafter(std::ldexp(m, k), 0.0),
                       std::nextafter(std::ldexp(m, k), INFINITY)})
        if (y != 1.0) x.push_back(y);
  expect_log(x);
}

TEST(Log, IsExactlyZeroAtOneAndFiniteAtZero) {
  const std::vector<double> x = {1.0, 0.0, 1e-300, 1e-308, 5e-324, -0.0};
  std::vector<double> y(x.size());
  log_of(x, y);
  EXPECT_EQ(y[0], 0.0);
  EXPECT_NEAR(y[2], -690.7755278982137, 1e-12);
  for (std::size_t i : {1, 3, 4, 5}) EXPECT_EQ(y[i], y[2]);
}

TEST(Exp, IsCloseOverItsRange) {
  RandomStream random(3);
  std::vector<double> x(100000);
  for (double& each : x) each = random.uniform(-699.9, 700.0);
  expect_exp(x);
}

TEST(Exp, IsCloseNearZero) {
  std::vector<double> x = {0.0, 5e-324, -5e-324};
  for (double e = 1e-300; e < 1.0; e *= 1.9) x.insert(x.end(), {e, -e});
  expect_exp(x);
}

// Where the argument is reduced to the next multiple of log 2.
TEST(Exp, IsCloseAroundMultiplesOfLogTwo) {
  std::vector<double> x;
  for (int k = -1000; k <= 1000; ++k)
    for (double shift : {-1e-10, 0.0, 1e-10}) x.push_back(0.5 * k * std::log(2.0) + shift);
  expect_exp(x);
}

TEST(Exp, IsExactlyOneAtZeroAndZeroBelowItsRange) {
  const std::vector<double> x = {0.0, -700.0, -700.1, -750.0, -1e300, -INFINITY};
  std::vector<double> y(x.size());
  exp_of(x, y);
  EXPECT_EQ(y[0], 1.0);
  for (std::size_t i = 1; i < y.size(); ++i) EXPECT_EQ(y[i], 0.0) << x[i];
}

// Vectors of four take the same path as what is left over, from any address.
TEST(Elementary, AnyLengthGivesTheSameBits) {
  RandomStream random(4);
  std::vector<double> x(40), log_x(40), exp_x(40);
  for (double& each : x) each = random.uniform(0.0, 3.0);
  log_of(x, log_x);
  exp_of(x, exp_x);
  for (std::size_t size = 0; size <= 19; ++size) {
    for (std::size_t begin = 0; begin < 5; ++begin) {
      std::vector<double> y(size + 1, 7.0);
      log_of(std::span(x).subspan(begin, size), std::span(y).first(size));
      for (std::size_t i = 0; i < size; ++i) EXPECT_EQ(y[i], log_x[begin + i]);
      exp_of(std::span(x).subspan(begin, size), std::span(y).first(size));
      for (std::size_t i = 0; i < size; ++i) EXPECT_EQ(y[i], exp_x[begin + i]);
      EXPECT_EQ(y[size], 7.0) << "wrote behind the end";
    }
  }
}

}  // namespace
}  // namespace vapor
