// Arrays of numbers that are observed, each under a number of its own, which is what frames, the
// replay and networks pass around. The oldest gives way to the newest.
//
// An image that is a stack of planes shares all but the newest plane with the one before it: planes
// are stored once, so a stack of four takes the memory of one. Observations that are no stacks are
// held too, at what they take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "vapor/core/archive.h"
#include "vapor/core/index.h"
#include "vapor/core/observation_shape.h"

namespace vapor::nn {

class ObservationStore {
 public:
  // Holds the last `held` observations.
  ObservationStore(const ObservationShape& shape, Index held);

  const ObservationShape& shape() const { return shape_; }
  Index held() const { return held_; }

  // Numbers are 0, ..., capacity() - 1, twice as many as are held: a number is not given again
  // before `held` further observations have gone by in which asking for it fails a check.
  Index capacity() const { return capacity_; }
  bool holds(Index number) const;

  // How many were added before the last one that got this number: it tells an observation from
  // those that had its number earlier. Below 0: nothing has had it yet.
  std::int64_t serial(Index number) const {
    const std::int64_t last = added_ - 1;
    return last - (last - number + capacity_) % capacity_;
  }

  // Keeps an observation; `previous` is the number of the one before it in its episode, or of the
  // same once more; -1: there is none. Where nothing is shared that costs memory and nothing else.
  Index add(std::span<const std::byte> observation, Index previous);

  // Writes an observation, shape().bytes() of them. The number must be held.
  void copy_to(Index number, std::byte* observation) const;

  // Planes that are stored: what memory goes by.
  Index planes() const { return static_cast<Index>(references_.size() - free_.size()); }

  void archive(Archive& archive);

 private:
  const std::byte* plane(Index at) const;
  Index* planes_of(Index number) { return &planes_[static_cast<std::size_t>(number) * channels()]; }
  const Index* planes_of(Index number) const {
    return &planes_[static_cast<std::size_t>(number) * channels()];
  }
  std::size_t channels() const { return static_cast<std::size_t>(shape_.channels); }
  Index new_plane(const std::byte* pixels);
  void release(Index number);
  bool is_moved(Index previous, Index by, const std::byte* observation) const;
  Index planes_moved(Index previous, const std::byte* observation) const;

  ObservationShape shape_;
  Index held_;
  Index capacity_ = 0;
  std::size_t plane_bytes_;
  Index block_planes_;                          // planes of a block
  std::vector<std::vector<std::byte>> blocks_;  // taken as they are needed
  std::vector<Index> references_;               // by plane: numbers and channels that have it
  std::vector<Index> free_;                     // planes without any
  std::vector<Index> planes_;                   // by number and channel; -1: not held
  std::int64_t added_ = 0;
};

}  // namespace vapor::nn
