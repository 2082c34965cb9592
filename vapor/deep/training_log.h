// The TensorBoard log of a training, in the folder `tensorboard` of its run: a point an episode,
// against the frames that were played.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "vapor/deep/agent.h"
#include "vapor/deep/event_file.h"

namespace vapor::deep {

// How far a training was when an episode was over, and what the episode came to.
struct LoggedEpisode {
  std::int64_t frames = 0;  // played so far
  std::int64_t learner_frames = 0;
  double episode_return = 0.0;
  std::int64_t length = 0;
  double sigma = 0.0;
  double entropy = 0.0;
  Losses losses;
};

class TrainingLog {
 public:
  // Goes on after `frames`: points of older files that lie behind them are void.
  TrainingLog(const std::string& run_folder, std::int64_t frames, std::int64_t learner_frames);

  void add(const LoggedEpisode& episode);

 private:
  EventFile file_;
  std::int64_t frames_;  // at the start, for the rates
  std::int64_t learner_frames_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace vapor::deep
