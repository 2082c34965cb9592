// The learner: it keeps the replay, makes batches of new and replayed sequences, and lets the agent
// learn from as many as the replay fraction allows: a frame is learned from 1 / (1 - fraction)
// times, once when it is new and otherwise from the replay.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vapor/core/random.h"
#include "vapor/deep/agent.h"
#include "vapor/deep/config.h"
#include "vapor/deep/replay/replay.h"

namespace vapor::deep {

class Learner {
 public:
  // `merge` false gives every frame rows of its own; only tests want that. With an LSTM rows are in
  // time.
  Learner(const Config& config, Agent& agent, Index observations, const RandomStream& random,
          bool merge = true);

  // Takes over frames that follow one another: an episode, or a part of one, whose last frame then
  // leads to an observation that is valued. They become sequences of nearly equal length; what is
  // no longer than the unroll is one.
  void add(std::span<const Frame> frames);

  // Learns from what is owed for the frames that were added; returns the number of steps.
  Index learn();

  // One step, owed or not. Throws InputError if the agent's values are no longer finite.
  void step();

  std::int64_t steps() const { return steps_; }
  std::int64_t frames() const { return frames_; }   // learned from
  const Losses& losses() const { return losses_; }  // of the last step
  const Batch& batch() const { return batch_; }     // the last one

  void archive(Archive& archive);

 private:
  void assemble(RandomStream& random);

  const Config config_;
  Agent& agent_;
  RandomStream random_;
  Replay replay_;
  Batch batch_;
  double new_frames_;             // of a batch: new sequences are taken until it has so many
  double late_ = 0.0;             // and as many more, which the batches before it left waiting
  std::vector<Index> new_slots_;  // not yet learned from
  std::vector<double> priorities_;
  double owed_ = 0.0;       // frames
  std::int64_t added_ = 0;  // calls of `add`
  std::int64_t steps_ = 0;
  std::int64_t frames_ = 0;
  Losses losses_;
};

}  // namespace vapor::deep
