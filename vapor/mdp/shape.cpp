#include "vapor/mdp/shape.h"

#include <algorithm>

#include "vapor/core/check.h"

namespace vapor {

void Shape::clear() {
  layer_begin_.assign(1, 0);
  pair_begin_.assign(1, 0);
}

void Shape::add_layer() { layer_begin_.push_back(states()); }

Index Shape::add_state(Index actions) {
  VAPOR_CHECK_GE(layers(), 1);
  pair_begin_.push_back(pairs() + actions);
  layer_begin_.back() = states();
  return states() - 1;
}

Index Shape::largest_layer() const {
  Index largest = 0;
  for (Index l = 0; l < layers(); ++l) largest = std::max(largest, states_of(l).size());
  return largest;
}

}  // namespace vapor
