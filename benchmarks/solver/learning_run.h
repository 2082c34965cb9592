// Learning runs on DeepSea whose problems are solved and timed, episode by episode.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "deep_sea_run.h"

namespace vapor::benchmark {

// The two settings of the contrast between visited and unvisited pairs.
DeepSeaRunSettings contrast(int depth, int repeat);

// One learning run: every episode solved warm, and cold too every tenth.
struct LearningRun {
  int depth = 0;
  int repeat = 0;
  std::vector<double> warm_seconds, warm_iterations, cold_iterations;
  int episodes = 0;
  int failures = 0;
  std::vector<std::string> stage_files;   // early, middle, late
  std::vector<std::string> sample_files;  // of every k-th episode, for the paper's way
};

// The number of episodes is about what learning takes at high contrast; the paper's constants at
// m = 100 keep exploring for longer than anyone would wait.
int learning_episodes(int depth, int repeat);

// Problems go to files in `folder`: those of three stages, and those of `samples` episodes.
LearningRun learn(int depth, int repeat, const std::string& folder, int samples,
                  const std::function<void(int)>& progress);

}  // namespace vapor::benchmark
