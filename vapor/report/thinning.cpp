#include "vapor/report/thinning.h"

#include <algorithm>
#include <cmath>

#include "vapor/core/check.h"

namespace vapor {

// Each step is the one that would lead to the last episode in equal steps on a log scale, but at
// least one episode: the early ones are all there, and no point is spent twice.
std::vector<std::int64_t> picture_episodes(std::int64_t episodes, std::size_t most) {
  VAPOR_CHECK_GE(episodes, 1);
  VAPOR_CHECK_GE(most, 2u);
  const auto last = static_cast<double>(episodes);
  std::vector<std::int64_t> chosen = {1};
  while (chosen.back() < episodes) {
    const auto steps_left = static_cast<double>(most - chosen.size());
    const auto here = static_cast<double>(chosen.back());
    const std::int64_t next = std::llround(here * std::pow(last / here, 1.0 / steps_left));
    chosen.push_back(std::clamp(next, chosen.back() + 1, episodes));
  }
  return chosen;
}

}  // namespace vapor
