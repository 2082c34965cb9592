#include "vapor/belief/sub_gaussian.h"

#include <algorithm>
#include <cmath>

namespace vapor {

double two_point_variance_proxy(double p, double low, double high) {
  const double range = high - low;
  const double rare = std::min(p, 1.0 - p);
  if (!(rare > 0.0)) return 0.0;
  const double x = 1.0 - 2.0 * rare;
  // log((1 - p) / p) = 2 atanh(1 - 2p); the quotient x / atanh(x) is 1 - x^2 / 3 + ... at 0, and
  // the logarithms keep their digits where x rounds to 1.
  const double quotient = x < 1e-4  ? 1.0 - x * x / 3.0
                          : x < 0.9 ? x / std::atanh(x)
                                    : 2.0 * x / (std::log1p(-rare) - std::log(rare));
  return 0.25 * range * range * quotient;
}

double bounded_variance_proxy(double low, double high) {
  return 0.25 * (high - low) * (high - low);
}

double beta_variance_proxy(double a, double b) { return 0.25 / (a + b + 1.0); }

}  // namespace vapor
