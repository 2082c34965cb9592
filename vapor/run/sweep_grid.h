// The grid of a sweep file as a list of cells: environments x agents x beliefs x settings x seeds,
// in this order, the seeds running fastest.
#pragma once

#include <string>
#include <vector>

#include "vapor/run/sweep.h"
#include "vapor/run/sweep_file.h"

namespace vapor {

// Makes every environment, belief and agent once to find out whether they are good. The folder of a
// cell is below that of the sweep: [NAME/]ENV/AGENT[+BELIEF]/seed-S. Throws InputError that names
// the place in the file.
std::vector<SweepCell> cells_of(const std::vector<SweepTable>& tables);

inline std::vector<SweepCell> read_sweep(const std::string& path) {
  return cells_of(read_sweep_file(path));
}

}  // namespace vapor
