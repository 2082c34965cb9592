// The line of progress of many runs: a bar, episodes a second, time left.
#pragma once

#include <chrono>

#include "terminal.h"
#include "vapor/experiment/sweep.h"

namespace vapor::command {

class SweepProgressLine {
 public:
  explicit SweepProgressLine(bool enabled);
  void show(const SweepProgress& progress);

 private:
  ProgressLine line_;
  std::chrono::steady_clock::time_point begin_;
};

// The number of threads that --threads N asks for, 0 being all cores.
int threads_or_all(int threads);

}  // namespace vapor::command
