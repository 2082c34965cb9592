// The linear systems of the Newton methods,
//
//   M x = b,   M = J' diag(theta) J,   theta > 0 by pair,
//
// with J the flow operator: symmetric, positive definite, block tridiagonal over layers, or of a
// stationary problem with one block, which is factorised sparse or dense. Solved by
// preconditioned conjugate gradients. With a factorisation as preconditioner that is one solve and
// a check, more only where rounding has spoilt the factor: by blocks of layers, or sparse where
// that is less work. With the layer sweep nothing is factorised and memory is that of the problem.
#pragma once

#include <span>
#include <vector>

#include "vapor/core/clock.h"
#include "vapor/mdp/problem.h"
#include "vapor/solver/block_factor.h"
#include "vapor/solver/dense_factor.h"
#include "vapor/solver/flow_operator.h"
#include "vapor/solver/layer_sweep.h"
#include "vapor/solver/sparse_factor.h"

namespace vapor {

struct LinearTolerance {
  double relative = 1e-12;  // of the largest entry of b, for the largest of the residual
  int max_iterations = 8;   // 0: one application of the preconditioner, unchecked
};

class NormalEquations {
 public:
  enum class Kind { kBlocks, kSparse, kDense, kSweep };

  // Factorises if asked to and the factor fits into max_bytes; keeps its memory.
  void reset(const Problem& problem, bool factorise, double max_bytes);
  Kind kind() const { return kind_; }
  bool factorised() const { return kind_ != Kind::kSweep; }
  const FlowOperator& flow() const { return flow_; }

  // Work that the deadline passes is left as it is.
  void set_deadline(const Deadline& deadline) { deadline_ = deadline; }

  // False if the deadline has passed: there is nothing to solve with.
  bool factor(std::span<const double> theta);

  // Returns the number of iterations taken. Past the deadline x is what it is by then.
  int solve(std::span<const double> b, std::span<double> x, const LinearTolerance& tolerance);

  // M X = B for `columns` right-hand sides at once, a multiple of kTile; those of a state stand
  // beside each other. B is overwritten.
  int solve_many(int columns, std::span<double> B, std::span<double> X,
                 const LinearTolerance& tolerance);

 private:
  Kind choose(const Problem& problem, double max_bytes);
  Kind choose_stationary(const Problem& problem, double max_bytes);
  void product(std::span<const double> x, std::span<double> y);  // y = M x
  void precondition(std::span<const double> r, std::span<double> z);

  FlowOperator flow_;
  Kind kind_ = Kind::kSweep;
  Deadline deadline_;
  BlockFactor block_factor_;
  SparseFactor sparse_factor_;
  DenseFactor dense_factor_;
  LayerSweep layer_sweep_;
  std::span<const double> theta_;
  std::vector<double> advantage_;        // by pair
  std::vector<double> r_, z_, d_, Md_;   // by state
  std::vector<double> column_, answer_;  // by state, of solve_many
};

}  // namespace vapor
