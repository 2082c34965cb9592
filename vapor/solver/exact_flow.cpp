#include "vapor/solver/exact_flow.h"

#include <algorithm>
#include <cmath>

#include "vapor/core/multiversion.h"

namespace vapor {
namespace {

// The loops are free functions, compiled for machines with a fused multiplication too.

VAPOR_MULTIVERSION
void invert_row_sums(const Transitions& P, std::span<const Index> origin, DoubleDouble* scale) {
  for (std::size_t p = 0; p < origin.size(); ++p) {
    const Index o = origin[p];
    DoubleDouble sum = {P.base_weight[o], 0.0};
    for (Offset k = P.begin[o]; k < P.begin[o + 1]; ++k) sum = sum + P.probability[k];
    scale[p] = reciprocal(sum);
  }
}

// Of one layer: the distribution `given` over its states of the given problem, by class.
VAPOR_MULTIVERSION
void normalise_arrivals(const double* given, Range given_states, const Reduced& reduced,
                        Range states, DoubleDouble* arrival) {
  DoubleDouble sum;
  for (Index s : given_states) sum = sum + given[s];
  if (sum.hi == 0.0) {  // a base that nothing uses
    for (Index c : states) arrival[c] = {};
    return;
  }
  const DoubleDouble scale = reciprocal(sum);
  for (Index c : states)
    arrival[c] = scale * two_product(reduced.state_copies[c], given[reduced.origin_state[c]]);
}

// lambda of the pairs of one layer, from the masses of its states.
VAPOR_MULTIVERSION
void divide_masses(const Reduced& reduced, Range states, const double* policy,
                   const DoubleDouble* mass, DoubleDouble* lambda) {
  for (Index c : states) {
    const Range pairs = reduced.problem.shape.pairs_of(c);
    DoubleDouble sum;
    for (Index p : pairs) {
      const double alike = reduced.copies[p] / reduced.state_copies[c];  // actions, a whole number
      lambda[p] = two_product(alike, reduced.policy_of_copy(c, p, policy[p]));
      sum = sum + lambda[p];
    }
    const DoubleDouble scale = mass[c] * reciprocal(sum);
    for (Index p : pairs) lambda[p] = scale * lambda[p];
  }
}

VAPOR_MULTIVERSION
void add_inflow(const Transitions& P, const Reduced& reduced, Range pairs, Range next_states,
                const DoubleDouble* row_scale, const DoubleDouble* arrival,
                const DoubleDouble* lambda, DoubleDouble* mass) {
  DoubleDouble to_base;
  for (Index p : pairs) {
    const Index o = reduced.origin_pair[p];
    const DoubleDouble flow = lambda[p] * row_scale[p];
    if (P.base_weight[o] > 0.0) to_base = to_base + flow * P.base_weight[o];
    for (Offset k = P.begin[o]; k < P.begin[o + 1]; ++k) {
      const Index next = reduced.state_of[P.next_state[k]];
      if (next >= 0) mass[next] = mass[next] + flow * P.probability[k];
    }
  }
  if (to_base.hi > 0.0)
    for (Index s : next_states) mass[s] = mass[s] + to_base * arrival[s];
}

// `base_terms` is how many numbers the base was divided by the sum of.
VAPOR_MULTIVERSION
void expect(const Transitions& P, const Reduced& reduced, Range pairs, Range next_states,
            double base_terms, const DoubleDouble* row_scale, const DoubleDouble* arrival,
            const DoubleDouble* V, DoubleDouble* q, double* error) {
  DoubleDouble base;
  double base_size = 0.0;
  for (Index s : next_states) {
    base = base + arrival[s] * V[s];
    base_size += arrival[s].hi * std::abs(V[s].hi);
  }
  // An operation errs by a unit of the magnitudes that went into it; there are at most four an
  // entry.
  const double base_error =
      (4.0 * next_states.size() + base_terms + 16.0) * kDoubleDoubleUnit * base_size;
  for (Index p : pairs) {
    const Index o = reduced.origin_pair[p];
    const Offset entries = P.begin[o + 1] - P.begin[o];
    DoubleDouble sum = base * P.base_weight[o];
    double size = base_size * P.base_weight[o];
    for (Offset k = P.begin[o]; k < P.begin[o + 1]; ++k) {
      const Index next = reduced.state_of[P.next_state[k]];
      if (next < 0) continue;
      sum = sum + V[next] * P.probability[k];
      size += std::abs(V[next].hi) * P.probability[k];
    }
    q[p] = sum * row_scale[p];
    error[p] = (4.0 * static_cast<double>(entries) + 16.0) * kDoubleDoubleUnit * size +
               2.0 * P.base_weight[o] * base_error + 1e-300;
  }
}

}  // namespace

void ExactFlow::reset(const Problem& problem, const Reduced& reduced) {
  problem_ = &problem;
  reduced_ = &reduced;
  const Shape& shape = problem.shape;
  const Shape& small = reduced.problem.shape;
  row_scale_.resize(small.pairs());
  lambda_.resize(small.pairs());
  arrival_.resize(small.states());
  mass_.resize(small.states());
  const Range last = small.pairs_of_layer(small.layers() - 1);
  invert_row_sums(problem.transitions, std::span(reduced.origin_pair).first(last.first()),
                  row_scale_.data());
  normalise_arrivals(problem.initial.data(), shape.states_of(0), reduced, small.states_of(0),
                     arrival_.data());
  for (Index l = 1; l < small.layers(); ++l)
    normalise_arrivals(problem.transitions.base.data(), shape.states_of(l), reduced,
                       small.states_of(l), arrival_.data());
  // A mass gathers errors along the layers: in each at most one an entry that flows into it, one a
  // pair or state that shares the base, and a few.
  relative_error_ = (static_cast<double>(problem.transitions.next_state.size()) +
                     2.0 * shape.pairs() + 64.0 * shape.layers()) *
                    4.0 * kDoubleDoubleUnit;
}

void ExactFlow::push_forward(std::span<const double> policy) {
  const Shape& shape = reduced_->problem.shape;
  std::fill(mass_.begin(), mass_.end(), DoubleDouble{});
  std::copy_n(arrival_.begin(), shape.states_of(0).size(), mass_.begin());
  for (Index l = 0; l < shape.layers(); ++l) {
    divide_masses(*reduced_, shape.states_of(l), policy.data(), mass_.data(), lambda_.data());
    if (l + 1 < shape.layers())
      add_inflow(problem_->transitions, *reduced_, shape.pairs_of_layer(l), shape.states_of(l + 1),
                 row_scale_.data(), arrival_.data(), lambda_.data(), mass_.data());
  }
}

double ExactFlow::mass_outside(Index layer, Range pairs) const {
  DoubleDouble sum;
  for (Index p : reduced_->problem.shape.pairs_of_layer(layer))
    if (p < pairs.first() || p >= pairs.last()) sum = sum + lambda_[p];
  return sum.hi;
}

void ExactFlow::expectations(Index layer, std::span<const DoubleDouble> V,
                             std::span<DoubleDouble> q, std::span<double> error) const {
  const Shape& shape = reduced_->problem.shape;
  const Range pairs = shape.pairs_of_layer(layer);
  if (layer + 1 == shape.layers()) {
    for (Index p : pairs) q[p] = {};
    for (Index p : pairs) error[p] = 0.0;
    return;
  }
  expect(problem_->transitions, *reduced_, pairs, shape.states_of(layer + 1),
         problem_->shape.states_of(layer + 1).size(), row_scale_.data(), arrival_.data(), V.data(),
         q.data(), error.data());
}

}  // namespace vapor
