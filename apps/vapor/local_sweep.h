// The local engine of `vapor sweep`: each cell is a process of its own, so that a crash costs only
// the cell that it happened in.
#pragma once

#include <string>
#include <vector>

#include "sweep_cell.h"

namespace vapor::command {

// How often a cell is started before it has failed. Each start goes on from the last checkpoint.
// Bad input is not tried again.
inline constexpr int kAttempts = 3;

struct LocalSweepOptions {
  int processes = 1;     // at the same time
  bool progress = true;  // a line on standard error
};

// Makes every cell below `out` that does not stand there finished. Says on standard error what
// failed. After a signal the children save and end, and the rest stays unfinished. Throws
// InputError, and starts nothing, if a folder holds something else.
std::vector<CellOutcome> make_locally(const std::vector<GridCell>& cells, const std::string& out,
                                      const LocalSweepOptions& options);

}  // namespace vapor::command
