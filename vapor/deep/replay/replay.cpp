#include "vapor/deep/replay/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vapor/core/check.h"
#include "vapor/core/error.h"

namespace vapor::deep {

Index slots_of(const ReplaySettings& settings) {
  validate(settings);
  return (settings.frames + settings.unroll - 1) / settings.unroll;
}

void validate(const ReplaySettings& settings) {
  const auto require = [](bool good, const char* field, const char* rule, auto value) {
    if (!good) throw InputError(field, fmt::format("must be {}, got {}", rule, value));
  };
  require(settings.unroll >= 1 && settings.unroll <= 100000, "unroll", "in 1..100000",
          settings.unroll);
  require(settings.frames >= settings.unroll && settings.frames <= 100'000'000, "replay",
          "at least the unroll and at most 1e8 frames", settings.frames);
  require(settings.exponent >= 0.0 && settings.exponent <= 10.0, "priority_exponent", "in [0, 10]",
          settings.exponent);
  require(settings.least_priority > 0.0 && settings.least_priority <= 1e6, "least_priority",
          "in (0, 1e6]", settings.least_priority);
}

Replay::Replay(const ReplaySettings& settings)
    : settings_(settings), length_(slots_of(settings), 0), tree_(slots_of(settings)) {
  const std::size_t frames = length_.size() * static_cast<std::size_t>(settings.unroll);
  frames_.resize(frames);
  extras_.resize(frames * static_cast<std::size_t>(settings.extras));
}

double Replay::weight_of(double priority) const {
  return std::pow(std::max(priority, settings_.least_priority), settings_.exponent);
}

Index Replay::insert(std::span<const Frame> frames, const DrawExtras& draw) {
  VAPOR_CHECK_GE(frames.size(), std::size_t{1});
  VAPOR_CHECK_LE(frames.size(), static_cast<std::size_t>(settings_.unroll));
  const auto slot = static_cast<Index>(inserted_++ % slots());
  const std::size_t first = static_cast<std::size_t>(slot) * settings_.unroll;
  std::copy(frames.begin(), frames.end(), frames_.begin() + static_cast<std::ptrdiff_t>(first));
  length_[slot] = static_cast<Index>(frames.size());
  if (settings_.extras > 0)
    for (std::size_t i = first; i < first + frames.size(); ++i)
      draw(std::span(extras_).subspan(i * settings_.extras, settings_.extras));
  tree_.set(slot, weight_of(largest_priority_));
  return slot;
}

Index Replay::sample(RandomStream& random) const {
  return tree_.find(random.uniform() * tree_.total());
}

void Replay::set_priority(Index slot, double priority) {
  largest_priority_ = std::max(largest_priority_, priority);
  tree_.set(slot, weight_of(priority));
}

void Replay::append_to(Batch& batch, Index slot, float gamma) const {
  const std::size_t first = static_cast<std::size_t>(slot) * settings_.unroll;
  for (std::size_t i = first; i < first + length_[slot]; ++i)
    batch.add(frames_[i], gamma,
              settings_.extras > 0 ? extras_.data() + i * settings_.extras : nullptr);
  batch.end_sequence(slot);
}

void Replay::archive(Archive& archive) {
  archive(frames_), archive(extras_), archive(length_), archive(largest_priority_);
  archive(inserted_);
  tree_.archive(archive);
}

}  // namespace vapor::deep
