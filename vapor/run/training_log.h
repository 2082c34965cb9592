// The TensorBoard log of a training, in the folder `tensorboard` of its run: a point an episode,
// against the frames that were played.
#pragma once

#include <cstdint>
#include <string>

#include "vapor/core/clock.h"
#include "vapor/run/episode_row.h"
#include "vapor/run/event_file.h"

namespace vapor {

class TrainingLog {
 public:
  // Goes on after `frames`: points of older files that lie behind them are void.
  TrainingLog(const std::string& run_folder, std::int64_t frames, std::int64_t learner_frames);

  void add(const EpisodeRow& episode);

 private:
  EventFile file_;
  std::int64_t frames_;  // at the start, for the rates
  std::int64_t learner_frames_;
  Clock::time_point begin_ = Clock::now();
};

}  // namespace vapor
