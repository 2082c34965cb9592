// A store of random arrays, for tests of networks on them.
#pragma once

#include <cstring>
#include <vector>

#include "vapor/core/random.h"
#include "vapor/nn/observation_store.h"

namespace vapor::nn {

inline ObservationStore random_arrays(const ObservationShape& shape, Index n) {
  ObservationStore store(shape, n);
  RandomStream random(17);
  std::vector<std::byte> array(shape.bytes());
  for (Index k = 0; k < n; ++k) {
    for (Index i = 0; i < shape.elements(); ++i)
      if (shape.element != Element::kFloat) {
        array[i] = static_cast<std::byte>(random.index(256));
      } else {
        const auto x = static_cast<float>(random.normal());
        std::memcpy(array.data() + i * sizeof x, &x, sizeof x);
      }
    store.add(array, -1);
  }
  return store;
}

}  // namespace vapor::nn
