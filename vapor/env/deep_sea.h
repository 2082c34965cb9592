// DeepSea (Osband, Van Roy, Russo and Wen, 2019) by the rules of bsuite (Osband et al., 2020): a
// depth x depth grid. The agent starts in the top left cell, and every step goes one row down and
// one column left or right; left of the first column is the first column. Right costs
// move_cost / depth; going right in the bottom right cell pays 1. Without luck, only the policy
// that always goes right gets there.
//
// The stochastic sea: right fails with probability 1 / depth, and the agent stays in its column
// (the cost and the treasure do not depend on it); rewards of the two bottom corners carry N(0, 1)
// noise.
//
// Either way row l has l + 1 cells that can be reached, so the layers are triangular.
#pragma once

#include <cstdint>
#include <vector>

#include "vapor/env/environment.h"

namespace vapor {

struct DeepSeaSettings {
  Index depth = 10;                // rows and columns, 1..2000; bsuite's size
  std::uint32_t mapping_seed = 0;  // draws which action goes right in each cell, as in bsuite
  bool randomise_actions = true;   // false: action 1 goes right everywhere
  bool stochastic = false;
  double move_cost = 0.01;  // of a whole way to the right, >= 0
};

// Throws InputError that names the field.
void validate(const DeepSeaSettings& settings);

// Its goal is to go right in the bottom right cell.
Environment deep_sea(const DeepSeaSettings& settings);

// By state of the sea: the action that goes right.
std::vector<Index> right_actions(const DeepSeaSettings& settings);

// The policy that always goes right, which is optimal as long as the treasure is worth the way.
std::vector<double> always_right(const DeepSeaSettings& settings);

}  // namespace vapor
