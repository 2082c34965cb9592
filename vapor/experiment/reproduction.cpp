#include "vapor/experiment/reproduction.h"

namespace vapor {

void make_runs(const std::vector<SweepCell>& cells, const ReproductionOptions& options) {
  SweepOptions how;
  how.threads = options.threads;
  how.interrupt = options.interrupt;
  how.progress = options.progress;
  sweep(cells, how);
  if (options.interrupted()) throw Interrupted{};
}

}  // namespace vapor
