// The bounds of a feasible occupancy measure lambda and any values V of a reduced problem, in
// doubles and while a method iterates; what is reported in the end is certified_bounds.h's. With
// delta = E r + J V, the upper bound is D(V) = sum_s rho(s) V(s) + sum_p k_p f*(delta_p), and by
// the flow constraints
//
//   D(V) - value(lambda) = sum_p k_p (f*(delta_p) - x_p delta_p - f(x_p)),   x_p = lambda_p / k_p:
//
// a sum of terms >= 0 (Fenchel and Young), each of second order in its own error where sigma > 0;
// pairs that every policy takes (free = 0) add delta to D(V) and nothing to the gap. Summed like
// this the gap keeps its digits even where V is larger than the value by many orders of magnitude.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "vapor/core/elementary.h"
#include "vapor/solver/flow_operator.h"
#include "vapor/solver/pair_kernels.h"
#include "vapor/solver/presolve.h"
#include "vapor/solver/regulariser.h"

namespace vapor {

// The advantages delta = E r + J V, by pair.
inline void advantages(const Problem& problem, const FlowOperator& J, std::span<const double> V,
                       std::span<double> delta) {
  J.apply(V, delta);
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
  log_maximiser_of_pairs<R>(delta.size(), delta.data(), R::parameters(problem),
                            maximiser.log_x.data());
  exp_of(maximiser.log_x, maximiser.x);
}

struct Bounds {
  double value = 0.0;
  double gap = 0.0;
};

// `work` has two tables by pair.
template <ScalarRegulariser R>
Bounds certificate(const Reduced& reduced, const Shares& lambda, std::span<const double> delta,
                   const Shares& maximiser, Shares& work) {
  const Problem& problem = reduced.problem;
  certify_pairs<R>(delta.size(), lambda.x.data(), lambda.log_x.data(), maximiser.x.data(),
                   maximiser.log_x.data(), reduced.copies.data(), reduced.free.data(),
                   problem.reward_mean.data(), R::parameters(problem), delta.data(), work.x.data(),
                   work.log_x.data());
  return {sum_of(work.x), sum_of(work.log_x)};
}

// The same from nothing but lambda and V; allocates.
template <ScalarRegulariser R>
Bounds certificate(const Reduced& reduced, std::span<const double> lambda,
                   std::span<const double> V) {
  std::vector<double> delta(lambda.size());
  Shares share, maximiser, work;
  for (Shares* each : {&share, &maximiser, &work}) each->resize(lambda.size());
  share.set(reduced, lambda);
  advantages(reduced.problem, FlowOperator(reduced.problem), V, delta);
  set_maximisers<R>(reduced.problem, delta, maximiser);
  return certificate<R>(reduced, share, delta, maximiser, work);
}

}  // namespace vapor
