// The inverse of M = J' diag(theta) J as a dense matrix, for stationary problems that are small or
// whose transitions are many: M = Y' Y with Y = sqrt(theta) J, states x states of it.
#pragma once

#include <span>
#include <vector>

#include "vapor/core/clock.h"
#include "vapor/mdp/problem.h"

namespace vapor {

class DenseFactor {
 public:
  static double work(const Shape& shape);  // multiplications of a factorisation
  static double bytes_needed(const Shape& shape);

  void reset(const Problem& problem);  // keeps its memory

  // False, and no factor, if the deadline passes on the way.
  bool factor(std::span<const double> theta, const Deadline& deadline = {});
  void apply(std::span<const double> r, std::span<double> z);

 private:
  void set_row(Index state, Index pair, double weight, double* row) const;

  const Problem* problem_ = nullptr;
  int n_ = 0;              // states, padded
  std::vector<double> Y_;  // kPairs rows of n_
  std::vector<double> M_;  // n_ x n_, then its inverse
  std::vector<double> scale_, work_, r_;
};

}  // namespace vapor
