// FrozenLake by the tables of Gymnasium (FrozenLake-v1, its 4 x 4 map): left, down, right, up on
// ice with four holes. On slippery ice the agent goes where it wants with probability 1/3, and to
// either side of that with 1/3 each. Holes are final. Any action in the goal cell pays 1 and is the
// end; Gymnasium pays on arrival, one step earlier.
//
//   S . . .
//   . o . o
//   . . . o
//   o . . G
#pragma once

#include "vapor/env/environment.h"

namespace vapor {

struct FrozenLakeSettings {
  bool slippery = true;
  Index horizon = 20;  // layers, 1..10000
};

// Throws InputError that names the field.
void validate(const FrozenLakeSettings& settings);

// Its goals are the actions of the goal cell. Every layer holds all cells.
Environment frozen_lake(const FrozenLakeSettings& settings);

}  // namespace vapor
