// Numbers with twice the digits of a double: an unevaluated sum hi + lo, |lo| at most half a unit
// in the last place of hi. Sums and products of doubles are exact in it; the other operations below
// are wrong by at most
//
//   kDoubleDoubleUnit * (the sum of the magnitudes of what is added, or the magnitude of the
//   result),
//
// and, where a product underflows, by kDoubleDoubleUnderflow more. The algorithms are those of
// Dekker (1971) and Knuth; their errors, at most 9 u^2 with u = 2^-53 for the sum and 10 u^2 for
// the others, are in Joldes, Muller and Popescu, "Tight and rigorous error bounds for basic
// building blocks of double-word arithmetic" (2017), but for the sum, whose bound by the magnitudes
// (it may cancel) follows from its three roundings. Nothing here may be compiled with -ffast-math.
//
// An overflow leaves an infinity or NaN in hi or lo.
#pragma once

#include <cmath>
#include <limits>

#include "vapor/core/simd.h"

namespace vapor {

inline constexpr double kDoubleDoubleUnit = 0x1.0p-102;  // 16 u^2
inline constexpr double kDoubleDoubleUnderflow = 1e-322;

struct DoubleDouble {
  double hi = 0.0;
  double lo = 0.0;
};

// a + b, exactly, if |a| >= |b| or a = 0.
VAPOR_INLINE DoubleDouble fast_two_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

// a + b, exactly.
VAPOR_INLINE DoubleDouble two_sum(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

// a b, exactly unless it underflows.
VAPOR_INLINE DoubleDouble two_product(double a, double b) {
  const double product = a * b;
  return {product, std::fma(a, b, -product)};
}

VAPOR_INLINE DoubleDouble operator-(DoubleDouble a) { return {-a.hi, -a.lo}; }

VAPOR_INLINE DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble sum = two_sum(a.hi, b.hi);
  return fast_two_sum(sum.hi, sum.lo + (a.lo + b.lo));
}

VAPOR_INLINE DoubleDouble operator+(DoubleDouble a, double b) {
  const DoubleDouble sum = two_sum(a.hi, b);
  return fast_two_sum(sum.hi, sum.lo + a.lo);
}

VAPOR_INLINE DoubleDouble operator-(DoubleDouble a, DoubleDouble b) { return a + (-b); }

VAPOR_INLINE DoubleDouble operator*(DoubleDouble a, double b) {
  const DoubleDouble product = two_product(a.hi, b);
  return fast_two_sum(product.hi, std::fma(a.lo, b, product.lo));
}

VAPOR_INLINE DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble product = two_product(a.hi, b.hi);
  return fast_two_sum(product.hi, product.lo + std::fma(a.hi, b.lo, a.lo * b.hi));
}

// 1 / a, by one step of Newton from 1 / a.hi, whose remainder a fused multiplication has exactly.
VAPOR_INLINE DoubleDouble reciprocal(DoubleDouble a) {
  const double q = 1.0 / a.hi;
  const double remainder = std::fma(-q, a.lo, std::fma(-q, a.hi, 1.0));
  return fast_two_sum(q, q * remainder);
}

// A double that is at least a + slack, and little more, slack >= 0; infinity if there is none.
inline double round_up(DoubleDouble a, double slack) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kWiden = 1.0 + 0x1.0p-50;
  const DoubleDouble low = two_sum(a.lo, slack * kWiden);
  const double rest = std::nextafter(low.hi, kInfinity);
  const DoubleDouble sum = two_sum(a.hi, rest);
  const double up = sum.lo > 0.0 ? std::nextafter(sum.hi, kInfinity) : sum.hi;
  return std::isfinite(up) ? up : kInfinity;
}

// A double that is at most a - slack, and little less; minus infinity if there is none.
inline double round_down(DoubleDouble a, double slack) { return -round_up(-a, slack); }

}  // namespace vapor
