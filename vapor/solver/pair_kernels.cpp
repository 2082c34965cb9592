#include "vapor/solver/pair_kernels.h"

#include <algorithm>

#include "vapor/core/simd.h"

namespace vapor {
namespace {

VAPOR_MULTIVERSION
double sum_products(In a, In b, std::size_t n) {
  Vec sum[2] = {};
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (int j = 0; j < 2; ++j) sum[j] += load(a + i + 4 * j) * load(b + i + 4 * j);
  double rest = 0.0;
  for (; i < n; ++i) rest += a[i] * b[i];
  return sum_of_lanes(sum[0] + sum[1]) + rest;
}

VAPOR_MULTIVERSION
double sum_all(In a, std::size_t n) {
  Vec sum[2] = {};
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (int j = 0; j < 2; ++j) sum[j] += load(a + i + 4 * j);
  double rest = 0.0;
  for (; i < n; ++i) rest += a[i];
  return sum_of_lanes(sum[0] + sum[1]) + rest;
}

VAPOR_MULTIVERSION
double max_magnitude(In a, std::size_t n) {
  Vec most = {};
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    const Vec x = load(a + i);
    most = larger(most, larger(x, -x));
  }
  double rest = 0.0;
  for (; i < n; ++i) rest = std::max(rest, std::abs(a[i]));
  return std::max(rest, largest_lane(most));
}

// What is 0 and does not move shall not divide by itself.
constexpr double kTiny = 1e-300;

// max_p -dx_p / x_p: the reciprocal of the longest step to 0.
VAPOR_MULTIVERSION
double fastest_fall(In x, In dx, std::size_t n) {
  Vec most = {};
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) most = larger(most, -load(dx + i) / (load(x + i) + kTiny));
  double rest = 0.0;
  for (; i < n; ++i) rest = std::max(rest, -dx[i] / (x[i] + kTiny));
  return std::max(rest, largest_lane(most));
}

// max_p dx_p / (bound_p - x_p).
VAPOR_MULTIVERSION
double fastest_rise(In x, In dx, In bound, std::size_t n) {
  Vec most = {};
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) most = larger(most, load(dx + i) / (load(bound + i) - load(x + i)));
  double rest = 0.0;
  for (; i < n; ++i) rest = std::max(rest, dx[i] / (bound[i] - x[i]));
  return std::max(rest, largest_lane(most));
}

VAPOR_MULTIVERSION
double sum_moved_products(In x, In dx, double a, In y, In dy, double b, std::size_t n) {
  Vec sum = {};
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4)
    sum += (load(x + i) + a * load(dx + i)) * (load(y + i) + b * load(dy + i));
  double rest = 0.0;
  for (; i < n; ++i) rest += (x[i] + a * dx[i]) * (y[i] + b * dy[i]);
  return sum_of_lanes(sum) + rest;
}

}  // namespace

VAPOR_MULTIVERSION
void set_direction_residuals(std::size_t pairs, In stationarity, In centring, In inverse_lambda,
                             In theta, Out residual, Out flow) {
  for (std::size_t p = 0; p < pairs; ++p) {
    residual[p] = stationarity[p] + centring[p] * inverse_lambda[p];
    flow[p] = theta[p] * residual[p];
  }
}

VAPOR_MULTIVERSION
void set_direction(std::size_t pairs, In theta, In centring, In s, In inverse_lambda, In tau_shift,
                   In tau_rate, Out dlambda, Out ds, Out dtau) {
  for (std::size_t p = 0; p < pairs; ++p) {
    dlambda[p] = theta[p] * (dlambda[p] + ds[p]);
    ds[p] = (centring[p] - s[p] * dlambda[p]) * inverse_lambda[p];
    dtau[p] = tau_shift[p] + tau_rate[p] * dlambda[p];
  }
}

VAPOR_MULTIVERSION
void set_reciprocals(std::size_t pairs, In x, Out y) {
  for (std::size_t p = 0; p < pairs; ++p) y[p] = 1.0 / x[p];
}

VAPOR_MULTIVERSION
void set_corrected_centring(std::size_t pairs, double centre, In reach, In lambda, In s, In dlambda,
                            In ds, Out centring) {
  for (std::size_t p = 0; p < pairs; ++p)
    centring[p] = centre * reach[p] - lambda[p] * s[p] - dlambda[p] * ds[p];
}

double complementarity_after(std::span<const double> lambda, std::span<const double> dlambda,
                             double primal, std::span<const double> s, std::span<const double> ds,
                             double dual) {
  return sum_moved_products(lambda.data(), dlambda.data(), primal, s.data(), ds.data(), dual,
                            lambda.size());
}

double sum_of(std::span<const double> a) { return sum_all(a.data(), a.size()); }

double sum_of_products(std::span<const double> a, std::span<const double> b) {
  return sum_products(a.data(), b.data(), a.size());
}

double largest_magnitude(std::span<const double> x) { return max_magnitude(x.data(), x.size()); }

double step_to_zero(std::span<const double> x, std::span<const double> dx) {
  return 1.0 / std::max(1.0, fastest_fall(x.data(), dx.data(), x.size()));
}

double step_to_bound(std::span<const double> x, std::span<const double> dx,
                     std::span<const double> bound) {
  return 1.0 / std::max(1.0, fastest_rise(x.data(), dx.data(), bound.data(), x.size()));
}

}  // namespace vapor
