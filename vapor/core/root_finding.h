// Scalar root finding for monotone functions.
#pragma once

#include <algorithm>
#include <cmath>

namespace vapor {

// A root of the increasing function f in [low, high], to about 1e-15 of the bracket's ends: the
// Illinois variant of false position, with a bisection whenever that has not halved the bracket in
// three steps. If f has no sign change the nearer end is returned.
template <typename F>
double increasing_root(F&& f, double low, double high) {
  double f_low = f(low);
  if (f_low >= 0.0) return low;
  double f_high = f(high);
  if (f_high <= 0.0) return high;
  double width = high - low;
  for (int i = 0; i < 300; ++i) {
    const bool bisect = i % 3 == 2 && high - low > 0.5 * width;
    if (i % 3 == 2) width = high - low;
    double x = bisect ? 0.5 * (low + high) : (low * f_high - high * f_low) / (f_high - f_low);
    if (!(x > low && x < high)) x = 0.5 * (low + high);
    if (x <= low || x >= high) return x;  // neighbours: nothing between them
    if (high - low <= 4e-16 * std::max(std::abs(low), std::abs(high))) return x;
    const double fx = f(x);
    if (fx == 0.0) return x;
    if (fx < 0.0) {
      low = x;
      f_low = fx;
      f_high *= 0.5;
    } else {
      high = x;
      f_high = fx;
      f_low *= 0.5;
    }
  }
  return 0.5 * (low + high);
}

// log tau at which the increasing function `slope` of log tau changes its sign, searched outwards
// from log(scale). Where it never does, an end so far out that it is as good as 0 or infinity.
template <typename F>
double log_temperature_root(F&& slope, double scale) {
  const double centre = std::log(scale);
  double low = centre - 2.0;
  double high = centre + 2.0;
  while (slope(low) > 0.0 && low > centre - 40.0) low -= 4.0;
  while (slope(high) < 0.0 && high < centre + 30.0) high += 4.0;
  return increasing_root(slope, low, high);
}

}  // namespace vapor
