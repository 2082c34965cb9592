// The arrays of a batch as floats, fetched from a store by their numbers: shades become x / 255.
// All channels of a pixel lie side by side. A network and its target share it, so that an array is
// fetched once for both, and it keeps its memory from batch to batch.
#pragma once

#include <span>
#include <vector>

#include "vapor/nn/matrix.h"
#include "vapor/nn/observation_store.h"

namespace vapor::nn {

class InputBuffer {
 public:
  explicit InputBuffer(const ObservationStore& store) : store_(&store) {}

  // Every network that shares it has a number of its own. It holds the arrays of `observations`
  // from now on; a user that asks twice gets what is stored now.
  Index add_user();
  void gather(Index user, std::span<const Index> observations);

  float* row(Index r) { return values_.data() + static_cast<std::ptrdiff_t>(r) * width(); }
  Index width() const { return store_->shape().elements(); }
  const ObservationShape& shape() const { return store_->shape(); }
  std::span<const Index> observations() const { return observations_; }

 private:
  void convert(const std::byte* array, float* row) const;

  const ObservationStore* store_;
  std::vector<Index> observations_;
  std::vector<bool> served_;  // by user: it has had what is held
  std::vector<std::byte> array_;
  Floats values_;
};

}  // namespace vapor::nn
