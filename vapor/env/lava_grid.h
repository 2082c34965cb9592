// A grid world with lava, drawn at size 5: from S to the goal G over three cells of lava, along
// their edge, or around them. A move slips to either side with probability slip / 2 each.
//
//   S x x x G      every action in G pays 1,
//   . . . . .      every action in lava (x) costs 1;
//   . . . . .      walls surround the square
//
// The straight way is the shortest and the hottest; along the edge a slip ends in the lava.
#pragma once

#include "vapor/env/environment.h"

namespace vapor {

struct LavaGridSettings {
  Index size = 5;       // columns, 3..50; there are (size + 1) / 2 rows
  Index horizon = 0;    // layers, up to 10000; 0: 3 size
  double slip = 0.1;    // in [0, 1]
  double budget = 0.5;  // expected steps in lava, > 0
};

// Throws InputError that names the field.
void validate(const LavaGridSettings& settings);

// Its goals are the actions of G. Every layer holds all cells.
Environment lava_grid(const LavaGridSettings& settings);

}  // namespace vapor
