// L D L' = A for a sparse symmetric positive definite A, in an order that keeps L sparse (Davis,
// "Direct Methods for Sparse Linear Systems", 2006, chapter 4). Columns of L with the same rows
// below them stand together as supernodes, in the postorder of the elimination tree, and are
// factorised as dense panels, each after it has gathered what the supernodes before it subtract
// (the left-looking supernodal method; Ng and Peyton, 1993). The pattern is analysed once; nothing
// is allocated after that.
#pragma once

#include <span>
#include <vector>

#include "vapor/core/clock.h"
#include "vapor/core/index.h"

namespace vapor {

// Where a symmetric matrix has entries beside its diagonal: entry e is at (row[e], column[e]) and
// at its mirror image, in no order, each place once.
struct SymmetricPattern {
  Index size = 0;
  std::vector<Index> row, column;
};

class SparseCholesky {
 public:
  // Returns whether a factorisation takes at most most_work multiplications; if not, there is none.
  bool analyse(const SymmetricPattern& pattern, double most_work);

  Index size() const { return static_cast<Index>(inverse_pivot_.size()); }
  double multiplications() const { return multiplications_; }  // of a factorisation
  Offset nonzeros() const { return column_begin_.empty() ? 0 : column_begin_.back(); }  // of L

  // A pivot that is not above 1e-15 of its diagonal entry is taken for infinite. False, and no
  // factor, if the deadline passes on the way.
  bool factor(std::span<const double> diagonal, std::span<const double> entries,
              const Deadline& deadline = {});

  // Vectors are in the order of elimination from here on; place(i) says where i went.
  Index place(Index i) const { return place_[i]; }
  std::span<const double> inverse_pivots() const { return inverse_pivot_; }  // of D
  void solve_lower(std::span<double> x) const;                               // x := L^-1 x
  void solve_upper(std::span<double> x) const;                               // x := L'^-1 x

  // x := L^-1 x for kWidth vectors at once, element i of vector j at x[kWidth i + j].
  static constexpr int kWidth = 8;
  void solve_lower_together(double* x) const;

 private:
  bool order(const SymmetricPattern& pattern, double most_work);
  void postorder();
  void index_upper(const SymmetricPattern& pattern);
  void find_tree_and_counts();
  void fill_pattern();
  void index_lower();
  void find_supernodes();
  void list_by_next_row(Index supernode);

  // A panel is the rows of a supernode, those of its own columns first, by columns.
  void assemble_panel(Index supernode, std::span<const double> diagonal,
                      std::span<const double> entries);
  void subtract_from_panel(Index supernode, Index by);
  void factor_panel(Index supernode, std::span<const double> diagonal);
  Index width_of(Index supernode) const { return first_[supernode + 1] - first_[supernode]; }
  Offset rows_of(Index supernode) const {  // below its first column
    return column_begin_[first_[supernode] + 1] - column_begin_[first_[supernode]];
  }

  std::vector<Index> place_, node_;  // of a node, and the node of a place
  // A above its diagonal, by columns, in places.
  std::vector<Offset> upper_begin_;
  std::vector<Index> upper_row_;
  std::vector<Offset> upper_entry_;
  // The same below its diagonal.
  std::vector<Offset> lower_begin_;
  std::vector<Index> lower_row_;
  std::vector<Offset> lower_entry_;
  // L below its diagonal, by columns, whose rows ascend.
  std::vector<Index> parent_, mark_;
  std::vector<Offset> column_begin_, filled_;
  std::vector<Index> row_;
  std::vector<double> L_;
  std::vector<double> pivot_, inverse_pivot_;
  // Supernodes: their first columns, and the supernode of a column.
  std::vector<Index> first_, supernode_;
  // While factorising: by supernode the place among its rows that it has come to, and a list of
  // those whose next row is in a supernode.
  std::vector<Offset> next_row_;
  std::vector<Index> head_, next_;
  std::vector<Offset> place_in_panel_;  // by row
  std::vector<double> panel_, product_;
  double multiplications_ = 0.0;
};

}  // namespace vapor
