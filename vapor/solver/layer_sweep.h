// A preconditioner of M = J' diag(theta) J that needs no more memory than the problem: symmetric
// Gauss-Seidel over the layers, (D - B') D^-1 (D - B) with D the diagonal of M (but for the cross
// terms of a next state listed twice) and B the coupling of each layer to the next. One application
// carries information through all layers and back. Of a stationary problem it is D^-1 alone.
#pragma once

#include <span>
#include <vector>

#include "vapor/mdp/problem.h"

namespace vapor {

class LayerSweep {
 public:
  void reset(const Problem& problem);

  void factor(std::span<const double> theta);
  void apply(std::span<const double> r, std::span<double> z);

 private:
  const Problem* problem_ = nullptr;
  std::span<const double> theta_;
  std::vector<double> inverse_diagonal_;  // by state
  std::vector<double> base_cross_;        // by state of the next layer
};

}  // namespace vapor
