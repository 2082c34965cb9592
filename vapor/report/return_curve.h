// The returns of a training, reduced to few windows of the axis it was trained along, so that
// memory does not grow with its episodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "vapor/record/run_record.h"

namespace vapor {

// The episodes that ended in a window of the axis.
struct ReturnWindow {
  std::int64_t episodes = 0;
  double mean = 0.0;  // of their returns; 0 if there are none
};

// Window i holds what ended at i width + 1, ..., (i + 1) width on the axis. Widths are powers of
// two, so that windows of one curve can be joined into those of another.
struct ReturnCurve {
  bool by_frames = false;  // the axis: frames of the environment so far; otherwise episodes
  std::int64_t last = 0;   // on the axis
  std::int64_t width = 1;
  std::vector<ReturnWindow> windows;  // at most kMostWindows
};

constexpr std::size_t kMostWindows = 64;

// Of a record of `vapor train`, in the narrowest windows that are few enough. Its axis is frames if
// its definition has a number of them. Throws InputError that names the file and the column.
ReturnCurve return_curve(const RunRecord& training);

// The same in windows of that width, a multiple of the curve's.
ReturnCurve widened(const ReturnCurve& curve, std::int64_t width);

}  // namespace vapor
