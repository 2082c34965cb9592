// The flow constraints of the exact problem, in double-double.
//
// The numbers of a Problem are doubles, and its distributions sum to 1 only up to rounding. What
// they stand for exactly is: every row (next and base_weight together), every base, the initial
// distribution and every state of a policy, divided by its exact sum. Then the masses of a layer
// sum to 1 exactly, a pair that everything leads to has lambda = 1, and 1 - lambda is the sum of
// the other masses, which is known to all its digits where lambda rounds to 1.
//
// Works on the classes of a reduced problem, but with the numbers of the given one: what presolve
// adds up has been rounded. Masses are sums of positive terms, so their relative errors are below
// relative_error(), if nothing underflows; what does is below Reduced::dropped_reach.
//
// The measure of a policy of a stationary problem solves a linear system. It is solved in doubles
// and its residual in double-double for again; what is left of the residual says how far at most
// the measure of the policy is from lambda(), which is taken as it stands: the inverse of
// I - gamma P' has the 1-norm 1 / (1 - gamma).
#pragma once

#include <span>
#include <vector>

#include "vapor/core/double_double.h"
#include "vapor/solver/presolve.h"

namespace vapor {

class ExactFlow {
 public:
  // Keeps its memory, and refers to both until the next reset.
  void reset(const Problem& problem, const Reduced& reduced);

  // The occupancy measure of a policy of the reduced problem, as it is reported for the given one.
  void push_forward(std::span<const double> policy);
  std::span<const DoubleDouble> lambda() const { return lambda_; }  // by pair, of all copies
  std::span<const DoubleDouble> mass() const { return mass_; }      // by state, of all copies

  // sum of lambda over the pairs of the layer outside `pairs`: 1 - lambda without cancellation.
  double mass_outside(Index layer, Range pairs) const;
  double relative_error() const { return relative_error_; }

  // At least the sum of |lambda - the measure of its policy| over all pairs; 0 of layers.
  double displaced() const { return displaced_; }

  // q = P V of the pairs of a layer, given V of the next, and an upper bound on the error of each.
  void expectations(Index layer, std::span<const DoubleDouble> V, std::span<DoubleDouble> q,
                    std::span<double> error) const;

  const DoubleDouble& initial(Index state) const { return arrival_[state]; }
  const Problem& problem() const { return *problem_; }
  const Reduced& reduced() const { return *reduced_; }

 private:
  void reset_stationary();
  void push_stationary(std::span<const double> policy);
  double
  imbalance();  // at least the sum of |inflow - outflow| of lambda_, which residual_ receives
  std::span<const DoubleDouble> base() const {
    return problem_->stationary() ? stationary_base_ : arrival_;
  }

  const Problem* problem_ = nullptr;
  const Reduced* reduced_ = nullptr;
  std::vector<DoubleDouble> row_scale_;  // by pair: 1 / the sum of its row
  std::vector<DoubleDouble> arrival_;    // by state: the initial distribution or the base, exactly
  std::vector<DoubleDouble> lambda_;
  std::vector<DoubleDouble> mass_;
  double relative_error_ = 0.0;

  // Of a stationary problem:
  std::vector<DoubleDouble> stationary_base_, residual_;  // by state
  std::vector<double> terms_;                             // by state: how many its inflow adds up
  double displaced_ = 0.0;
};

}  // namespace vapor
