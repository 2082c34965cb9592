// Catch, as in bsuite (Osband et al., 2020): a ball falls, a row a step, from a random column of
// the top row, and a paddle on the bottom row goes left, stays or goes right. When the ball
// arrives, after rows - 1 steps, the reward is 1 if the paddle is under it and -1 otherwise, and
// the episode ends. One plane of rows x columns bytes: 1 at the ball and at the paddle, else 0.
//
// The smallest environment that is observed as an image; the best return is 1, and playing
// uniformly at random gives about -0.6 on the default board.
#pragma once

#include <memory>

#include "vapor/env/vector_environment.h"

namespace vapor {

struct CatchSettings {
  Index rows = 10;    // 2..1000
  Index columns = 5;  // 1..1000
};

// Throws InputError that names the field.
void validate(const CatchSettings& settings);

// `places` >= 1 of them side by side.
std::unique_ptr<VectorEnvironment> make_catch(const CatchSettings& settings, Index places);

}  // namespace vapor
