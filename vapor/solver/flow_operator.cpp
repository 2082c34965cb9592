#include "vapor/solver/flow_operator.h"

#include <algorithm>

namespace vapor {

void apply_flow(const Problem& problem, std::span<const double> V, std::span<double> advantage) {
  const Shape& shape = problem.shape;
  for (Index l = 0; l < shape.layers(); ++l) {
    const bool last = l + 1 == shape.layers();
    const double base = last ? 0.0 : base_value(shape, problem.transitions, l + 1, V);
    for (Index s : shape.states_of(l))
      for (Index p : shape.pairs_of(s))
        advantage[p] = problem.transitions.expectation(p, V, base) - V[s];
  }
}

void apply_flow_transpose(const Problem& problem, std::span<const double> lambda,
                          std::span<double> imbalance) {
  const Shape& shape = problem.shape;
  const Transitions& P = problem.transitions;
  std::fill(imbalance.begin(), imbalance.end(), 0.0);
  for (Index l = 0; l < shape.layers(); ++l) {
    double to_base = 0.0;
    for (Index s : shape.states_of(l)) {
      for (Index p : shape.pairs_of(s)) {
        imbalance[s] -= lambda[p];
        to_base += P.base_weight[p] * lambda[p];
        for (Offset k = P.begin[p]; k < P.begin[p + 1]; ++k)
          imbalance[P.next_state[k]] += P.probability[k] * lambda[p];
      }
    }
    if (l + 1 == shape.layers()) break;
    for (Index s : shape.states_of(l + 1)) imbalance[s] += to_base * P.base[s];
  }
}

}  // namespace vapor
