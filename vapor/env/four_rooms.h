// The reward-free four rooms of appendix I of the paper ("Reward-Free GridWorld"): a square whose
// middle row and column are walls, with one door in each of the four arms. Four cardinal actions
// (up, right, down, left), deterministic and known; the task is to take every action in every cell.
//
//   . . # . .      size 5, start in the top left cell
//   . . . . .
//   # . # . #
//   . . . . .
//   . . # . .
#pragma once

#include "vapor/env/environment.h"
#include "vapor/env/grid.h"

namespace vapor {

struct FourRoomsSettings {
  Index size = 9;     // rows and columns, odd, 5..199
  Index horizon = 0;  // layers; 0: 2 size, one more than it takes to try the farthest pair
  bool goal = false;  // one reward, 1 for every action in the last cell; agents are told nothing
};

// Throws InputError that names the field.
void validate(const FourRoomsSettings& settings);

// The rooms without time.
Grid four_rooms_grid(Index size);

// No rewards and no goals, unless `goal`. Layer l holds the cells that l steps can reach.
Environment four_rooms(const FourRoomsSettings& settings);

}  // namespace vapor
