#include "vapor/solver/stopping.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vapor {

Stopping::Stopping(const Settings& settings, int default_max_iterations, int patience)
    : settings_(settings),
      max_iterations_(settings.max_iterations > 0 ? settings.max_iterations
                                                  : default_max_iterations),
      patience_(patience),
      begin_(Clock::now()),
      smallest_gap_(std::numeric_limits<double>::infinity()) {}

double Stopping::seconds() const { return seconds_since(begin_); }

bool Stopping::done(double value, double gap) {
  iterations_ = calls_++;
  if (gap < 0.9 * smallest_gap_) {
    smallest_gap_ = gap;
    last_progress_ = iterations_;
  }
  const bool wanted =
      !settings_.progress || settings_.progress({iterations_, value, value + gap, seconds()});
  if (gap <= settings_.tolerance * std::max(1.0, std::abs(value)))
    status_ = Status::kSolved;
  else if (!wanted)
    status_ = Status::kInterrupted;
  else if (iterations_ >= max_iterations_)
    status_ = Status::kMaxIterations;
  else if (iterations_ - last_progress_ >= patience_)
    status_ = Status::kStalled;
  else if (seconds() > settings_.max_seconds)
    status_ = Status::kTimeLimit;
  else
    return false;
  return true;
}

}  // namespace vapor
