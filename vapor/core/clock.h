// Wall time, for people: never part of what is promised to be the same.
#pragma once

#include <chrono>

namespace vapor {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// A moment that work is to end by; without one it never passes, and the clock is not asked.
class Deadline {
 public:
  Deadline() = default;
  Deadline(Clock::time_point begin, double seconds) {
    constexpr double kEver = 1e9;
    if (!(seconds < kEver)) return;
    limited_ = true;
    end_ = begin + std::chrono::duration_cast<Clock::duration>(
                       std::chrono::duration<double>(seconds > 0.0 ? seconds : 0.0));
  }

  bool passed() const { return limited_ && Clock::now() > end_; }

 private:
  bool limited_ = false;
  Clock::time_point end_;
};

}  // namespace vapor
