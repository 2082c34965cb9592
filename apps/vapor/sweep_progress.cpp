#include "sweep_progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <thread>

namespace vapor::command {
namespace {

std::string bar(double part) {
  const int width = 24;
  const int full = static_cast<int>(std::clamp(part, 0.0, 1.0) * width);
  return fmt::format("[{}{}]", std::string(full, '#'), std::string(width - full, '.'));
}

std::string progress_text(const SweepProgress& p, double seconds) {
  std::string text = fmt::format("{} {}/{} runs  {}/{} episodes",
                                 bar(static_cast<double>(p.episodes_done) /
                                     static_cast<double>(std::max<std::int64_t>(1, p.episodes))),
                                 p.runs_ended, p.runs, p.episodes_done, p.episodes);
  if (p.episodes_played == 0 || seconds <= 0.0) return text;
  const double rate = static_cast<double>(p.episodes_played) / seconds;
  return text + fmt::format("  {:.3g}/s  {} left", rate,
                            duration(static_cast<double>(p.episodes - p.episodes_done) / rate));
}

}  // namespace

SweepProgressLine::SweepProgressLine(bool enabled)
    : line_(enabled), begin_(std::chrono::steady_clock::now()) {}

void SweepProgressLine::show(const SweepProgress& progress) {
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin_;
  line_.show(progress_text(progress, passed.count()));
}

int threads_or_all(int threads) {
  return threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace vapor::command
