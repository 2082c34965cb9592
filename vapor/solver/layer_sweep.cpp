#include "vapor/solver/layer_sweep.h"

#include <algorithm>

namespace vapor {

void LayerSweep::reset(const Problem& problem) {
  problem_ = &problem;
  inverse_diagonal_.resize(problem.shape.states());
  base_cross_.resize(problem.shape.states());
}

void LayerSweep::factor(std::span<const double> theta) {
  theta_ = theta;
  const Shape& shape = problem_->shape;
  const Transitions& P = problem_->transitions;
  std::fill(inverse_diagonal_.begin(), inverse_diagonal_.end(), 0.0);
  std::fill(base_cross_.begin(), base_cross_.end(), 0.0);
  for (Index l = 0; l < shape.layers(); ++l) {
    double base_square = 0.0;
    for (Index s : shape.states_of(l)) {
      for (Index p : shape.pairs_of(s)) {
        inverse_diagonal_[s] += theta[p];
        base_square += theta[p] * P.base_weight[p] * P.base_weight[p];
        for (Offset k = P.begin[p]; k < P.begin[p + 1]; ++k) {
          const double x = theta[p] * P.probability[k];
          inverse_diagonal_[P.next_state[k]] += x * P.probability[k];
          if (P.next_state[k] == s) inverse_diagonal_[s] -= 2.0 * x;
          base_cross_[P.next_state[k]] += x * P.base_weight[p];
        }
      }
    }
    for (Index s : problem_->next_states_of(l))
      inverse_diagonal_[s] += P.base[s] * (2.0 * base_cross_[s] + base_square * P.base[s]);
  }
  for (double& d : inverse_diagonal_) d = d > 0.0 ? 1.0 / d : 0.0;
}

void LayerSweep::apply(std::span<const double> r, std::span<double> z) {
  const Shape& shape = problem_->shape;
  const Transitions& P = problem_->transitions;
  if (problem_->stationary()) {
    for (std::size_t s = 0; s < r.size(); ++s) z[s] = inverse_diagonal_[s] * r[s];
    return;
  }
  // Forward: z_l = D^-1 (r_l + B' z_{l-1}).
  std::copy(r.begin(), r.end(), z.begin());
  for (Index l = 0; l < shape.layers(); ++l) {
    double to_base = 0.0;
    for (Index s : shape.states_of(l)) {
      z[s] *= inverse_diagonal_[s];
      for (Index p : shape.pairs_of(s)) {
        const double flow = theta_[p] * z[s];
        to_base += P.base_weight[p] * flow;
        for (Offset k = P.begin[p]; k < P.begin[p + 1]; ++k)
          z[P.next_state[k]] += P.probability[k] * flow;
      }
    }
    if (l + 1 == shape.layers()) break;
    for (Index s : shape.states_of(l + 1)) z[s] += to_base * P.base[s];
  }
  // Backward: z_l += D^-1 B z_{l+1}.
  for (Index l = shape.layers() - 2; l >= 0; --l) {
    const double base = base_value(shape, P, l + 1, z);
    for (Index s : shape.states_of(l)) {
      double sum = 0.0;
      for (Index p : shape.pairs_of(s)) sum += theta_[p] * P.expectation(p, z, base);
      z[s] += inverse_diagonal_[s] * sum;
    }
  }
}

}  // namespace vapor
