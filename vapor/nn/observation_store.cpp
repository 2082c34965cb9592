#include "vapor/nn/observation_store.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "vapor/core/check.h"

namespace vapor::nn {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 20U;

}  // namespace

ObservationStore::ObservationStore(const ObservationShape& shape, Index held)
    : shape_(shape), held_(held) {
  VAPOR_CHECK_GE(held, 2);  // an observation and the one that follows it
  VAPOR_CHECK_LE(held, std::numeric_limits<Index>::max() / 2);
  VAPOR_CHECK_GE(shape.channels, 1);
  VAPOR_CHECK_GE(shape.elements(), 1);
  capacity_ = 2 * held;
  plane_bytes_ = shape.bytes() / channels();
  block_planes_ = static_cast<Index>(std::max<std::size_t>(1, kBlockBytes / plane_bytes_));
  planes_.assign(static_cast<std::size_t>(capacity_) * channels(), -1);
}

const std::byte* ObservationStore::plane(Index at) const {
  return blocks_[at / block_planes_].data() +
         static_cast<std::size_t>(at % block_planes_) * plane_bytes_;
}

bool ObservationStore::holds(Index number) const {
  return number >= 0 && number < capacity_ && *planes_of(number) >= 0;
}

Index ObservationStore::new_plane(const std::byte* pixels) {
  if (free_.empty()) {
    const auto first = static_cast<Index>(references_.size());
    blocks_.emplace_back(static_cast<std::size_t>(block_planes_) * plane_bytes_);
    references_.resize(references_.size() + static_cast<std::size_t>(block_planes_), 0);
    for (Index at = first + block_planes_; at-- > first;) free_.push_back(at);
  }
  const Index at = free_.back();
  free_.pop_back();
  std::memcpy(blocks_[at / block_planes_].data() +
                  static_cast<std::size_t>(at % block_planes_) * plane_bytes_,
              pixels, plane_bytes_);
  return at;
}

void ObservationStore::release(Index number) {
  Index* planes = planes_of(number);
  for (Index c = 0; c < shape_.channels; ++c) {
    if (--references_[planes[c]] == 0) free_.push_back(planes[c]);
    planes[c] = -1;
  }
}

bool ObservationStore::is_moved(Index previous, Index by, const std::byte* observation) const {
  const Index* before = planes_of(previous);
  for (Index c = 0; c + by < shape_.channels; ++c)
    if (std::memcmp(plane(before[c + by]), observation + static_cast<std::size_t>(c) * plane_bytes_,
                    plane_bytes_) != 0)
      return false;
  return true;
}

// By how many planes the stack moved on since `previous`: 0, 1, or all of them.
Index ObservationStore::planes_moved(Index previous, const std::byte* observation) const {
  if (previous >= 0)
    for (const Index by : {0, 1})
      if (is_moved(previous, by, observation)) return by;
  return shape_.channels;
}

Index ObservationStore::add(std::span<const std::byte> observation, Index previous) {
  VAPOR_CHECK_EQ(observation.size(), shape_.bytes());
  if (previous >= 0) VAPOR_CHECK_EQ(holds(previous), true);
  const Index moved = planes_moved(previous, observation.data());
  const auto number = static_cast<Index>(added_ % capacity_);
  Index* planes = planes_of(number);
  for (Index c = 0; c < shape_.channels; ++c) {
    const std::byte* pixels = observation.data() + static_cast<std::size_t>(c) * plane_bytes_;
    if (c + moved < shape_.channels)
      planes[c] = planes_of(previous)[c + moved];
    else if (c > 0 && std::memcmp(plane(planes[c - 1]), pixels, plane_bytes_) == 0)
      planes[c] = planes[c - 1];  // an episode that begins with its first image several times
    else
      planes[c] = new_plane(pixels);
    ++references_[planes[c]];
  }
  ++added_;
  if (added_ > held_) release(static_cast<Index>((added_ - 1 - held_) % capacity_));
  return number;
}

void ObservationStore::copy_to(Index number, std::byte* observation) const {
  VAPOR_CHECK_GE(number, 0);
  VAPOR_CHECK_LT(number, capacity_);
  const Index* planes = planes_of(number);
  for (Index c = 0; c < shape_.channels; ++c) {
    VAPOR_CHECK_GE(planes[c], 0);  // never added, or it gave way
    std::memcpy(observation + static_cast<std::size_t>(c) * plane_bytes_, plane(planes[c]),
                plane_bytes_);
  }
}

void ObservationStore::archive(Archive& archive) {
  archive(blocks_), archive(references_), archive(free_), archive(planes_), archive(added_);
}

}  // namespace vapor::nn
