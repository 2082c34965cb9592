// How the optimum of a reduced problem answers small changes: the Newton system of newton.h at
// mu = 0, solved for any right-hand side.
//
// At the optimum delta + f'(lambda) = 0 with delta = E r + J V - C' y, rho + J' lambda = 0, and
// C lambda = b for the constraints that hold with equality. If delta + f' moves by g beside what V
// and y do to it, the imbalance of the flow by e and the bounds by b, then
//
//   d lambda         = theta (J dV - C' dy + g),   theta = 1 / -f''(lambda)
//   e + J' d lambda  = 0
//   C d lambda       = b
//
// Pairs without sigma have no f'': with lambda > 0 they keep delta = 0 whatever lambda does, so
// their d lambda are multipliers of J dV - C' dy + g = 0, found by conjugate gradients on top of a
// system in which they have a theta of their own. Those with lambda = 0 stay there.
//
// The system is symmetric, so it is its own adjoint.
#pragma once

#include <span>
#include <vector>

#include "vapor/solver/normal_equations.h"
#include "vapor/solver/presolve.h"

namespace vapor {

class ResponseSystem {
 public:
  using Table = std::vector<double>;

  struct Change {
    Table g;  // by pair, the mean over its copies
    Table e;  // by state, the sum over its copies
    Table b;  // by row
  };

  struct Answer {
    Table lambda;  // by pair, the sum over its copies
    Table V;       // by state
    Table y;       // by row
  };

  // `rows` are the constraints that hold with equality, `basic` says of a pair that it has lambda >
  // 0 without sigma. The reduced problem is kept.
  void reset(const Reduced& reduced, std::vector<std::size_t> rows, std::vector<char> basic,
             double max_bytes);

  // theta by pair, summed over its copies; for a basic pair any weight of that magnitude. False if
  // the rows are not independent.
  bool factor(std::span<const double> theta);

  // False if the basic pairs are not independent, and then the answer is none.
  bool respond(const Change& change, Answer& answer);

  const std::vector<std::size_t>& rows() const { return rows_; }
  const FlowOperator& flow() const { return equations_.flow(); }

  // pairs -= C' y.
  void charge(std::span<const double> y, std::span<double> pairs) const;
  // The left sides of the rows.
  void count(std::span<const double> lambda, std::span<double> rows) const;

 private:
  bool factor_rows();
  // The V and y that answer -f of the flow and -k of the rows, basic pairs being like all others.
  void solve(std::span<const double> f, std::span<const double> k, Table& V, Table& y);
  // J V - C' y.
  void advance(const Table& V, const Table& y, Table& pairs) const;
  bool settle_basic(Answer& answer);

  const Reduced* reduced_ = nullptr;
  NormalEquations equations_;
  std::vector<std::size_t> rows_;
  std::vector<char> basic_;
  bool any_basic_ = false;
  Table theta_;
  std::vector<Table> B_, W_;  // by row, by state
  Table S_;                   // the Cholesky factor of the rows' system
  Table f_, k_, pair_, residual_, direction_, multiplier_, rows_V_, V_, y_;
};

}  // namespace vapor
