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

// What a temperature balances: its derivative of the value is entropy - optimism.
struct TemperatureBalance {
  double entropy = 0.0;   // >= 0
  double optimism = 0.0;  // >= 0, like 1 / tau^2
};

// log tau at which entropy and optimism are equal, up to `tolerance` of their size, searched from
// log(start): a good start, as the last temperature, is a short search. Where they never are, an
// end so far out that it is as good as 0 or infinity. `balance` maps log tau to a
// TemperatureBalance.
//
// The logarithm of the ratio is nearly a straight line of slope 2 in log tau, because optimism is
// like 1 / tau^2 and the entropy changes slowly: the first step takes that slope and the others the
// secant's. A bracket guards them, halved where three steps have not done so. Where `balance` is
// inexact the search ends once the bracket is as narrow as the tolerance.
template <typename F>
double log_temperature_root(F&& balance, double start, double tolerance) {
  constexpr double kTiny = 1e-300;
  constexpr double kFar = 40.0, kLongestStep = 4.0;
  const double centre = std::log(start);
  const double lowest = centre - kFar, highest = centre + kFar;
  double low = lowest, high = highest;  // never tried
  double x = centre, slope = 2.0, last_x = x, last = 0.0, width = high - low;
  for (int i = 0; i < 200; ++i) {
    const TemperatureBalance b = balance(x);
    const double ratio =
        std::log(std::max(b.entropy, kTiny)) - std::log(std::max(b.optimism, kTiny));
    if (std::abs(ratio) <= tolerance) return x;
    (ratio < 0.0 ? low : high) = x;
    if (i > 0 && x != last_x) slope = std::clamp((ratio - last) / (x - last_x), 0.1, 100.0);
    last_x = x;
    last = ratio;
    x -= std::clamp(ratio / slope, -kLongestStep, kLongestStep);
    if (x <= lowest || x >= highest) return std::clamp(x, lowest, highest);
    const bool slow = i % 3 == 2 && high - low > 0.5 * width && high - low < kFar;
    if (i % 3 == 2) width = high - low;
    if (slow || !(x > low && x < high)) x = 0.5 * (low + high);
    if (!(x > low && x < high) || high - low <= 0.5 * tolerance) return x;
  }
  return x;
}

}  // namespace vapor
