#include "vapor/agent/greedy.h"

#include <algorithm>
#include <cmath>

namespace vapor {

void greedy_policy(const Shape& shape, std::span<const double> Q, std::span<double> policy) {
  for (Index s = 0; s < shape.states(); ++s) {
    const Range pairs = shape.pairs_of(s);
    const auto values = Q.subspan(pairs.first(), pairs.size());
    const double largest = *std::max_element(values.begin(), values.end());
    const double threshold = largest - 1e-12 * std::max(1.0, std::abs(largest));
    double ties = 0.0;
    for (double q : values)
      if (q >= threshold) ties += 1.0;
    for (Index p : pairs) policy[p] = Q[p] >= threshold ? 1.0 / ties : 0.0;
  }
}

}  // namespace vapor
