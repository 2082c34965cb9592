#include "vapor/nn/torch/input_buffer.h"

#include <algorithm>
#include <cstring>

#include "vapor/core/multiversion.h"

namespace vapor::nn {
namespace {

// The channels of `pixels` pixels side by side. Four channels are what Atari has, and a loop of
// known length is several times faster.
template <typename T>
VAPOR_MULTIVERSION void interleave_four(const T* __restrict x, float* __restrict y, Index pixels,
                                        float scale) {
  for (Index i = 0; i < pixels; ++i)
    for (Index c = 0; c < 4; ++c) y[4 * i + c] = scale * static_cast<float>(x[c * pixels + i]);
}

template <typename T>
void interleave(const T* x, float* y, Index channels, Index pixels, float scale) {
  if (channels == 4) {
    interleave_four(x, y, pixels, scale);
    return;
  }
  for (Index c = 0; c < channels; ++c)
    for (Index i = 0; i < pixels; ++i)
      y[static_cast<std::ptrdiff_t>(i) * channels + c] =
          scale * static_cast<float>(x[static_cast<std::ptrdiff_t>(c) * pixels + i]);
}

}  // namespace

Index InputBuffer::add_user() {
  served_.push_back(true);
  return static_cast<Index>(served_.size()) - 1;
}

void InputBuffer::gather(Index user, std::span<const Index> observations) {
  const bool held = !served_[user] && std::ranges::equal(observations, observations_);
  served_[user] = true;
  if (held) return;
  served_.assign(served_.size(), false);
  served_[user] = true;
  observations_.assign(observations.begin(), observations.end());
  const std::size_t needed = observations.size() * width();
  if (values_.size() < needed) values_.resize(needed);
  array_.resize(shape().bytes());
  for (std::size_t r = 0; r < observations.size(); ++r) {
    store_->copy_to(observations[r], array_.data());
    convert(array_.data(), row(static_cast<Index>(r)));
  }
}

void InputBuffer::convert(const std::byte* array, float* row) const {
  const ObservationShape& s = shape();
  const Index pixels = s.height * s.width;
  if (s.element == Element::kFloat)
    interleave(reinterpret_cast<const float*>(array), row, s.channels, pixels, 1.0F);
  else
    interleave(reinterpret_cast<const std::uint8_t*>(array), row, s.channels, pixels,
               s.element == Element::kByte ? 1.0F / 255.0F : 1.0F);
}

}  // namespace vapor::nn
