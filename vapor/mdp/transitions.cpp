#include "vapor/mdp/transitions.h"

namespace vapor {

double base_value(const Shape& shape, const Transitions& transitions, Index layer,
                  std::span<const double> V) {
  double sum = 0.0;
  for (Index s : shape.states_of(layer)) sum += transitions.base[s] * V[s];
  return sum;
}

}  // namespace vapor
