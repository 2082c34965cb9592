// Wall time, for people: never part of what is promised to be the same.
#pragma once

#include <chrono>

namespace vapor {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace vapor
