// A grid of cells, some of them walls, in which the four cardinal actions move one cell; a move
// into a wall or over the edge leaves the agent where it is.
#pragma once

#include <vector>

#include "vapor/env/unroll.h"

namespace vapor {

enum Direction : Index { kUp, kRight, kDown, kLeft };  // the actions, in order
inline constexpr Index kDirections = 4;

struct Grid {
  Index rows = 0, columns = 0;
  std::vector<char> wall;  // by cell, row by row; 1: no agent is ever there

  Index cells() const { return rows * columns; }
};

// The layers of a square grid world of this size: `horizon`, or 2 size if that is 0, one more than
// it takes to try the farthest pair.
Index horizon_or_default(Index size, Index horizon);

// Throws InputError that names `horizon` unless such a grid world is of a size to be kept in
// memory.
void validate_horizon(Index size, Index horizon);

// Where a move from a cell ends.
Index moved(const Grid& grid, Index cell, Direction direction);

// The MDP of a grid with one start. With probability `slip` a move goes to the left or the right of
// its direction instead, half each.
StationaryMdp grid_mdp(const Grid& grid, Index start, double slip);

// Steps from a cell to every other; -1 where there is no way.
std::vector<Index> distances(const Grid& grid, Index start);

}  // namespace vapor
