// What an environment that is observed as arrays shows, and what networks on arrays take.
#pragma once

#include <cstddef>

#include "vapor/core/index.h"

namespace vapor {

enum class Element {
  kByte,  // a shade, 0 to 255; networks see x / 255
  kFlag,  // a byte that is 0 or 1
  kFloat,
};

// An observation is channels x height x width elements, row by row within a channel.
struct ObservationShape {
  Index channels = 1;
  Index height = 1;
  Index width = 1;
  Element element = Element::kByte;

  Index elements() const { return channels * height * width; }
  std::size_t bytes() const {
    return static_cast<std::size_t>(elements()) * (element == Element::kFloat ? sizeof(float) : 1);
  }
  bool operator==(const ObservationShape&) const = default;
};

}  // namespace vapor
