// Block elimination of M = J' diag(theta) J, first layer first. With A_l the Schur complement of
// layer l, G_l its inverse and B_l = sum_a theta P (states of l x states of l + 1):
//
//   A_{l+1} = outflow + P' theta P - B_l' G_l B_l
//
// Transitions are sparse plus rank one, so building A_{l+1} costs O(nonzeros x states); only the
// inverse costs states^3, and never-visited states were merged before (presolve.h).
#pragma once

#include <span>
#include <vector>

#include "vapor/core/clock.h"
#include "vapor/mdp/problem.h"

namespace vapor {

class BlockFactor {
 public:
  void reset(const Problem& problem);  // keeps its memory

  // False, and no factor, if the deadline passes between two layers.
  bool factor(std::span<const double> theta, const Deadline& deadline = {});
  void apply(std::span<const double> r, std::span<double> z);

  // The same for `columns` right-hand sides at once, a multiple of kTile: those of a state stand
  // beside each other. R is overwritten.
  void apply_many(int columns, std::span<double> R, std::span<double> Z);

  // Multiplications of a factorisation, counted as SparseFactor counts those along whole vectors.
  static double work(const Shape& shape);

  // What a factorisation of a problem of this shape keeps, in bytes.
  static double bytes_needed(const Shape& shape);

 private:
  // One layer l and its coupling to layer l + 1.
  struct Block {
    Index first_state = 0, states = 0;
    int padded = 0;           // states rounded up to whole tiles
    std::size_t G = 0;        // where its inverse starts in inverses_
    bool dense = false;       // B is multiplied as a dense matrix
    bool dense_rows = false;  // and so is P' theta P
    bool has_base = false;    // a pair of this layer has a base weight
  };

  void index_couplings();
  void choose_dense_products();
  void couple(Index layer, std::span<const double> theta);
  void accumulate_coupling(Index layer, std::span<const double> theta);
  void set_rank_one(Index layer, double* A, int lda);
  void add_outer_products(Index layer, std::span<const double> theta, double* A, int lda);
  void add_dense_outer_products(Index layer, std::span<const double> theta, double* A, int lda);
  void subtract_sparse(Index layer, double* A, int lda);
  void add_columns_of(Index layer, Index s, double sign, const double* M, int lda, int rows,
                      double* y) const;
  void subtract_dense(Index layer, double* A, int lda);
  void multiply_inverse(const Block& block, std::span<const double> v, std::span<double> y) const;

  const Problem* problem_ = nullptr;
  std::vector<Block> blocks_;
  std::vector<double> inverses_;  // G_l, padded x padded, column-major

  // B_l by columns: the entries of column (next state) s' are column_begin_[s'] ..., each with the
  // state it comes from. coupling_of_[k] says to which entry transition k adds.
  std::vector<Offset> column_begin_;
  std::vector<Index> row_;
  std::vector<double> coupling_;
  std::vector<Offset> coupling_of_;

  std::vector<double> base_flow_;   // q, by state: sum_a theta base_weight
  std::vector<double> base_cross_;  // by next state: what multiplies base in A_{l+1}
  double base_square_ = 0.0;        // what multiplies base base' in A_{l+1}

  std::vector<Offset> seen_, entry_place_;  // of index_couplings
  std::vector<Index> entry_row_, entry_column_;
  std::vector<double> scale_, dense_, product_, work_, half_, y_;
  std::vector<double> side_;  // of apply_many
};

}  // namespace vapor
