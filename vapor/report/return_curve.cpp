#include "vapor/report/return_curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vapor/core/check.h"
#include "vapor/core/error.h"

namespace vapor {
namespace {

constexpr std::int64_t kMostFrames = 1'000'000'000'000;
constexpr double kLargestReturn = 1e100;  // what pictures can have on an axis

// A running mean, which does not overflow where a sum would.
void add(ReturnWindow& window, std::int64_t episodes, double mean) {
  if (episodes == 0) return;
  window.episodes += episodes;
  window.mean +=
      (mean - window.mean) * static_cast<double>(episodes) / static_cast<double>(window.episodes);
}

std::size_t window_at(std::int64_t place, std::int64_t width) {
  return static_cast<std::size_t>((place - 1) / width);
}

// Where each episode ended: the frames so far, or its number.
std::vector<std::int64_t> places_of(const RunRecord& training, bool by_frames) {
  std::vector<std::int64_t> places;
  for (const double place : training.episodes.column(by_frames ? "frames" : "episode")) {
    if (!(place >= 1.0 && place <= static_cast<double>(kMostFrames)))
      throw InputError(training.folder + "/episodes.csv",
                       fmt::format("frames: must be in 1..{}, got {}", kMostFrames, place));
    places.push_back(static_cast<std::int64_t>(place));
  }
  return places;
}

}  // namespace

ReturnCurve return_curve(const RunRecord& training) {
  ReturnCurve curve;
  curve.by_frames = training.run.definition.contains("frames");
  const std::vector<std::int64_t> places = places_of(training, curve.by_frames);
  const std::span<const double> returns = training.episodes.column("return");
  if (places.empty()) return curve;
  curve.last = *std::ranges::max_element(places);
  while (window_at(curve.last, curve.width) >= kMostWindows) curve.width *= 2;
  curve.windows.resize(window_at(curve.last, curve.width) + 1);
  for (std::size_t row = 0; row < places.size(); ++row) {
    if (std::abs(returns[row]) > kLargestReturn)
      throw InputError(
          training.folder + "/episodes.csv",
          fmt::format("return: must be at most {}, got {}", kLargestReturn, returns[row]));
    add(curve.windows[window_at(places[row], curve.width)], 1, returns[row]);
  }
  return curve;
}

ReturnCurve widened(const ReturnCurve& curve, std::int64_t width) {
  VAPOR_CHECK_EQ(width % curve.width, 0);
  ReturnCurve wide = curve;
  wide.width = width;
  wide.windows.clear();
  if (!curve.windows.empty()) wide.windows.resize(window_at(curve.last, width) + 1);
  const auto joined = static_cast<std::size_t>(width / curve.width);
  for (std::size_t i = 0; i < curve.windows.size(); ++i)
    add(wide.windows[i / joined], curve.windows[i].episodes, curve.windows[i].mean);
  return wide;
}

}  // namespace vapor
