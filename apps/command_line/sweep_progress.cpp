#include "sweep_progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

namespace vapor::command {

void SweepProgressLine::show(const SweepProgress& p, const std::string& details) {
  const std::string steps =
      fmt::format("{} of {} {}{}{}", whole(p.episodes_done), whole(p.episodes), p.step,
                  details.empty() ? "" : "  ", details);
  bar_.show({.done = static_cast<double>(p.episodes_done),
             .total = static_cast<double>(p.episodes),
             .worked = static_cast<double>(p.episodes_played)},
            p.runs > 1 ? fmt::format("{} of {} runs  {}", p.runs_ended, p.runs, steps) : steps);
}

int threads_or_all(int threads) {
  return threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace vapor::command
