// The constraints of a reduced problem inside the primal-dual Newton method: one multiplier y each
// beside V, and a slack for each bound on y.
//
// Rows are scaled by powers of two to a largest coefficient of about 1, and >= is turned into <=. A
// multiplier has a low and a high limit, either of which may be infinite; with a slack a >= 0 for
// each that is finite, low with sign + and high with sign -,
//
//   C lambda + sum +-a = b          the row
//   a z                = mu         centrality, z = +-(y - limit) >= 0
//
// and delta = E r + J V - C' y. The multipliers of the problem itself are free for =, and at least
// 0 for <=. With all of them between -1 and 1 (0 and 1) instead and no rewards, the same method
// finds the least sum of violations, and its dual says whether any measure meets the constraints.
//
// The Newton system is bordered: with M = J' theta J and B = J' theta C',
//
//   [  M   -B               ] [dV]
//   [ -B'   C theta C' + D  ] [dy],    D = diag(sum a / z),
//
// solved by one factor of M, W = inv(M) B for all rows at once, and the inverse of the small dense
// S = C theta C' + D - B' W.
#pragma once

#include <span>
#include <vector>

#include "vapor/solver/normal_equations.h"
#include "vapor/solver/presolve.h"

namespace vapor {

class ConstraintRows {
 public:
  using Table = std::vector<double>;

  enum class Limits {
    kOfSense,  // of the problem itself
    kUnit,     // of the least sum of violations
  };

  struct Direction {
    Table y, slack;
  };

  struct Steps {
    double primal = 1.0;
    double dual = 1.0;
  };

  void reset(const Reduced& reduced, Limits limits);
  bool empty() const { return rows_ == 0; }

  // Slacks that fit the measure, or as small as they may be where it violates a row, and
  // multipliers that have a z of about mu.
  void start(std::span<const double> lambda, double mu);

  // pairs -= C' y, for the y of the iterate or of a direction.
  void charge(std::span<double> pairs) const { charge(y_, pairs); }
  void charge(std::span<const double> y, std::span<double> pairs) const;

  // The residuals of the rows at lambda.
  void evaluate(std::span<const double> lambda);
  std::size_t padded_rows() const { return padded_; }
  double complementarity() const;                                     // sum a z
  double sides() const { return static_cast<double>(side_.size()); }  // how many products that is

  // The border of the system whose matrix was factored with this theta.
  int factor(NormalEquations& equations, std::span<const double> theta,
             const LinearTolerance& tolerance);

  // Given dV of the system without rows and theta g, g = stationarity + centring / lambda:
  // completes dV and gives the direction of the rows.
  void solve(std::span<const double> theta_g, std::span<double> dV, Direction& step);

  // What rounding has left of the rows along a direction; returns the largest.
  double remainder(std::span<const double> d_lambda, const Direction& step);
  // Given dV of the system without rows for what was left of the flow: completes dV, gives the dy
  // that takes the remainder away, and adds it to the direction.
  void refine(std::span<double> dV, std::span<double> dy, Direction& step);

  // The right side of centrality, as in newton.cpp.
  void aim_at_zero();
  void aim_at(double centre, const Direction& predicted);
  void pull_back(double centre, const Steps& steps, const Direction& step, double stray);

  double complementarity_after(const Steps& steps, const Direction& step) const;
  Steps longest_steps(const Direction& step) const;
  void advance(const Steps& steps, const Direction& step);

  // Beside the Fenchel-Young terms of certificate.h, what a measure's rows add to the gap, and its
  // violations, which must fall below the tolerance with it; `unit` is max(1, |value|).
  double gap_of(std::span<const double> occupancy, double unit);

  // The least room that a measure leaves of an inequality, relative to the size of the row.
  double least_room(std::span<const double> occupancy);
  static constexpr double kInside = 1e-14;  // room for the rounding of such sums

  // The least share of a second measure that lets a mixture with the first meet every inequality;
  // more than 1 if none does.
  double share_to_feasible(std::span<const double> first, std::span<const double> second);

  // Whether the multipliers and V prove, as far as doubles can, that no measure meets the
  // constraints. `delta` is E r + J V - C' y.
  bool prove_infeasible(std::span<const double> V, std::span<const double> delta) const;

  // The multipliers of the constraints as they are stated.
  void prices(std::span<double> out) const;

 private:
  // A finite limit of a multiplier.
  struct Side {
    std::size_t row;
    double sign;
    double limit;
  };

  void list_counted_pairs();
  void set_room(std::span<const double> occupancy, Table& room) const;
  void set_sizes(std::span<const double> occupancy, Table& size) const;
  void solve_small(Table& rhs, std::span<double> dV, std::span<double> dy) const;
  void set_border(std::span<const double> theta);
  void set_small_system(std::span<const double> theta);

  const Reduced* reduced_ = nullptr;
  Limits limits_ = Limits::kOfSense;
  std::size_t rows_ = 0;
  std::size_t padded_ = 0;                // rows_ as whole tiles
  std::vector<Index> counted_;            // the pairs that a row counts, in order
  std::vector<Index> counted_state_;      // and their states
  std::vector<std::size_t> layer_begin_;  // among them, by layer
  Table C_;                               // counted pairs x padded_
  Table bound_, scale_, aim_;             // by row: the stated one times scale_, less aim_
  std::vector<char> equality_;
  std::vector<Side> side_;

  Table rhs_, remainder_;         // by row, padded
  Table y_, residual_;            // by row
  Table slack_, z_, centring_;    // by side
  Table B_, W_;                   // states x padded_
  Table room_, size_;             // by row, padded
  Table S_, pivot_scale_, work_;  // the small system; S_ holds its inverse
};

}  // namespace vapor
