#include "vapor/mdp/backward_induction.h"

namespace vapor {

OptimalValues backward_induction(const Problem& problem, std::span<const double> reward) {
  refuse_discount(problem, "backward induction");
  const Shape& shape = problem.shape;
  OptimalValues result;
  result.V.assign(shape.states(), 0.0);
  result.Q.assign(shape.pairs(), 0.0);
  result.policy.assign(shape.pairs(), 0.0);
  for (Index l = shape.layers() - 1; l >= 0; --l) {
    const bool last = l + 1 == shape.layers();
    const double base = last ? 0.0 : base_value(shape, problem.transitions, l + 1, result.V);
    for (Index s : shape.states_of(l)) {
      Index best = shape.pairs_of(s).first();
      for (Index p : shape.pairs_of(s)) {
        result.Q[p] = reward[p] + problem.transitions.expectation(p, result.V, base);
        if (result.Q[p] > result.Q[best]) best = p;
      }
      result.V[s] = result.Q[best];
      result.policy[best] = 1.0;
    }
  }
  return result;
}

}  // namespace vapor
