// A stationary MDP, the same at every step, unrolled over a horizon into a layered one.
#pragma once

#include <utility>
#include <vector>

#include "vapor/env/environment.h"

namespace vapor {

struct StationaryMdp {
  Index rows = 0, columns = 0;  // its states are cells of a grid, numbered row by row
  Index actions = 0;            // the most that a cell has
  std::vector<std::string> action_names = {};
  std::vector<double> initial;  // by cell
  // By cell * actions + action; empty: the cell does not have that action, nor any after it.
  std::vector<std::vector<std::pair<Index, double>>> next;

  Index actions_of(Index cell) const {
    Index count = 0;
    while (count < actions && !next[cell * actions + count].empty()) ++count;
    return count;
  }
};

enum class Layers {
  kReachable,  // layer l holds the cells that l steps can reach
  kAll,        // every layer holds every cell
};

// The model and the drawing of an environment without rewards, noise or goals. The states of a
// layer are in the order of their cells.
Environment unroll(const StationaryMdp& mdp, Index horizon, Layers layers);

// The cell that a state stands for, numbered row by row.
Index cell_of(const Environment& environment, Index state);

}  // namespace vapor
