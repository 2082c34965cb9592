// When an iteration ends: the gap is closed, a limit is reached, or nothing improves any more.
#pragma once

#include "vapor/core/clock.h"
#include "vapor/solver/settings.h"
#include "vapor/solver/solution.h"

namespace vapor {

class Stopping {
 public:
  // `patience` is how many iterations may pass without the gap falling by a tenth.
  Stopping(const Settings& settings, int default_max_iterations, int patience = 15);

  // Called once at the start and once after every iteration with the best value and gap so far.
  bool done(double value, double gap);

  // The iteration ends unfinished because time is up.
  void run_out_of_time() { status_ = Status::kTimeLimit; }

  // Whether the gap has not fallen for a third of the patience, and not at every call since.
  bool stalling() const { return patience_ / 3 == calls_ - 1 - last_progress_; }

  Status status() const { return status_; }
  int iterations() const { return iterations_; }  // completed so far

 private:
  double seconds() const;

  const Settings& settings_;
  int max_iterations_;
  int patience_;
  Clock::time_point begin_;
  int calls_ = 0;
  int iterations_ = 0;
  int last_progress_ = 0;
  double smallest_gap_;
  Status status_ = Status::kStalled;
};

}  // namespace vapor
