// The line of progress of many runs: a bar, how many are done, the time left.
#pragma once

#include "terminal.h"
#include "vapor/run/sweep.h"

namespace vapor::command {

class SweepProgressLine {
 public:
  explicit SweepProgressLine(bool enabled) : bar_(enabled) {}
  // `details` stand after what is counted.
  void show(const SweepProgress& progress, const std::string& details = "");
  void clear() { bar_.clear(); }

 private:
  ProgressBar bar_;
};

// The number of threads that --threads N asks for, 0 being all cores.
int threads_or_all(int threads);

}  // namespace vapor::command
