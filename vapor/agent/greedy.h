// Greedy policies that share ties. In deterministic worlds many actions are worth exactly the same,
// and always taking the first of them would be a preference that no algorithm asked for.
#pragma once

#include <span>

#include "vapor/mdp/shape.h"

namespace vapor {

// The uniform distribution over the maximisers of Q at every state. Values closer than 1e-12 of
// their size are ties: equal sums taken in another order differ by that little.
void greedy_policy(const Shape& shape, std::span<const double> Q, std::span<double> policy);

}  // namespace vapor
