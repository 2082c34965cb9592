#include "vapor/env/grid.h"

#include <fmt/format.h>

#include <algorithm>

#include "vapor/core/error.h"

namespace vapor {
namespace {

void add(std::vector<std::pair<Index, double>>& row, Index cell, double probability) {
  if (probability <= 0.0) return;
  const auto same =
      std::find_if(row.begin(), row.end(), [&](const auto& entry) { return entry.first == cell; });
  if (same == row.end())
    row.emplace_back(cell, probability);
  else
    same->second += probability;
}

Direction turned(Index direction, Index quarters) {
  return static_cast<Direction>((direction + quarters) % kDirections);
}

}  // namespace

Index horizon_or_default(Index size, Index horizon) { return horizon > 0 ? horizon : 2 * size; }

void validate_horizon(Index size, Index horizon) {
  constexpr double kMostPairs = 2e7;
  if (horizon < 0 || horizon > 10000)
    throw InputError("horizon", fmt::format("must be in 0..10000, got {}", horizon));
  const double pairs = 4.0 * size * size * horizon_or_default(size, horizon);
  if (pairs > kMostPairs)
    throw InputError("horizon", fmt::format("4 size^2 horizon must be at most {:.3g}, got {:.3g}",
                                            kMostPairs, pairs));
}

Index moved(const Grid& grid, Index cell, Direction direction) {
  Index row = cell / grid.columns;
  Index column = cell % grid.columns;
  if (direction == kUp) --row;
  if (direction == kDown) ++row;
  if (direction == kLeft) --column;
  if (direction == kRight) ++column;
  if (row < 0 || row >= grid.rows || column < 0 || column >= grid.columns) return cell;
  const Index target = row * grid.columns + column;
  return grid.wall[target] != 0 ? cell : target;
}

StationaryMdp grid_mdp(const Grid& grid, Index start, double slip) {
  StationaryMdp mdp;
  mdp.rows = grid.rows;
  mdp.columns = grid.columns;
  mdp.actions = kDirections;
  mdp.action_names = {"up", "right", "down", "left"};
  mdp.initial.assign(grid.cells(), 0.0);
  mdp.initial[start] = 1.0;
  for (Index cell = 0; cell < grid.cells(); ++cell)
    for (Index a = 0; a < kDirections; ++a) {
      std::vector<std::pair<Index, double>> row;
      add(row, moved(grid, cell, turned(a, 0)), 1.0 - slip);
      add(row, moved(grid, cell, turned(a, 1)), 0.5 * slip);
      add(row, moved(grid, cell, turned(a, 3)), 0.5 * slip);
      mdp.next.push_back(std::move(row));
    }
  return mdp;
}

std::vector<Index> distances(const Grid& grid, Index start) {
  std::vector<Index> distance(grid.cells(), -1);
  std::vector<Index> open = {start};
  distance[start] = 0;
  for (std::size_t i = 0; i < open.size(); ++i)
    for (Index a = 0; a < kDirections; ++a) {
      const Index next = moved(grid, open[i], turned(a, 0));
      if (distance[next] >= 0) continue;
      distance[next] = distance[open[i]] + 1;
      open.push_back(next);
    }
  return distance;
}

}  // namespace vapor
