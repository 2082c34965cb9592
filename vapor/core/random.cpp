#include "vapor/core/random.h"

#include <fmt/format.h>

#include <cmath>

#include "vapor/core/check.h"

namespace vapor {
namespace {

// splitmix64 (Steele, Lea and Flood, 2014): advances the state and returns its mix.
std::uint64_t splitmix64(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15ULL;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace

RandomStream::RandomStream(std::uint64_t seed) : seed_(seed) {
  std::uint64_t s = seed;
  for (std::uint64_t& word : state_) word = splitmix64(s);
}

RandomStream RandomStream::split(std::uint64_t label) const {
  std::uint64_t s = seed_;
  const std::uint64_t parent = splitmix64(s);
  s = parent ^ (label * 0xd1342543de82ef95ULL + 0x2545f4914f6cdd1dULL);
  return RandomStream(splitmix64(s));
}

RandomStream RandomStream::split(std::string_view label) const {
  std::uint64_t hash = 0xcbf29ce484222325ULL;  // FNV-1a
  for (char c : label) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return split(hash);
}

double RandomStream::uniform(double low, double high) { return low + (high - low) * uniform(); }

// Marsaglia's polar method; the second number is dropped so that a stream has no hidden state.
double RandomStream::normal() {
  while (true) {
    const double x = 2.0 * uniform() - 1.0;
    const double y = 2.0 * uniform() - 1.0;
    const double r = x * x + y * y;
    if (r > 0.0 && r < 1.0) return x * std::sqrt(-2.0 * std::log(r) / r);
  }
}

// Marsaglia and Tsang (2000); a shape below 1 is boosted by U^(1/shape).
double RandomStream::gamma(double shape) {
  VAPOR_CHECK_GT(shape, 0.0);
  if (shape < 1.0) {
    const double boost = std::pow(1.0 - uniform(), 1.0 / shape);
    return gamma(shape + 1.0) * boost;
  }
  const double d = shape - 1.0 / 3.0;
  const double c = 1.0 / std::sqrt(9.0 * d);
  while (true) {
    const double x = normal();
    const double v = std::pow(1.0 + c * x, 3);
    if (v <= 0.0) continue;
    const double u = 1.0 - uniform();
    if (std::log(u) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
  }
}

double RandomStream::beta(double a, double b) {
  VAPOR_CHECK_GT(a, 0.0);
  VAPOR_CHECK_GT(b, 0.0);
  // The inverse of the distribution function keeps every digit of a tiny draw.
  if (a == 1.0) return -std::expm1(std::log(1.0 - uniform()) / b);
  if (b == 1.0) return std::exp(std::log(1.0 - uniform()) / a);
  // Gamma(a) / (Gamma(a) + Gamma(b)). With U >= 2^-53 a boost U^(1/shape) is above 1e-160 for
  // shapes from 0.1, so the sum cannot underflow unless both are smaller.
  if (a >= 0.1 || b >= 0.1) {
    const double x = gamma(a);
    const double y = gamma(b);
    return x / (x + y);
  }
  const double log_x = std::log(gamma(a + 1.0)) + std::log(1.0 - uniform()) / a;
  const double log_y = std::log(gamma(b + 1.0)) + std::log(1.0 - uniform()) / b;
  return 1.0 / (1.0 + std::exp(log_y - log_x));
}

std::int32_t RandomStream::index(std::int32_t n) {
  VAPOR_CHECK_GT(n, 0);
  const auto range = static_cast<std::uint64_t>(n);
  const std::uint64_t limit = UINT64_MAX - UINT64_MAX % range;  // reject the ragged end
  std::uint64_t x = bits();
  while (x >= limit) x = bits();
  return static_cast<std::int32_t>(x % range);
}

std::int32_t RandomStream::categorical(std::span<const double> weights) {
  double total = 0.0;
  for (double w : weights) total += w;
  VAPOR_CHECK_GT(total, 0.0);
  double u = uniform() * total;
  std::int32_t last_positive = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] <= 0.0) continue;
    last_positive = static_cast<std::int32_t>(i);
    u -= weights[i];
    if (u < 0.0) break;
  }
  return last_positive;
}

void expect_seeds(const Place& place, std::int64_t first, std::int64_t count) {
  if (first < 0 || count < 1 || count - 1 > kLastSeed || first > kLastSeed - (count - 1))
    throw InputError(
        place, fmt::format("must be in 0..{}, and so must the last of {} seeds from {}", kLastSeed,
                           count, first));
}

}  // namespace vapor
