#include "vapor/solver/sparse_cholesky.h"

#include <algorithm>
#include <utility>

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

constexpr int kColumns = 4;  // that are taken together

// product (kColumns vectors) += column weight'.
VAPOR_MULTIVERSION
void add_products(const double* const* column, const double (*weight)[kColumns], Offset length,
                  double* product) {
  const double *a = column[0], *b = column[1], *c = column[2], *d = column[3];
  double *w = product, *x = product + length, *y = product + 2 * length, *z = product + 3 * length;
  for (Offset r = 0; r < length; ++r) {
    w[r] += weight[0][0] * a[r] + weight[0][1] * b[r] + weight[0][2] * c[r] + weight[0][3] * d[r];
    x[r] += weight[1][0] * a[r] + weight[1][1] * b[r] + weight[1][2] * c[r] + weight[1][3] * d[r];
    y[r] += weight[2][0] * a[r] + weight[2][1] * b[r] + weight[2][2] * c[r] + weight[2][3] * d[r];
    z[r] += weight[3][0] * a[r] + weight[3][1] * b[r] + weight[3][2] * c[r] + weight[3][3] * d[r];
  }
}

// to -= column weight'.
VAPOR_MULTIVERSION
void subtract_columns(const double* const* column, const double* weight, Offset length,
                      double* to) {
  const double *a = column[0], *b = column[1], *c = column[2], *d = column[3];
  for (Offset r = 0; r < length; ++r)
    to[r] -= weight[0] * a[r] + weight[1] * b[r] + weight[2] * c[r] + weight[3] * d[r];
}

}  // namespace

bool SparseCholesky::analyse(const SymmetricPattern& pattern, double most_work) {
  if (!order(pattern, most_work)) return false;
  index_upper(pattern);
  find_tree_and_counts();
  postorder();
  index_upper(pattern);
  find_tree_and_counts();
  fill_pattern();
  index_lower();
  find_supernodes();
  pivot_.resize(pattern.size);
  inverse_pivot_.resize(pattern.size);
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

// The same entries by the smaller of their two places: A below its diagonal, by columns.
void SparseCholesky::index_lower() {
  const auto n = static_cast<Index>(place_.size());
  lower_begin_.assign(n + 1, 0);
  for (Index row : upper_row_) ++lower_begin_[row + 1];
  sum_counts(lower_begin_);
  filled_.assign(lower_begin_.begin(), lower_begin_.end() - 1);
  lower_row_.resize(upper_row_.size());
  lower_entry_.resize(upper_row_.size());
  for (Index k = 0; k < n; ++k)
    for (Offset e = upper_begin_[k]; e < upper_begin_[k + 1]; ++e) {
      const Offset at = filled_[upper_row_[e]]++;
      lower_row_[at] = k;
      lower_entry_[at] = upper_entry_[e];
    }
}

// The columns of row k of L are what is met on the ways up the elimination tree from the entries of
// A's column k (Davis, section 4.1).
void SparseCholesky::find_tree_and_counts() {
  const auto n = static_cast<Index>(place_.size());
  parent_.assign(n, -1);
  mark_.assign(n, -1);
  column_begin_.assign(n + 1, 0);
  for (Index k = 0; k < n; ++k) {
    mark_[k] = k;
    for (Offset e = upper_begin_[k]; e < upper_begin_[k + 1]; ++e)
      for (Index j = upper_row_[e]; mark_[j] != k; j = parent_[j]) {
        if (parent_[j] < 0) parent_[j] = k;
        mark_[j] = k;
        ++column_begin_[j + 1];
      }
  }
  multiplications_ = 0.0;
  for (Index j = 0; j < n; ++j)
    multiplications_ += elimination_work(static_cast<double>(column_begin_[j + 1]));
  sum_counts(column_begin_);
}

// Renumbers the places so that each subtree of the elimination tree stands together, which changes
// nothing else.
void SparseCholesky::postorder() {
  const auto n = static_cast<Index>(place_.size());
  std::vector<Index> head(n, -1), next(n, -1), stack, order;
  for (Index j = n; j-- > 0;)
    if (parent_[j] >= 0) {
      next[j] = head[parent_[j]];
      head[parent_[j]] = j;
    }
  for (Index root = 0; root < n; ++root) {
    if (parent_[root] >= 0) continue;
    stack.push_back(root);
    while (!stack.empty()) {
      const Index j = stack.back();
      if (const Index child = head[j]; child >= 0) {
        head[j] = next[child];
        stack.push_back(child);
      } else {
        order.push_back(j);
        stack.pop_back();
      }
    }
  }
  std::vector<Index> node(n);
  for (Index i = 0; i < n; ++i) node[i] = node_[order[i]];
  node_ = std::move(node);
  for (Index i = 0; i < n; ++i) place_[node_[i]] = i;
}

void SparseCholesky::fill_pattern() {
  const auto n = static_cast<Index>(place_.size());
  row_.resize(column_begin_.back());
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
}

// A column and its parent belong together if the parent is next and has the same rows otherwise.
void SparseCholesky::find_supernodes() {
  constexpr Index kWidest = 256;  // a panel of so many columns is large enough
  const auto n = static_cast<Index>(place_.size());
  const auto rows = [&](Index j) { return column_begin_[j + 1] - column_begin_[j]; };
  first_.clear();
  supernode_.resize(n);
  for (Index j = 0; j < n; ++j) {
    const bool joins =
        j > 0 && parent_[j - 1] == j && rows(j - 1) == rows(j) + 1 && j - first_.back() < kWidest;
    if (!joins) first_.push_back(j);
    supernode_[j] = static_cast<Index>(first_.size()) - 1;
  }
  const auto count = static_cast<Index>(first_.size());
  first_.push_back(n);
  Offset panel = 0;
  Offset product = 0;
  for (Index s = 0; s < count; ++s) {
    panel = std::max(panel, width_of(s) * (rows_of(s) + 1));
    product = std::max(product, rows_of(s) + 1);
  }
  panel_.resize(panel);
  product_.resize(kColumns * product);
  next_row_.resize(count);
  head_.resize(count);
  next_.resize(count);
  place_in_panel_.resize(n);
}

void SparseCholesky::assemble_panel(Index supernode, std::span<const double> diagonal,
                                    std::span<const double> entries) {
  const Index first = first_[supernode];
  const Index width = width_of(supernode);
  const Offset rows = rows_of(supernode);
  const Offset height = rows + 1;
  place_in_panel_[first] = 0;
  for (Offset r = 0; r < rows; ++r) place_in_panel_[row_[column_begin_[first] + r]] = r + 1;
  std::fill_n(panel_.begin(), width * height, 0.0);
  for (Index c = 0; c < width; ++c) panel_[c * height + c] = diagonal[node_[first + c]];
  // A is stored by rows of its lower half: those that the columns of the supernode are in.
  for (Index c = 0; c < width; ++c)
    for (Offset e = lower_begin_[first + c]; e < lower_begin_[first + c + 1]; ++e)
      panel_[c * height + place_in_panel_[lower_row_[e]]] = entries[lower_entry_[e]];
}

// What an earlier supernode takes from the panel: the products of its rows among the panel's
// columns with all of its rows from there on.
void SparseCholesky::subtract_from_panel(Index supernode, Index by) {
  const Index first = first_[supernode];
  const Offset height = rows_of(supernode) + 1;
  const Index from = first_[by];
  const Index width = width_of(by);
  const Index* rows = row_.data() + column_begin_[from];
  const Offset count = rows_of(by);
  const Offset begin = next_row_[by];
  Offset end = begin;
  while (end < count && rows[end] < first_[supernode + 1]) ++end;
  for (Offset c = begin; c < end; c += kColumns) {
    const auto columns = static_cast<int>(std::min<Offset>(kColumns, end - c));
    const Offset length = count - c;
    std::fill_n(product_.begin(), kColumns * length, 0.0);
    for (Index k = 0; k < width; k += kColumns) {
      const double* column[kColumns];
      double weight[kColumns][kColumns] = {};
      for (int i = 0; i < kColumns; ++i) {
        const Index of = std::min(k + i, width - 1);
        column[i] = L_.data() + column_begin_[from + of] + (c - of);
        for (int j = 0; j < columns && k + i < width; ++j)
          weight[j][i] = column[i][j] * pivot_[from + of];
      }
      add_products(column, weight, length, product_.data());
    }
    for (int j = 0; j < columns; ++j) {
      double* to = panel_.data() + (rows[c + j] - first) * height;
      const double* product = product_.data() + j * length;
      for (Offset r = j; r < length; ++r) to[place_in_panel_[rows[c + r]]] -= product[r];
    }
  }
  next_row_[by] = end;
}

// L and D of the columns of a supernode, from its panel.
void SparseCholesky::factor_panel(Index supernode, std::span<const double> diagonal) {
  const Index first = first_[supernode];
  const Index width = width_of(supernode);
  const Offset height = rows_of(supernode) + 1;
  for (Index c = 0; c < width; ++c) {
    double* column = panel_.data() + c * height;
    for (Index k = 0; k < c; k += kColumns) {
      const double* before[kColumns];
      double weight[kColumns] = {};
      for (int i = 0; i < kColumns; ++i) {
        const Index of = std::min(k + i, c - 1);
        before[i] = panel_.data() + of * height + c;
        if (k + i < c) weight[i] = before[i][0] * pivot_[first + of];
      }
      subtract_columns(before, weight, height - c, column + c);
    }
    const double pivot = column[c];
    pivot_[first + c] = pivot;
    const double inverse = pivot > kSmallestPivot * diagonal[node_[first + c]] ? 1.0 / pivot : 0.0;
    inverse_pivot_[first + c] = inverse;
    double* L = L_.data() + column_begin_[first + c];
    for (Offset r = c + 1; r < height; ++r) L[r - c - 1] = column[r] *= inverse;
  }
}

bool SparseCholesky::factor(std::span<const double> diagonal, std::span<const double> entries,
                            const Deadline& deadline) {
  constexpr Index kBetweenLooks = 64;
  const auto count = static_cast<Index>(head_.size());
  std::fill(head_.begin(), head_.end(), -1);
  for (Index s = 0; s < count; ++s) {
    if (s % kBetweenLooks == 0 && deadline.passed()) return false;
    assemble_panel(s, diagonal, entries);
    for (Index by = head_[s]; by >= 0;) {
      const Index following = next_[by];
      subtract_from_panel(s, by);
      list_by_next_row(by);
      by = following;
    }
    factor_panel(s, diagonal);
    next_row_[s] = width_of(s) - 1;
    list_by_next_row(s);
  }
  return true;
}

void SparseCholesky::list_by_next_row(Index supernode) {
  if (next_row_[supernode] == rows_of(supernode)) return;
  const Index row = row_[column_begin_[first_[supernode]] + next_row_[supernode]];
  next_[supernode] = head_[supernode_[row]];
  head_[supernode_[row]] = supernode;
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
