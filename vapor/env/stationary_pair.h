// Pairs without time: the cell and the action, whatever the layer. Coverage of a grid counts these.
#pragma once

#include <vector>

#include "vapor/env/environment.h"
#include "vapor/mdp/places.h"

namespace vapor {

// The cells as places, numbered without gaps by row and column over all that occur in any layer.
Places places_of(const Environment& environment);

// By pair: the number of its cell and action. They are numbered 0, 1, ... without gaps, by row,
// column and action, over all that occur in any layer.
std::vector<Index> stationary_pair(const Environment& environment);

}  // namespace vapor
