#include "vapor/solver/flow_operator.h"

#include <algorithm>

#include "vapor/mdp/policy_equations.h"
#include "vapor/solver/pair_kernels.h"

namespace vapor {

void FlowOperator::reset(const Problem& problem) {
  problem_ = &problem;
  const Transitions& P = problem.transitions;
  pair_of_.resize(P.next_state.size());
  state_of_.resize(problem.shape.pairs());
  for (Index s = 0; s < problem.shape.states(); ++s) {
    for (Index p : problem.shape.pairs_of(s)) {
      state_of_[p] = s;
      std::fill(pair_of_.begin() + P.begin[p], pair_of_.begin() + P.begin[p + 1], p);
    }
  }
}

void FlowOperator::apply(std::span<const double> V, std::span<double> advantage) const {
  const Shape& shape = problem_->shape;
  const Transitions& P = problem_->transitions;
  for (Index l = 0; l < shape.layers(); ++l) {
    const Range next = problem_->next_states_of(l);
    const double base = sum_of_products(std::span(P.base).subspan(next.first(), next.size()),
                                        V.subspan(next.first(), next.size()));
    for (Index p : shape.pairs_of_layer(l))
      advantage[p] = P.base_weight[p] * base - V[state_of_[p]];
  }
  for (std::size_t k = 0; k < pair_of_.size(); ++k)
    advantage[pair_of_[k]] += P.probability[k] * V[P.next_state[k]];
}

void FlowOperator::expect_next(Index layer, std::span<const double> reward,
                               std::span<const double> V, std::span<double> q) const {
  const Transitions& P = problem_->transitions;
  const Range pairs = problem_->shape.pairs_of_layer(layer);
  const bool last = layer + 1 == problem_->shape.layers();
  const double base = last ? 0.0 : base_value(problem_->shape, P, layer + 1, V);
  for (Index p : pairs) q[p] = reward[p] + P.base_weight[p] * base;
  for (Offset k = P.begin[pairs.first()]; k < P.begin[pairs.last()]; ++k)
    q[pair_of_[k]] += P.probability[k] * V[P.next_state[k]];
}

void FlowOperator::add_inflow(Index layer, std::span<const double> lambda,
                              std::span<double> mass) const {
  const Transitions& P = problem_->transitions;
  const Range pairs = problem_->shape.pairs_of_layer(layer);
  const double to_base =
      sum_of_products(std::span(P.base_weight).subspan(pairs.first(), pairs.size()),
                      lambda.subspan(pairs.first(), pairs.size()));
  for (Index s : problem_->next_states_of(layer)) mass[s] += to_base * P.base[s];
  for (Offset k = P.begin[pairs.first()]; k < P.begin[pairs.last()]; ++k)
    mass[P.next_state[k]] += P.probability[k] * lambda[pair_of_[k]];
}

void FlowOperator::apply_transpose(std::span<const double> lambda,
                                   std::span<double> imbalance) const {
  const Shape& shape = problem_->shape;
  for (Index s = 0; s < shape.states(); ++s) {
    double outflow = 0.0;
    for (Index p : shape.pairs_of(s)) outflow += lambda[p];
    imbalance[s] = -outflow;
  }
  for (Index l = 0; l < shape.layers(); ++l)
    if (problem_->next_states_of(l).size() > 0) add_inflow(l, lambda, imbalance);
}

void FlowOperator::push_forward(std::span<const double> policy, std::span<double> occupancy,
                                std::span<double> mass) const {
  const Shape& shape = problem_->shape;
  if (problem_->stationary()) {
    PolicyEquations(*problem_, policy, 1.0).masses(problem_->initial, mass);
    for (double& m : mass) m = std::max(m, 0.0);
    for (std::size_t p = 0; p < occupancy.size(); ++p)
      occupancy[p] = mass[state_of_[p]] * policy[p];
    return;
  }
  std::fill(mass.begin(), mass.end(), 0.0);
  std::copy(problem_->initial.begin(), problem_->initial.end(), mass.begin());
  for (Index l = 0; l < shape.layers(); ++l) {
    for (Index p : shape.pairs_of_layer(l)) occupancy[p] = mass[state_of_[p]] * policy[p];
    if (l + 1 < shape.layers()) add_inflow(l, occupancy, mass);
  }
}

}  // namespace vapor
