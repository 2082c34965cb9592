// An order of elimination that keeps the factor of a sparse symmetric matrix sparse: approximate
// minimum degree on the quotient graph (Amestoy, Davis and Duff, 1996), with element absorption and
// without supervariables.
#pragma once

#include <span>
#include <vector>

#include "vapor/core/index.h"

namespace vapor {

// The neighbours of node i are neighbour[begin[i]], ..., neighbour[begin[i + 1] - 1], each once,
// not i itself, and i is among theirs. Returns the nodes in the order of elimination, or none if
// that takes more than most_work multiplications, as far as can be seen early.
std::vector<Index> minimum_degree_order(std::span<const Offset> begin,
                                        std::span<const Index> neighbour, double most_work);

// Multiplications that eliminate a column with so many entries below its diagonal.
inline double elimination_work(double entries) { return 0.5 * entries * (entries + 3.0); }

}  // namespace vapor
