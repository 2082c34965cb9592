// Elementary functions of the families that keep their digits near 0. Internal to vapor/mdp.
#pragma once

#include <cmath>
#include <string>

#include "vapor/mdp/family.h"

namespace vapor::family {

inline constexpr double kLargestParameter = 1e100;

// Throws InputError unless the parameter is finite and > 0 (and at most 1e100).
void check_positive(const char* name, double value);
void check_finite(const char* name, double value);

// exp(z) - 1 - z.
inline double exponential_remainder(double z) {
  if (!(std::abs(z) < 0.5)) return std::expm1(z) - z;
  double sum = 1.0;
  for (int k = 16; k >= 3; --k) sum = 1.0 + z * (1.0 / k) * sum;
  return 0.5 * z * z * sum;
}

// x - log(1 + x), by the series of the inverse hyperbolic tangent where it would cancel.
inline double logarithm_remainder(double x) {
  if (!(x > -0.4 && x < 0.7)) return x - std::log1p(x);
  const double r = x / (2.0 + x);
  const double square = r * r;  // at most 1/16
  double sum = 1.0 / 29.0;
  for (int k = 27; k >= 3; k -= 2) sum = 1.0 / k + square * sum;
  return r * (x - 2.0 * square * sum);
}

}  // namespace vapor::family
