// What the two kinds of training have in common.
#pragma once

#include <cstdint>
#include <string>

#include "action.h"
#include "terminal.h"
#include "vapor/core/index.h"

namespace vapor::command {

struct TrainOptions {
  std::string env;
  std::string agent = "vapor-lite";
  std::int64_t seed = 1;
  int seeds = 1;
  std::string out;
  int threads = 0;
  Output output;

  // Of environments whose states are known by index.
  std::int64_t episodes = 1000;
  bool stop_when_solved = false;
  std::int64_t checkpoint_every = 0;

  // Of environments that are observed as arrays.
  std::int64_t frames = 1'000'000;
  Index places = 8;
  Index actors = 0;
  bool unclipped_rewards = false;
  std::int64_t checkpoint_frames = 50'000;
};

// DIR/seed-S, DIR being --out or out/train/ENV/AGENT.
std::string folder_of(const TrainOptions& options, std::uint64_t seed);

// Their results are exit codes.
int train_by_episodes(const TrainOptions& options);
int train_by_frames(const TrainOptions& options);

}  // namespace vapor::command
