// The linear systems of the Newton methods,
//
//   M x = b,   M = J' diag(theta) J,   theta > 0 by pair,
//
// with J the flow operator: symmetric, positive definite, block tridiagonal over layers. Solved by
// preconditioned conjugate gradients. With the block factorisation as preconditioner that is one
// solve and a check, more only where rounding has spoilt the factor; with the layer sweep nothing
// is factorised and memory is that of the problem.
#pragma once

#include <span>
#include <vector>

#include "vapor/core/clock.h"
#include "vapor/mdp/problem.h"
#include "vapor/solver/block_factor.h"
#include "vapor/solver/flow_operator.h"
#include "vapor/solver/layer_sweep.h"

namespace vapor {

struct LinearTolerance {
  double relative = 1e-12;  // of the largest entry of b, for the largest of the residual
  int max_iterations = 8;   // 0: one application of the preconditioner, unchecked
};

class NormalEquations {
 public:
  // Factorises if asked to and the factor fits into max_bytes; keeps its memory.
  void reset(const Problem& problem, bool factorise, double max_bytes);
  bool factorised() const { return factorised_; }
  const FlowOperator& flow() const { return flow_; }

  // Work that the deadline passes is left as it is.
  void set_deadline(const Deadline& deadline) { deadline_ = deadline; }

  // False if the deadline has passed: there is nothing to solve with.
  bool factor(std::span<const double> theta);

  // Returns the number of iterations taken. Past the deadline x is what it is by then.
  int solve(std::span<const double> b, std::span<double> x, const LinearTolerance& tolerance);

 private:
  void product(std::span<const double> x, std::span<double> y);  // y = M x

  void precondition(std::span<const double> r, std::span<double> z);

  FlowOperator flow_;
  bool factorised_ = false;
  Deadline deadline_;
  BlockFactor block_factor_;
  LayerSweep layer_sweep_;
  std::span<const double> theta_;
  std::vector<double> advantage_;       // by pair
  std::vector<double> r_, z_, d_, Md_;  // by state
};

}  // namespace vapor
