// The values that a set of state masses implies: one backward pass that solves each state's scalar
// equation. Given V of the next layer, q(s,a) = E r + P V and the mass d of state s, V(s) is the
// root of sum_a lambda(q(s,a) - V(s)) = d, with lambda(.) the maximiser of the conjugate.
//
// At the optimum this reproduces V exactly, and with it a certificate free of the rounding that a
// long iteration has gathered. As an iteration of its own it does not converge (it falls into
// 2-cycles).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "vapor/core/root_finding.h"
#include "vapor/solver/presolve.h"
#include "vapor/solver/regulariser.h"

namespace vapor {

// The root for one state whose actions are the pairs `pairs`; q is indexed by pair.
template <ScalarRegulariser R>
double state_value(const Reduced& reduced, Range pairs, std::span<const double> q, double mass) {
  // With all of the mass an action alone would have V = q + f'(d): the root is above each of these,
  // and below all of q + f'(d / A).
  constexpr double kSmallestMass = 1e-300;
  double low = -std::numeric_limits<double>::infinity();
  double high = low;
  const double d = std::max(mass, kSmallestMass);
  for (Index p : pairs) {
    const double sigma = reduced.problem.sigma[p];
    const double alone = d / reduced.copies[p];
    low = std::max(low, q[p] + R::slope(std::log(alone), sigma));
    high = std::max(high, q[p] + R::slope(std::log(alone / pairs.size()), sigma));
  }
  // Actions with sigma = 0 jump at V = q, where they may take any share; their V is in `low`.
  return increasing_root(
      [&](double V) {
        double sum = 0.0;
        for (Index p : pairs)
          if (reduced.problem.sigma[p] > 0.0)
            sum +=
                reduced.copies[p] * std::exp(R::log_maximiser(q[p] - V, reduced.problem.sigma[p]));
        return d - sum;
      },
      low, high);
}

// V by state, from masses by state; `q`, by pair, is scratch.
template <ScalarRegulariser R>
void values_of_masses(const Reduced& reduced, std::span<const double> mass, std::span<double> q,
                      std::span<double> V) {
  const Problem& problem = reduced.problem;
  const Shape& shape = problem.shape;
  for (Index l = shape.layers() - 1; l >= 0; --l) {
    const bool last = l + 1 == shape.layers();
    const double base = last ? 0.0 : base_value(shape, problem.transitions, l + 1, V);
    for (Index s : shape.states_of(l)) {
      for (Index p : shape.pairs_of(s))
        q[p] = problem.reward_mean[p] + problem.transitions.expectation(p, V, base);
      V[s] = state_value<R>(reduced, shape.pairs_of(s), q, mass[s]);
    }
  }
}

}  // namespace vapor
