// Heat maps of occupancy measures: what an agent's policy visits, averaged over the timesteps of an
// episode, cell by cell. All panels of a figure have one colour scale and one size.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vapor/report/collection.h"
#include "vapor/report/figure.h"
#include "vapor/report/study.h"

namespace vapor {

// A share for each cell that is drawn, row by row; NaN: no state is drawn there.
struct OccupancyMap {
  std::string name;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> share;
  std::vector<double> standard_error;  // empty: computed, not estimated
};

// The last snapshot of a run: L^-1 sum_{l,a} lambda_l(s,a) on the grid of its drawing. Throws
// InputError that names the file.
OccupancyMap snapshot_map(const std::string& folder);

// `maps` of findings, for each seed one beside the other, under the titles that `columns` has;
// nothing if there are none. Throws InputError that names the place if they are not what they
// should be.
std::optional<Figure> maps_figure(const ExperimentFindings& findings, const std::string& id);

// One seed of each agent, on the last task that has snapshots; nothing if no run has. A snapshot
// that cannot be read is left out, with its reason.
std::optional<Figure> snapshot_figure(const Study& study, const std::string& id,
                                      std::vector<LeftOut>& left_out);

}  // namespace vapor
