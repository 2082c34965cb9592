// A sparse factorisation of M = J' diag(theta) J, for problems whose layers are wide and whose
// transitions are few: where block_factor.h would invert dense blocks that are nearly empty.
//
// With J = X + W B', X the sparse part and column l of W (pairs x layers) and of B (states x
// layers) the base weights of the pairs of layer l and the base of layer l + 1,
//
//   M = N + U C U',   N = X' theta X,   U = (X' theta W, B),   C^-1 = (-W' theta W, I; I, 0),
//
// N is factorised as it is, sparse and positive definite, and
//
//   M^-1 = N^-1 - N^-1 U K^-1 U' N^-1,   K = C^-1 + U' N^-1 U,
//
// which is of size 2 (layers - 1) at most.
#pragma once

#include <span>
#include <vector>

#include "vapor/core/clock.h"
#include "vapor/mdp/problem.h"
#include "vapor/solver/sparse_cholesky.h"

namespace vapor {

class SparseFactor {
 public:
  // Analyses the problem; keeps its memory, and its analysis if the problem's pattern is the same.
  // Returns whether a factorisation takes at most so much work and memory; if not, there is none.
  // Work is multiplications, those that run along whole vectors counted by an eighth.
  bool reset(const Problem& problem, double most_work, double max_bytes);

  // False, and no factor, if the deadline passes on the way.
  bool factor(std::span<const double> theta, const Deadline& deadline = {});
  void apply(std::span<const double> r, std::span<double> z);

 private:
  bool same_pattern(const Problem& problem) const;
  bool analyse(double most_work);
  double border_work(double nonzeros) const;
  double bytes_needed() const;
  void index_entries();
  void choose_borders();
  void assemble(std::span<const double> theta);
  void set_borders(std::span<const double> theta);
  double& border(Index state, std::size_t column);
  void factor_borders();
  void solve_borders(std::span<double> x) const;  // x := K^-1 x

  const Problem* problem_ = nullptr;
  // What was analysed last.
  bool analysed_ = false;
  std::vector<Offset> begin_;
  std::vector<Index> next_state_;
  std::vector<Index> first_pair_;  // by state, and the number of pairs

  SymmetricPattern pattern_;
  std::vector<Offset> transition_entry_;  // by transition: of its state and its next state
  std::vector<Offset> product_entry_;  // of two next states of a pair, in the order of assemble()
  std::vector<double> diagonal_, entries_;
  SparseCholesky cholesky_;

  std::vector<Index> based_;  // layers whose pairs have base weights
  std::size_t columns_ = 0;   // of U: for each of these layers X' theta W, then for each B
  std::vector<double> F_;     // L^-1 U, kWidth columns at a time
  std::vector<double> K_;     // columns_ x columns_, and then its factors
  std::vector<Index> pivot_;  // the row that was exchanged with each
  std::vector<double> t_, small_;
};

}  // namespace vapor
