// Splittable random streams: the same bytes on every machine, whatever the number of threads.
// A stream is a value; `split` derives an independent stream from a label, so each part of a
// program draws from its own stream and adding a draw in one place moves no other.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string_view>

#include "vapor/core/error.h"

namespace vapor {

// The last seed that every reader of JSON keeps, whose numbers may be doubles.
inline constexpr std::int64_t kLastSeed = 9'000'000'000'000'000;

// Throws InputError that names the place unless the seeds `first`, `first` + 1, ... are such seeds.
void expect_seeds(const Place& place, std::int64_t first, std::int64_t count);

// xoshiro256++ (Blackman and Vigna, 2019), seeded through splitmix64.
class RandomStream {
 public:
  explicit RandomStream(std::uint64_t seed);

  // An independent stream that depends on this stream's seed and the label alone, not on how many
  // numbers have been drawn.
  RandomStream split(std::uint64_t label) const;
  RandomStream split(std::string_view label) const;

  std::uint64_t bits() {
    const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  double uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }  // in [0, 1), 53 bits
  double uniform(double low, double high);                                    // in [low, high)
  double normal();                                                            // N(0, 1)
  double gamma(double shape);                                 // Gamma(shape, 1), shape > 0
  double beta(double a, double b);                            // Beta(a, b), a and b > 0
  std::int32_t index(std::int32_t n);                         // 0, ..., n - 1, unbiased
  std::int32_t categorical(std::span<const double> weights);  // proportional to weights >= 0

 private:
  std::uint64_t seed_;
  std::uint64_t state_[4];
};

}  // namespace vapor
