#include "vapor/nn/torso.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "vapor/core/error.h"

namespace vapor::nn {
namespace {

TorsoLayout layers_of(Torso torso, Index hidden, Index layers) {
  switch (torso) {
    case Torso::kSmall:
      return {{{16, 8, 4}, {32, 4, 2}}, {256}};
    case Torso::kLarge:
      return {{{32, 8, 4}, {64, 4, 2}, {64, 3, 1}}, {512}};
    case Torso::kTiny:
      return {{{16, 3, 1}}, {128}};
    case Torso::kMlp:
      break;
  }
  return {{}, std::vector<Index>(hidden > 0 ? layers : 0, hidden)};
}

// The side of the smallest image of which something is left after the last convolution.
Index least_side(const TorsoLayout& layout) {
  Index side = 1;
  for (const Convolution& c : layout.convolutions | std::views::reverse)
    side = (side - 1) * c.stride + c.kernel;
  return side;
}

}  // namespace

const std::vector<std::string>& torso_names() {
  static const std::vector<std::string> names = {"small", "large", "tiny", "mlp"};
  return names;
}

TorsoLayout torso_layout(Torso torso, Index hidden, Index layers, const ObservationShape& shape) {
  const TorsoLayout layout = layers_of(torso, hidden, layers);
  const Index least = least_side(layout);
  if (std::min(shape.height, shape.width) < least) {
    const std::vector<std::string>& names = torso_names();
    throw InputError(
        "torso", fmt::format("{} needs images of {} x {} pixels or more, got {} x {}: "
                             "choose torso={}",
                             names[static_cast<std::size_t>(torso)], least, least, shape.height,
                             shape.width, names[static_cast<std::size_t>(fitting_torso(shape))]));
  }
  return layout;
}

Torso fitting_torso(const ObservationShape& shape) {
  const Index side = std::min(shape.height, shape.width);
  return side >= 36 ? Torso::kSmall : side >= 3 ? Torso::kTiny : Torso::kMlp;
}

}  // namespace vapor::nn
