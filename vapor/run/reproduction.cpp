#include "vapor/run/reproduction.h"

namespace vapor {

namespace {

SweepOptions sweep_options(const ReproductionOptions& options) {
  SweepOptions how;
  how.threads = options.threads;
  how.interrupt = options.interrupt;
  how.progress = options.progress;
  return how;
}

}  // namespace

void make_runs(const std::vector<SweepCell>& cells, const ReproductionOptions& options) {
  sweep(cells, sweep_options(options));
  if (options.interrupted()) throw Interrupted{};
}

void make_tasks(const std::vector<SweepTask>& tasks, const ReproductionOptions& options) {
  sweep_tasks(tasks, sweep_options(options));
  if (options.interrupted()) throw Interrupted{};
}

}  // namespace vapor
