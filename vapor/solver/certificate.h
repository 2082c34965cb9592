// The certificate of a feasible occupancy measure lambda and any values V of a reduced problem.
// With delta = E r + J V, the upper bound is D(V) = sum_s rho(s) V(s) + sum_p k_p f*(delta_p), and
// by the flow constraints
//
//   D(V) - value(lambda) = sum_p k_p (f*(delta_p) - x_p delta_p - f(x_p)),   x_p = lambda_p / k_p:
//
// a sum of terms >= 0 (Fenchel and Young), each of second order in its own error. Summed like this
// the gap keeps its digits even where V is larger than the value by many orders of magnitude.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "vapor/core/elementary.h"
#include "vapor/solver/flow_operator.h"
#include "vapor/solver/presolve.h"
#include "vapor/solver/regulariser.h"

namespace vapor {

// The advantages delta = E r + J V, by pair.
inline void advantages(const Problem& problem, std::span<const double> V, std::span<double> delta) {
  apply_flow(problem, V, delta);
  for (std::size_t p = 0; p < delta.size(); ++p) delta[p] += problem.reward_mean[p];
}

// lambda / k and its logarithm, by pair.
struct Shares {
  std::vector<double> x;
  std::vector<double> log_x;

  void resize(std::size_t pairs) {
    x.resize(pairs);
    log_x.resize(pairs);
  }
  void set(const Reduced& reduced, std::span<const double> lambda) {
    for (std::size_t p = 0; p < x.size(); ++p) x[p] = lambda[p] / reduced.copies[p];
    log_of(x, log_x);
  }
};

// The maximisers of f*(delta_p), by pair.
template <ScalarRegulariser R>
void set_maximisers(const Problem& problem, std::span<const double> delta, Shares& maximiser) {
  for (std::size_t p = 0; p < delta.size(); ++p)
    maximiser.log_x[p] = R::log_maximiser(delta[p], problem.sigma[p]);
  exp_of(maximiser.log_x, maximiser.x);
}

struct Bounds {
  double value = 0.0;
  double gap = 0.0;
};

template <ScalarRegulariser R>
Bounds certificate(const Reduced& reduced, const Shares& lambda, std::span<const double> delta,
                   const Shares& maximiser) {
  const Problem& problem = reduced.problem;
  Bounds bounds;
  for (std::size_t p = 0; p < delta.size(); ++p) {
    const double sigma = problem.sigma[p];
    const double f = R::value(lambda.x[p], lambda.log_x[p], sigma);
    const double f_maximiser = R::value(maximiser.x[p], maximiser.log_x[p], sigma);
    const double young = (maximiser.x[p] - lambda.x[p]) * delta[p] + (f_maximiser - f);
    // Where lambda = 1 under every policy the term is 0 whatever V is.
    const double term = reduced.forced[p] ? 0.0 : std::max(young, 0.0);
    bounds.value += reduced.copies[p] * (lambda.x[p] * problem.reward_mean[p] + f);
    bounds.gap += reduced.copies[p] * term;
  }
  return bounds;
}

// The same from nothing but lambda and V; allocates.
template <ScalarRegulariser R>
Bounds certificate(const Reduced& reduced, std::span<const double> lambda,
                   std::span<const double> V) {
  std::vector<double> delta(lambda.size());
  Shares share, maximiser;
  share.resize(lambda.size());
  maximiser.resize(lambda.size());
  share.set(reduced, lambda);
  advantages(reduced.problem, V, delta);
  set_maximisers<R>(reduced.problem, delta, maximiser);
  return certificate<R>(reduced, share, delta, maximiser);
}

}  // namespace vapor
