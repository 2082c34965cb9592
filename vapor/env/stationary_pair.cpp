#include "vapor/env/stationary_pair.h"

#include <algorithm>

#include "vapor/env/unroll.h"

namespace vapor {

std::vector<Index> stationary_pair(const Environment& environment) {
  const Shape& shape = environment.shape();
  // A cell may have different numbers of actions in different layers: it gets the largest.
  std::vector<Index> actions(environment.rows * environment.columns, 0);
  for (Index s = 0; s < shape.states(); ++s) {
    Index& most = actions[cell_of(environment, s)];
    most = std::max(most, shape.pairs_of(s).size());
  }
  std::vector<Index> first(actions.size(), 0);
  for (std::size_t cell = 1; cell < actions.size(); ++cell)
    first[cell] = first[cell - 1] + actions[cell - 1];
  std::vector<Index> number(shape.pairs());
  for (Index s = 0; s < shape.states(); ++s)
    for (Index p : shape.pairs_of(s))
      number[p] = first[cell_of(environment, s)] + p - shape.pairs_of(s).first();
  return number;
}

}  // namespace vapor
