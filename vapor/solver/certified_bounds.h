// Both bounds of a solution with their own rounding on the safe side, in time O(nonzeros): the last
// word on every solve, whatever the method.
//
//   below   the value of a policy's occupancy measure, sum lambda E r + sum k f(x),   x = lambda /
//   k above   D(V) = sum rho V + sum k f*(delta),   f*(delta) = max(delta, 0) + excess(delta)
//
// of the exact problem (exact_flow.h). By the flow constraints, for any measure lambda,
//
//   D(V) = sum lambda E r + sum k ((1 - x) max(delta, 0) + x max(-delta, 0) + excess(delta)),
//
// where only the first sum can cancel. It and delta are computed in double-double, with a bound on
// their errors; the rest is positive, and doubles with a bound on their relative error will do.
// Near x = 1 the f and the sum above take 1 - x, which is summed from the other masses of the
// layer.
//
// With constraints and their prices y, delta = E r + J V - C' y and D(V, y) has b y more: by the
// same identity sum y (b - C lambda) stands beside the first sum. Where the measure violates a row
// that term is left out instead of subtracted: the bound is then one for the measure too, which is
// feasible for bounds moved by its violations.
//
// States that presolve drops because almost nothing reaches them have V = 0 and count with as much
// as they could add: a mass e moves a concave f with f(0) = f(1) = 0 by at most max f(e), f(1 - e),
// which is below 3/2 sigma sqrt(e) for the functions of regulariser.h.
//
// The measure of a policy of a stationary problem is known up to E = ExactFlow::displaced(), the
// sum over all pairs. A concave f with f(0) = f(1) = 0 moves by at most f(e) + 3 sigma e where
// lambda <= 1/2, since there its slope is above -3 sigma, and a sum of f(e) over N pairs is largest
// where all e are E / N. At the few pairs that have more f is concave in u = 1 - lambda and 0 at
// u = 0: its slope is below f / u.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "vapor/core/double_double.h"
#include "vapor/solver/exact_flow.h"
#include "vapor/solver/regulariser.h"

namespace vapor {

// A sum, and the sum of magnitudes that its error is relative to.
struct LongSum {
  DoubleDouble total;
  double size = 0.0;

  VAPOR_INLINE void add(DoubleDouble term) {
    total = total + term;
    size += std::abs(term.hi);
  }
};

// Keeps its memory from one solve to the next.
class CertifiedBounds {
 public:
  void reset(const Problem& problem, const Reduced& reduced);

  // At most the value of a policy of the reduced problem.
  template <ScalarRegulariser R>
  double below(std::span<const double> policy);

  // The prices that the values below are for, by constraint; those of the wrong sign become 0.
  void set_prices(std::span<const double> prices);
  std::span<const double> prices() const { return prices_; }

  // At least D(V), for any V, computed with the measure of the last policy.
  template <ScalarRegulariser R>
  double above(std::span<const DoubleDouble> V);

  // Of the last policy, by pair of the reduced problem: the lambda of one copy, to the nearest
  // double, and its logarithm, which is not 0 where lambda only rounds to 1.
  std::span<const double> occupancy() const { return occupancy_; }
  std::span<const double> log_occupancy() const { return log_occupancy_; }

  // Of the last policy, by constraint: the left side, to the nearest double, and at least the
  // violation, 0 where there is none.
  std::span<const double> used() const { return used_; }
  std::span<const double> violation() const { return violation_; }
  // The largest violation, over the larger of |bound| and the largest coefficient.
  double constraint_residual() const;

  // Less than 0 only if no measure meets the constraints: at least D(V, y) without rewards and
  // sigma.
  double infeasibility(std::span<const double> V);

  // The advantages of the last V, by pair.
  std::span<const double> advantages() const { return delta_; }

  // Values to twice the digits, for where the doubles of an iteration are not close enough: V that
  // the masses of the last policy imply (state_equation.h), by state.
  template <ScalarRegulariser R>
  void values_of_policy(std::span<DoubleDouble> V);

  // The policy of the maximisers lambda(V), for the advantages of the last V; where sigma is 0 or
  // all of them vanish, that of the last policy.
  template <ScalarRegulariser R>
  void policy_of_values(std::span<double> policy) const;

  // The optimal values of the plain MDP, and its policy, ties to the first action.
  void optimal_values(std::span<DoubleDouble> V, std::span<double> policy);

 private:
  void optimal_stationary_values(std::span<DoubleDouble> V, std::span<double> policy);
  void set_shares();
  void set_uses();
  void expect(Index layer, std::span<const DoubleDouble> V);
  double error_of(const LongSum& sum) const;
  double dropped_above(std::span<const DoubleDouble> V) const;
  double dropped_below() const;
  template <ScalarRegulariser R>
  double displaced_below() const;

  ExactFlow flow_;
  LongSum reward_;                 // sum lambda E r of the last policy
  std::vector<double> occupancy_;  // x, by pair like the rest
  std::vector<double> outside_;    // 1 - x
  std::vector<double> log_occupancy_;
  std::vector<double> delta_;
  std::vector<DoubleDouble> q_;
  std::vector<double> error_;   // of q
  std::vector<double> offset_;  // of q below the best of its state
  double largest_reward_ = 0.0;
  double largest_sigma_ = 0.0;

  const std::vector<Constraint>& constraints() const { return flow_.reduced().problem.constraints; }
  std::vector<double> prices_, used_, violation_;  // by constraint
  std::vector<DoubleDouble> room_;                 // by constraint: bound - used
  std::vector<double> room_error_;
  std::vector<DoubleDouble> charge_;  // C' y, by pair, and an upper bound on its error
  std::vector<double> charge_error_;
};

}  // namespace vapor
