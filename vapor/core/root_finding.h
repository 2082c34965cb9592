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

// log tau at which entropy and optimism are equal, up to `tolerance` of their size, searched
// outwards from log(scale). Where they never are, an end so far out that it is as good as 0 or
// infinity. `balance` maps log tau to a TemperatureBalance; the logarithm of its ratio is nearly a
// straight line in log tau, which is what false position wants.
template <typename F>
double log_temperature_root(F&& balance, double scale, double tolerance) {
  constexpr double kTiny = 1e-300;
  const auto log_ratio = [&](double log_tau) {
    const TemperatureBalance b = balance(log_tau);
    const double ratio =
        std::log(std::max(b.entropy, kTiny)) - std::log(std::max(b.optimism, kTiny));
    return std::abs(ratio) <= tolerance ? 0.0 : ratio;
  };
  const double centre = std::log(scale);
  double low = centre - 2.0;
  double high = centre + 2.0;
  while (log_ratio(low) > 0.0 && low > centre - 40.0) low -= 4.0;
  while (log_ratio(high) < 0.0 && high < centre + 30.0) high += 4.0;
  return increasing_root(log_ratio, low, high);
}

}  // namespace vapor
