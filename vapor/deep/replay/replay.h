// Replay of sequences of frames, drawn in proportion to priority^exponent (Schaul et al., 2016; the
// paper's exponent is 1, and no correction is made for it). The oldest sequence gives way to the
// newest. Memory is taken once.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "vapor/core/random.h"
#include "vapor/deep/replay/batch.h"
#include "vapor/deep/replay/sum_tree.h"

namespace vapor::deep {

struct ReplaySettings {
  Index frames = 100000;         // how many it holds, rounded up to whole sequences
  Index unroll = 20;             // frames of a sequence, at most
  double exponent = 1.0;         // of the priority, >= 0; 0 draws uniformly
  double least_priority = 1e-3;  // a priority below it counts as this one: nothing is forgotten
  Index extras = 0;              // numbers drawn for each frame when it is inserted
};

// Throws InputError that names the field.
void validate(const ReplaySettings& settings);

// How many sequences it holds.
Index slots_of(const ReplaySettings& settings);

class Replay {
 public:
  // Fills the extras of one frame.
  using DrawExtras = std::function<void(std::span<float>)>;

  explicit Replay(const ReplaySettings& settings);

  // Keeps a sequence of 1..unroll frames, with the largest priority that was set so far; returns
  // its slot.
  Index insert(std::span<const Frame> frames, const DrawExtras& draw);

  bool empty() const { return inserted_ == 0; }
  Index slots() const { return static_cast<Index>(length_.size()); }

  // Draws a slot in proportion to its weight.
  Index sample(RandomStream& random) const;

  void set_priority(Index slot, double priority);
  double probability(Index slot) const { return tree_.weight(slot) / tree_.total(); }

  // Appends the sequence of a slot to a batch.
  void append_to(Batch& batch, Index slot, float gamma) const;

  void archive(Archive& archive);

 private:
  double weight_of(double priority) const;

  ReplaySettings settings_;
  std::vector<Frame> frames_;  // by slot, `unroll` each
  std::vector<float> extras_;  // by frame
  std::vector<Index> length_;  // by slot
  SumTree tree_;
  double largest_priority_ = 1.0;
  std::int64_t inserted_ = 0;
};

}  // namespace vapor::deep
