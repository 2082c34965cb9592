// The hidden layers of networks on arrays: convolutions, then dense layers, all rectified.
//
//   small  16 of 8x8 stride 4, 32 of 4x4 stride 2, dense 256 (Mnih et al., 2013 and 2016)
//   large  32 of 8x8 stride 4, 64 of 4x4 stride 2, 64 of 3x3, dense 512 (Mnih et al., 2015)
//   tiny   16 of 3x3, dense 128: for images of ten pixels or so (Young and Tian, 2019)
//   mlp    dense layers alone, for arrays of any shape
#pragma once

#include <string>
#include <vector>

#include "vapor/core/index.h"
#include "vapor/core/observation_shape.h"

namespace vapor::nn {

enum class Torso { kSmall, kLarge, kTiny, kMlp };

const std::vector<std::string>& torso_names();  // in the order of the enum

struct Convolution {
  Index channels;
  Index kernel;  // its side
  Index stride;
};

struct TorsoLayout {
  std::vector<Convolution> convolutions;
  std::vector<Index> dense;  // widths
};

// The layers of a torso; `hidden` and `layers` are those of the mlp. Throws InputError that says
// which torso to choose if the arrays are too small for it.
TorsoLayout torso_layout(Torso torso, Index hidden, Index layers, const ObservationShape& shape);

// The smallest torso that was made for arrays of this shape.
Torso fitting_torso(const ObservationShape& shape);

}  // namespace vapor::nn
