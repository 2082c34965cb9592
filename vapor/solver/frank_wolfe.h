// Frank-Wolfe as message passing (appendix E.2, algorithm 2): the backward message is the optimal
// policy for the gradient as reward, the forward message its occupancy measure, and the iterate
// moves towards it.
//
// Differences from the paper:
//   1. Its smoothed objective lambda sqrt(-2 (log(lambda + eps) + eps)) has a negative radicand for
//      lambda > exp(-eps) - eps. Here f is evaluated at (lambda + eps) / (1 + eps), which is in
//      [0, 1] for every lambda and leaves f concave, with a finite slope at 0.
//   2. Its number of iterations is astronomical. Here the iteration stops on the true gap: the
//      values V of the backward message give the upper bound D(V).
//   3. The step is an exact line search in place of 2 / (k + 1).
#pragma once

#include "vapor/solver/newton.h"

namespace vapor {

template <ScalarRegulariser R>
ReducedSolution frank_wolfe(const Reduced& reduced, const Start& start, const Settings& settings);

}  // namespace vapor
