#include "vapor/mdp/episode.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vapor/core/error.h"

namespace vapor {
namespace {

// The layer of a pair; `ends` has, by layer, one past its last pair.
Index layer_of(const std::vector<Index>& ends, Index pair) {
  return static_cast<Index>(std::ranges::upper_bound(ends, pair) - ends.begin());
}

}  // namespace

void validate(const Shape& shape, const Episode& episode) {
  std::vector<Index> ends;  // by layer: one past its last pair
  for (Index l = 0; l < shape.layers(); ++l) ends.push_back(shape.pairs_of_layer(l).last());
  for (std::size_t i = 0; i < episode.size(); ++i) {
    const Step& step = episode[i];
    const auto place = [i](const char* what) { return fmt::format("steps[{}].{}", i, what); };
    if (step.pair < 0 || step.pair >= shape.pairs())
      throw InputError(place("pair"),
                       fmt::format("must be in 0..{}, got {}", shape.pairs() - 1, step.pair));
    if (!std::isfinite(step.reward))
      throw InputError(place("reward"), fmt::format("must be finite, got {}", step.reward));
    const Index next_layer = layer_of(ends, step.pair) + 1;
    const Range next = next_layer < shape.layers() ? shape.states_of(next_layer) : Range(-1, 0);
    if (step.next_state < next.first() || step.next_state >= next.last())
      throw InputError(place("next_state"), fmt::format("must be in {}..{}, got {}", next.first(),
                                                        next.last() - 1, step.next_state));
  }
}

}  // namespace vapor
