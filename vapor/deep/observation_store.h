// Arrays of numbers that are observed, each under a number of its own, which is what frames, the
// replay and networks pass around. The oldest gives way to the newest.
//
// An image that is a stack of planes shares all but the newest plane with the one before it: planes
// are stored once, so a stack of four takes the memory of one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "vapor/core/archive.h"
#include "vapor/core/index.h"
#include "vapor/env/vector_environment.h"

namespace vapor::deep {

class ObservationStore {
 public:
  // Holds the last `capacity` observations.
  ObservationStore(const ObservationShape& shape, Index capacity);

  const ObservationShape& shape() const { return shape_; }
  Index capacity() const { return capacity_; }  // numbers are 0, ..., capacity - 1

  // Keeps an observation; `previous` is the number of the one before it in its episode, -1 if it is
  // the first.
  Index add(std::span<const std::byte> observation, Index previous);

  // Writes an observation, shape().bytes() of them.
  void copy_to(Index number, std::byte* observation) const;

  void archive(Archive& archive);

 private:
  Index add_plane(const std::byte* plane);
  std::span<const std::byte> plane(std::int64_t serial) const;

  ObservationShape shape_;
  Index capacity_;
  std::size_t plane_bytes_;
  Index plane_capacity_;
  std::vector<std::byte> planes_;          // a ring
  std::vector<std::int64_t> serials_;      // by number and channel: of its planes
  std::int64_t planes_added_ = 0;
  std::int64_t added_ = 0;
};

}  // namespace vapor::deep
