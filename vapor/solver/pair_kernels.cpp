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

}  // namespace

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
