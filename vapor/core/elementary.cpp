#include "vapor/core/elementary.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "vapor/core/multiversion.h"

namespace vapor {
namespace {

// Adding and subtracting 1.5 * 2^52 rounds to an integer, whose bits are then the lowest of the
// sum.
constexpr double kRound = 0x1.8p52;
constexpr double kLn2High = 0x1.62e42feep-1;  // 32 bits, so k * kLn2High is exact
constexpr double kLn2Low = 0x1.a39ef35793c76p-33;

// x = 2^k m with m in [sqrt(1/2), sqrt(2)); with f = m - 1 and s = f / (2 + f),
// log m = 2 atanh s = f - f^2/2 + s (f^2/2 + R(s^2)), R the tail of the series (as in fdlibm).
inline double log_one(double x) {
  constexpr std::uint64_t kSqrtHalf = 0x3fe6a09e667f3bcdULL;
  constexpr std::uint64_t kBias = 1024;
  const double positive = x > 1e-300 ? x : 1e-300;
  const auto bits = std::bit_cast<std::uint64_t>(positive);
  const std::uint64_t biased = (bits - kSqrtHalf + (kBias << 52)) >> 52;
  const double k =
      std::bit_cast<double>(biased + std::bit_cast<std::uint64_t>(kRound)) - (kRound + kBias);
  const double m = std::bit_cast<double>(bits - ((biased - kBias) << 52));
  const double f = m - 1.0;
  const double s = f / (2.0 + f);
  const double z = s * s;
  const double half_square = 0.5 * f * f;
  double R = 2.0 / 21.0;
  R = R * z + 2.0 / 19.0;
  R = R * z + 2.0 / 17.0;
  R = R * z + 2.0 / 15.0;
  R = R * z + 2.0 / 13.0;
  R = R * z + 2.0 / 11.0;
  R = R * z + 2.0 / 9.0;
  R = R * z + 2.0 / 7.0;
  R = R * z + 2.0 / 5.0;
  R = R * z + 2.0 / 3.0;
  R = R * z;
  return k * kLn2High - ((half_square - (s * (half_square + R) + k * kLn2Low)) - f);
}

// x = k log 2 + r with |r| <= log(2) / 2; exp r by its series, scaled by 2^k through the exponent.
inline double exp_one(double x) {
  constexpr double kLog2E = 0x1.71547652b82fep0;
  const double clamped = x > -700.0 ? x : -700.0;
  const double shifted = clamped * kLog2E + kRound;
  const double k = shifted - kRound;
  const double r = (clamped - k * kLn2High) - k * kLn2Low;
  double e = 1.0 / 6227020800.0;
  e = e * r + 1.0 / 479001600.0;
  e = e * r + 1.0 / 39916800.0;
  e = e * r + 1.0 / 3628800.0;
  e = e * r + 1.0 / 362880.0;
  e = e * r + 1.0 / 40320.0;
  e = e * r + 1.0 / 5040.0;
  e = e * r + 1.0 / 720.0;
  e = e * r + 1.0 / 120.0;
  e = e * r + 1.0 / 24.0;
  e = e * r + 1.0 / 6.0;
  e = e * r + 0.5;
  const double value = 1.0 + (r + r * r * e);
  const std::uint64_t scaled =
      std::bit_cast<std::uint64_t>(value) + (std::bit_cast<std::uint64_t>(shifted) << 52);
  return x > -700.0 ? std::bit_cast<double>(scaled) : 0.0;
}

VAPOR_MULTIVERSION
void log_array(const double* __restrict x, double* __restrict y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] = log_one(x[i]);
}

VAPOR_MULTIVERSION
void exp_array(const double* __restrict x, double* __restrict y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] = exp_one(x[i]);
}

}  // namespace

void log_of(std::span<const double> x, std::span<double> y) {
  log_array(x.data(), y.data(), x.size());
}

void exp_of(std::span<const double> x, std::span<double> y) {
  exp_array(x.data(), y.data(), x.size());
}

}  // namespace vapor
