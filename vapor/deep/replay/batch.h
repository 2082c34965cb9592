// What an actor hands over, and what a learner learns from.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "vapor/core/index.h"
#include "vapor/deep/replay/observation.h"

namespace vapor::nn {}

namespace vapor::deep {

using namespace nn;  // agents are made of networks

// One step of an actor.
struct Frame {
  Index observation = 0;
  Index action = 0;
  Index next_observation = 0;  // where `last` is set it does not matter
  float reward = 0.0F;
  float behaviour = 1.0F;  // probability with which the action was taken
  bool last = false;       // the episode ends here: nothing is worth anything after it
};

// Which observations of a batch have one row.
enum class RowSharing {
  kEqual,   // all that are equal
  kNone,    // none
  kInTime,  // where a frame leads to, and where the next frame of its sequence is
};

// Sequences of frames, one after another, with their observations merged into rows.
struct Batch {
  // `different` is the number of observations there are.
  Batch(Index different, Index frames_capacity, RowSharing sharing = RowSharing::kEqual)
      : observations(different, 2 * frames_capacity, sharing == RowSharing::kEqual),
        sharing_(sharing) {
    begin.reserve(frames_capacity + 1);
    if (sharing == RowSharing::kInTime) first_rows.reserve(frames_capacity);
    for (std::vector<Index>* v : {&row, &next_row, &action, &slot}) v->reserve(frames_capacity);
    for (std::vector<float>* v : {&reward, &discount, &behaviour}) v->reserve(frames_capacity);
    extras.reserve(frames_capacity);
    clear();
  }

  void clear() {
    observations.clear();
    begin.assign(1, 0);
    for (std::vector<Index>* v : {&row, &next_row, &action, &slot}) v->clear();
    for (std::vector<float>* v : {&reward, &discount, &behaviour}) v->clear();
    extras.clear();
    first_rows.clear();
    leads_on_ = false;
  }

  void add(const Frame& frame, float gamma, const float* extra) {
    row.push_back(row_of(frame));
    next_row.push_back(frame.last ? row.back() : observations.add(frame.next_observation));
    leads_on_ = !frame.last;
    action.push_back(frame.action);
    reward.push_back(frame.reward);
    discount.push_back(frame.last ? 0.0F : gamma);
    behaviour.push_back(frame.behaviour);
    extras.push_back(extra);
  }

  // Ends the sequence that the last frames belong to; `from` is its place in the replay.
  void end_sequence(Index from) {
    begin.push_back(frames());
    slot.push_back(from);
    leads_on_ = false;
  }

  Index frames() const { return static_cast<Index>(row.size()); }
  Index rows() const { return observations.size(); }
  Index sequences() const { return static_cast<Index>(slot.size()); }
  Range frames_of(Index sequence) const { return {begin[sequence], begin[sequence + 1]}; }

  ObservationRows observations;
  // In time: the rows at which something begins. All others go on from the row before them, so a
  // sequence of n frames has n + 1 rows side by side, n if it ends the episode. Empty otherwise.
  std::vector<Index> first_rows;
  std::vector<Index> begin;     // sequence k has the frames begin[k], ..., begin[k + 1] - 1
  std::vector<Index> slot;      // by sequence
  std::vector<Index> row;       // by frame, from here on
  std::vector<Index> next_row;  // where the discount is 0 it does not matter
  std::vector<Index> action;
  std::vector<float> reward;
  std::vector<float> discount;  // gamma, or 0 where the episode ends
  std::vector<float> behaviour;
  std::vector<const float*> extras;  // what the replay drew for the frame; null if nothing

 private:
  Index row_of(const Frame& frame) {
    if (sharing_ != RowSharing::kInTime) return observations.add(frame.observation);
    if (leads_on_ && observations.observations().back() == frame.observation)
      return next_row.back();
    first_rows.push_back(rows());
    return observations.add(frame.observation);
  }

  RowSharing sharing_;
  bool leads_on_ = false;  // the last frame leads to the next of its sequence, if there is one
};

}  // namespace vapor::deep
