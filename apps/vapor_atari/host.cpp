#include "host.h"

#include "vapor/core/random.h"

namespace vapor::atari {

std::int32_t place_seed(std::uint64_t seed, Index place) {
  RandomStream stream = RandomStream(seed).split("place").split(static_cast<std::uint64_t>(place));
  return static_cast<std::int32_t>(stream.bits() >> 33 | 1U);
}

}  // namespace vapor::atari
