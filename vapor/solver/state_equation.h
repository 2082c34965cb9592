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

// The mass of a state, and 1 - mass, which has more digits where the mass is near 1.
struct StateMass {
  double mass = 0.0;
  double outside = 1.0;
};

// mass - sum_a lambda(q(s,a) - V). Near lambda = 1 it is the difference of 1 - lambda and 1 - mass.
// Actions with sigma = 0 jump at V = q, where they may take any share, and are left out.
template <ScalarRegulariser R>
double unspent_mass(const Reduced& reduced, Range pairs, std::span<const double> q,
                    const StateMass& state, double V) {
  constexpr double kLogOfHalf = -0.69;
  double sum = 0.0;
  double one_minus_most = -1.0;  // of an action that takes more than half
  for (Index p : pairs) {
    if (reduced.problem.sigma[p] == 0.0) continue;
    const double log_lambda = R::log_maximiser(q[p] - V, R::parameters(reduced.problem)[p]);
    if (one_minus_most < 0.0 && log_lambda > kLogOfHalf && reduced.copies[p] == 1.0)
      one_minus_most = -std::expm1(log_lambda);
    else
      sum += reduced.copies[p] * std::exp(log_lambda);
  }
  return one_minus_most < 0.0 ? state.mass - sum : (one_minus_most - state.outside) - sum;
}

// The root for one state whose actions are the pairs `pairs`; q is indexed by pair.
template <ScalarRegulariser R>
double state_value(const Reduced& reduced, Range pairs, std::span<const double> q,
                   StateMass state) {
  // With all of the mass an action alone would have V = q + f'(d): the root is above each of these,
  // and below all of q + f'(d / A).
  constexpr double kSmallestMass = 1e-300;
  double low = -std::numeric_limits<double>::infinity();
  double high = low;
  double linear = low;  // actions with sigma = 0
  double largest_sigma = 0.0;
  const double d = state.mass = std::max(state.mass, kSmallestMass);
  for (Index p : pairs) {
    const double sigma = reduced.problem.sigma[p];
    const double alone = d / reduced.copies[p];
    const auto of_pair = R::parameters(reduced.problem)[p];
    low = std::max(low, q[p] + R::slope(std::log(alone), of_pair));
    high = std::max(high, q[p] + R::slope(std::log(alone / pairs.size()), of_pair));
    if (sigma == 0.0) linear = std::max(linear, q[p]);
    largest_sigma = std::max(largest_sigma, sigma);
  }
  const auto unspent = [&](double V) { return unspent_mass<R>(reduced, pairs, q, state, V); };
  // Near lambda = 1, where f' falls to minus infinity, neither is so in doubles: they are moved
  // apart until they are.
  if (d > 0.5 && largest_sigma > 0.0) {
    const double furthest = 1e100 * largest_sigma;
    for (double step = largest_sigma; unspent(high) < 0.0 && step < furthest; step *= 16.0)
      high += step;
    for (double step = largest_sigma; unspent(low) > 0.0 && low > linear && step < furthest;
         step *= 16.0)
      low = std::max(linear, low - step);
  }
  return increasing_root(unspent, low, std::max(low, high));
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
      V[s] = state_value<R>(reduced, shape.pairs_of(s), q, {mass[s], 1.0 - mass[s]});
    }
  }
}

}  // namespace vapor
