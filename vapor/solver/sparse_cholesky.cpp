#include "vapor/solver/sparse_cholesky.h"

#include <algorithm>

#include "vapor/core/multiversion.h"
#include "vapor/solver/minimum_degree.h"

namespace vapor {
namespace {

constexpr double kSmallestPivot = 1e-15;  // of the diagonal entry it began as

// Two passes over what is to be listed by key: counts become the beginnings of the lists.
void sum_counts(std::vector<Offset>& begin) {
  for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
}

VAPOR_MULTIVERSION
void subtract_multiples(const Index* rows, const double* L, Offset count, double* x,
                        const double* pivot) {
  constexpr int kWidth = SparseCholesky::kWidth;
  double y[kWidth];
  for (int j = 0; j < kWidth; ++j) y[j] = pivot[j];
  for (Offset k = 0; k < count; ++k) {
    double* to = x + static_cast<std::ptrdiff_t>(rows[k]) * kWidth;
    for (int j = 0; j < kWidth; ++j) to[j] -= L[k] * y[j];
  }
}

}  // namespace

bool SparseCholesky::analyse(const SymmetricPattern& pattern, double most_work) {
  if (!order(pattern, most_work)) return false;
  index_upper(pattern);
  find_tree_and_counts();
  fill_pattern();
  inverse_pivot_.resize(pattern.size);
  y_.assign(pattern.size, 0.0);
  return true;
}

bool SparseCholesky::order(const SymmetricPattern& pattern, double most_work) {
  std::vector<Offset> begin(pattern.size + 1, 0);
  for (std::size_t e = 0; e < pattern.row.size(); ++e) {
    ++begin[pattern.row[e] + 1];
    ++begin[pattern.column[e] + 1];
  }
  sum_counts(begin);
  std::vector<Index> neighbour(begin.back());
  std::vector<Offset> next(begin.begin(), begin.end() - 1);
  for (std::size_t e = 0; e < pattern.row.size(); ++e) {
    neighbour[next[pattern.row[e]]++] = pattern.column[e];
    neighbour[next[pattern.column[e]]++] = pattern.row[e];
  }
  node_ = minimum_degree_order(begin, neighbour, most_work);
  if (node_.empty()) return false;
  place_.resize(pattern.size);
  for (Index i = 0; i < pattern.size; ++i) place_[node_[i]] = i;
  return true;
}

void SparseCholesky::index_upper(const SymmetricPattern& pattern) {
  upper_begin_.assign(pattern.size + 1, 0);
  const auto column_of = [&](std::size_t e) {
    return std::max(place_[pattern.row[e]], place_[pattern.column[e]]);
  };
  for (std::size_t e = 0; e < pattern.row.size(); ++e) ++upper_begin_[column_of(e) + 1];
  sum_counts(upper_begin_);
  filled_.assign(upper_begin_.begin(), upper_begin_.end() - 1);
  upper_row_.resize(pattern.row.size());
  upper_entry_.resize(pattern.row.size());
  for (std::size_t e = 0; e < pattern.row.size(); ++e) {
    const Offset k = filled_[column_of(e)]++;
    upper_row_[k] = std::min(place_[pattern.row[e]], place_[pattern.column[e]]);
    upper_entry_[k] = static_cast<Offset>(e);
  }
}

// The columns of row k of L are what is met on the ways up the elimination tree from the entries of
// A's column k (Davis, section 4.1).
void SparseCholesky::find_tree_and_counts() {
  const auto n = static_cast<Index>(place_.size());
  parent_.assign(n, -1);
  mark_.assign(n, -1);
  column_begin_.assign(n + 1, 0);
  row_begin_.assign(n + 1, 0);
  for (Index k = 0; k < n; ++k) {
    mark_[k] = k;
    for (Offset e = upper_begin_[k]; e < upper_begin_[k + 1]; ++e)
      for (Index j = upper_row_[e]; mark_[j] != k; j = parent_[j]) {
        if (parent_[j] < 0) parent_[j] = k;
        mark_[j] = k;
        ++column_begin_[j + 1];
        ++row_begin_[k + 1];
      }
  }
  multiplications_ = 0.0;
  for (Index j = 0; j < n; ++j)
    multiplications_ += elimination_work(static_cast<double>(column_begin_[j + 1]));
  sum_counts(column_begin_);
  sum_counts(row_begin_);
}

void SparseCholesky::fill_pattern() {
  const auto n = static_cast<Index>(place_.size());
  row_.resize(column_begin_.back());
  column_.resize(column_begin_.back());
  L_.resize(column_begin_.back());
  std::fill(mark_.begin(), mark_.end(), -1);
  filled_.assign(column_begin_.begin(), column_begin_.end() - 1);
  for (Index k = 0; k < n; ++k) {
    mark_[k] = k;
    for (Offset e = upper_begin_[k]; e < upper_begin_[k + 1]; ++e)
      for (Index j = upper_row_[e]; mark_[j] != k; j = parent_[j]) {
        mark_[j] = k;
        row_[filled_[j]++] = k;
      }
  }
  filled_.assign(row_begin_.begin(), row_begin_.end() - 1);
  for (Index j = 0; j < n; ++j)
    for (Offset e = column_begin_[j]; e < column_begin_[j + 1]; ++e)
      column_[filled_[row_[e]]++] = j;
}

bool SparseCholesky::factor(std::span<const double> diagonal, std::span<const double> entries,
                            const Deadline& deadline) {
  constexpr Index kRowsBetweenLooks = 512;
  std::copy(column_begin_.begin(), column_begin_.end() - 1, filled_.begin());
  for (Index k = 0; k < size(); ++k) {
    if (k % kRowsBetweenLooks == 0 && deadline.passed()) return false;
    for (Offset e = upper_begin_[k]; e < upper_begin_[k + 1]; ++e)
      y_[upper_row_[e]] = entries[upper_entry_[e]];
    const double whole = diagonal[node_[k]];
    double pivot = whole;
    for (Offset r = row_begin_[k]; r < row_begin_[k + 1]; ++r) {
      const Index j = column_[r];
      const double y = y_[j];
      y_[j] = 0.0;
      for (Offset e = column_begin_[j]; e < filled_[j]; ++e) y_[row_[e]] -= L_[e] * y;
      const double l = y * inverse_pivot_[j];
      pivot -= y * l;
      L_[filled_[j]++] = l;
    }
    inverse_pivot_[k] = pivot > kSmallestPivot * whole ? 1.0 / pivot : 0.0;
  }
  return true;
}

void SparseCholesky::solve_lower(std::span<double> x) const {
  for (Index j = 0; j < size(); ++j) {
    const double y = x[j];
    for (Offset e = column_begin_[j]; e < column_begin_[j + 1]; ++e) x[row_[e]] -= L_[e] * y;
  }
}

void SparseCholesky::solve_upper(std::span<double> x) const {
  for (Index j = size() - 1; j >= 0; --j) {
    double y = x[j];
    for (Offset e = column_begin_[j]; e < column_begin_[j + 1]; ++e) y -= L_[e] * x[row_[e]];
    x[j] = y;
  }
}

void SparseCholesky::solve_lower_together(double* x) const {
  for (Index j = 0; j < size(); ++j) {
    const Offset begin = column_begin_[j];
    subtract_multiples(row_.data() + begin, L_.data() + begin, column_begin_[j + 1] - begin, x,
                       x + static_cast<std::ptrdiff_t>(j) * kWidth);
  }
}

}  // namespace vapor
