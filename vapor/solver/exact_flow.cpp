#include "vapor/solver/exact_flow.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "vapor/core/multiversion.h"
#include "vapor/mdp/policy_equations.h"

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
  const Index leading =
      problem.stationary() ? small.pairs() : small.pairs_of_layer(small.layers() - 1).first();
  invert_row_sums(problem.transitions, std::span(reduced.origin_pair).first(leading),
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
  displaced_ = 0.0;
  if (problem.stationary()) reset_stationary();
}

// The discount goes into the rows and the initial distribution.
void ExactFlow::reset_stationary() {
  const Shape& small = reduced_->problem.shape;
  const Transitions& P = problem_->transitions;
  const DoubleDouble rest = two_sum(1.0, -*problem_->discount);
  for (DoubleDouble& scale : row_scale_) scale = scale * *problem_->discount;
  for (DoubleDouble& initial : arrival_) initial = initial * rest;
  stationary_base_.resize(small.states());
  residual_.resize(small.states());
  normalise_arrivals(P.base.data(), problem_->shape.states_of(0), *reduced_, small.states_of(0),
                     stationary_base_.data());
  terms_.assign(small.states(), 32.0);
  for (Index s = 0; s < small.states(); ++s)
    for (Index p : small.pairs_of(s)) {
      const Index o = reduced_->origin_pair[p];
      terms_[s] += 1.0;
      for (Offset k = P.begin[o]; k < P.begin[o + 1]; ++k)
        if (const Index next = reduced_->state_of[P.next_state[k]]; next >= 0) terms_[next] += 1.0;
    }
  relative_error_ = 64.0 * kDoubleDoubleUnit;
}

double ExactFlow::imbalance() {
  const Shape& shape = reduced_->problem.shape;
  std::copy(arrival_.begin(), arrival_.end(), residual_.begin());
  add_inflow(problem_->transitions, *reduced_, shape.pairs_of_layer(0), shape.states_of(0),
             row_scale_.data(), stationary_base_.data(), lambda_.data(), residual_.data());
  double sum = 0.0;
  double error = 0.0;
  for (Index s = 0; s < shape.states(); ++s) {
    const double inflow = residual_[s].hi;
    DoubleDouble outflow;
    for (Index p : shape.pairs_of(s)) outflow = outflow + lambda_[p];
    residual_[s] = residual_[s] - outflow;
    sum += std::abs(residual_[s].hi);
    error += terms_[s] * (inflow + outflow.hi);
  }
  for (Index p = 0; p < shape.pairs(); ++p)  // what the base brings is a sum over all pairs
    if (const double weight = reduced_->problem.transitions.base_weight[p]; weight > 0.0)
      error += shape.pairs() * weight * lambda_[p].hi;
  return (1.0 + 1e-9) * (sum + 8.0 * kDoubleDoubleUnit * error);
}

void ExactFlow::push_stationary(std::span<const double> policy) {
  constexpr int kMostRounds = 12;
  constexpr double kSolved = 1e-10;  // by one round
  const Shape& shape = reduced_->problem.shape;
  const PolicyEquations equations(reduced_->problem, policy, 1.0);
  std::vector<double> wanting(shape.states()), correction(shape.states());
  std::fill(mass_.begin(), mass_.end(), DoubleDouble{});
  double last = std::numeric_limits<double>::infinity();
  for (int round = 0; round < kMostRounds; ++round) {
    divide_masses(*reduced_, shape.states_of(0), policy.data(), mass_.data(), lambda_.data());
    const double left = imbalance();
    displaced_ = left / (1.0 - *problem_->discount) * (1.0 + 1e-9);
    if (!(left < 0.5 * last)) return;
    last = left;
    for (Index s = 0; s < shape.states(); ++s) wanting[s] = residual_[s].hi;
    equations.masses(wanting, correction, kSolved);
    for (Index s = 0; s < shape.states(); ++s) {
      mass_[s] = mass_[s] + correction[s];
      if (!(mass_[s].hi > 0.0)) mass_[s] = {};
    }
  }
  divide_masses(*reduced_, shape.states_of(0), policy.data(), mass_.data(), lambda_.data());
  displaced_ = imbalance() / (1.0 - *problem_->discount) * (1.0 + 1e-9);
}

void ExactFlow::push_forward(std::span<const double> policy) {
  if (problem_->stationary()) return push_stationary(policy);
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
  const Range next = reduced_->problem.next_states_of(layer);
  if (next.size() == 0) {
    for (Index p : pairs) q[p] = {};
    for (Index p : pairs) error[p] = 0.0;
    return;
  }
  expect(problem_->transitions, *reduced_, pairs, next, problem_->next_states_of(layer).size(),
         row_scale_.data(), base().data(), V.data(), q.data(), error.data());
}

}  // namespace vapor
