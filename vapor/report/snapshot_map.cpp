// The last snapshot of a run as a map (docs/records.md).
#include <cmath>
#include <limits>

#include "vapor/core/error.h"
#include "vapor/record/snapshot_record.h"
#include "vapor/report/occupancy_figure.h"

namespace vapor {

OccupancyMap snapshot_map(const std::string& folder) {
  const Drawing drawing = read_drawing(folder);
  const std::vector<std::int64_t> episodes = snapshot_episodes(folder);
  if (episodes.empty()) throw InputError(folder + "/snapshots", "holds no snapshot");
  const Snapshot snapshot = read_snapshot(folder, episodes.back(), drawing);
  OccupancyMap map;
  map.rows = static_cast<std::size_t>(drawing.rows);
  map.columns = static_cast<std::size_t>(drawing.columns);
  map.share.assign(map.rows * map.columns, std::numeric_limits<double>::quiet_NaN());
  const auto layers = static_cast<double>(drawing.layer_states.size());
  std::size_t pair = 0;
  for (Index s = 0; s < drawing.states(); ++s) {
    double& share = map.share[drawing.row[s] * map.columns + drawing.column[s]];
    if (std::isnan(share)) share = 0.0;
    for (Index a = 0; a < drawing.actions[s]; ++a) share += snapshot.lambda[pair++] / layers;
  }
  return map;
}

}  // namespace vapor
