// What an agent sees of one episode: a step a layer.
#pragma once

#include <vector>

#include "vapor/core/index.h"
#include "vapor/mdp/shape.h"

namespace vapor {

struct Step {
  Index pair = 0;  // the state and the action taken, as a pair of the shape
  double reward = 0.0;
  Index next_state = 0;  // a state of the next layer; -1 after the last layer
  double cost = 0.0;     // of the pair, where there are costs
};

using Episode = std::vector<Step>;

// For steps that come from elsewhere than an environment of this library: throws InputError that
// names the step unless each has a pair of the shape, a finite reward and a state of the next
// layer.
void validate(const Shape& shape, const Episode& episode);

}  // namespace vapor
