#include "vapor/solver/sparse_factor.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "vapor/core/multiversion.h"

namespace vapor {
namespace {

constexpr int kWidth = SparseCholesky::kWidth;

// C (kWidth x kWidth, by rows) = A' diag(d) B for matrices of n rows of kWidth.
VAPOR_MULTIVERSION
void weighted_product(const double* A, const double* d, const double* B, std::ptrdiff_t n,
                      double* C) {
  double sum[kWidth][kWidth] = {};
  for (std::ptrdiff_t i = 0; i < n; ++i)
    for (int a = 0; a < kWidth; ++a) {
      const double x = A[i * kWidth + a] * d[i];
      for (int b = 0; b < kWidth; ++b) sum[a][b] += x * B[i * kWidth + b];
    }
  for (int a = 0; a < kWidth; ++a) std::copy(sum[a], sum[a] + kWidth, C + a * kWidth);
}

// sum (kWidth) = A' diag(d) x.
VAPOR_MULTIVERSION
void weighted_sums(const double* A, const double* d, const double* x, std::ptrdiff_t n,
                   double* sums) {
  double sum[kWidth] = {};
  for (std::ptrdiff_t i = 0; i < n; ++i)
    for (int a = 0; a < kWidth; ++a) sum[a] += d[i] * x[i] * A[i * kWidth + a];
  std::copy(sum, sum + kWidth, sums);
}

// y -= A x.
VAPOR_MULTIVERSION
void subtract_combination(const double* A, const double* x, std::ptrdiff_t n, double* y) {
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    double sum = 0.0;
    for (int a = 0; a < kWidth; ++a) sum += A[i * kWidth + a] * x[a];
    y[i] -= sum;
  }
}

// Of two next states of a pair, a pair on the mean: beyond, the problem is not sparse.
constexpr double kMostProducts = 16.0;

std::size_t whole_blocks(std::size_t columns) { return (columns + kWidth - 1) / kWidth; }

}  // namespace

bool SparseFactor::reset(const Problem& problem, double most_work, double max_bytes) {
  problem_ = &problem;
  choose_borders();
  if (border_work(0.0) > most_work) return false;
  if (!same_pattern(problem) && !analyse(most_work)) return false;
  if (cholesky_.multiplications() + border_work(static_cast<double>(cholesky_.nonzeros())) >
          most_work ||
      bytes_needed() > max_bytes)
    return false;
  diagonal_.resize(pattern_.size);
  entries_.resize(pattern_.row.size());
  t_.resize(pattern_.size);
  F_.resize(whole_blocks(columns_) * kWidth * pattern_.size);
  K_.resize(columns_ * columns_);
  pivot_.resize(columns_);
  small_.resize(whole_blocks(columns_) * kWidth);
  return true;
}

bool SparseFactor::analyse(double most_work) {
  const Shape& shape = problem_->shape;
  const Transitions& P = problem_->transitions;
  analysed_ = false;
  double products = 0.0;
  for (Index p = 0; p < shape.pairs(); ++p) {
    const auto row = static_cast<double>(P.begin[p + 1] - P.begin[p]);
    products += 0.5 * row * (row - 1.0);
  }
  if (products > kMostProducts * shape.pairs() && std::isfinite(most_work)) return false;
  index_entries();
  if (!cholesky_.analyse(pattern_, most_work)) return false;
  begin_ = P.begin;
  next_state_ = P.next_state;
  first_pair_.clear();
  for (Index s = 0; s < shape.states(); ++s) first_pair_.push_back(shape.pairs_of(s).first());
  first_pair_.push_back(shape.pairs());
  analysed_ = true;
  return true;
}

bool SparseFactor::same_pattern(const Problem& problem) const {
  const Shape& shape = problem.shape;
  if (!analysed_ || first_pair_.size() != static_cast<std::size_t>(shape.states()) + 1 ||
      begin_ != problem.transitions.begin || next_state_ != problem.transitions.next_state)
    return false;
  for (Index s = 0; s < shape.states(); ++s)
    if (first_pair_[s] != shape.pairs_of(s).first()) return false;
  return true;
}

// The entries of N beside its diagonal: a state and what may follow it, and two states that may
// follow one pair. Both are listed by the smaller state first, so that the same place is met again
// while its column is at hand.
void SparseFactor::index_entries() {
  const Shape& shape = problem_->shape;
  const Transitions& P = problem_->transitions;
  struct Spot {
    Index row;
    Offset* entry;
  };
  std::vector<Offset> column_begin(shape.states() + 1, 0);
  std::size_t products = 0;
  const auto each_product = [&](const auto& visit) {
    for (Index p = 0; p < shape.pairs(); ++p)
      for (Offset k = P.begin[p]; k < P.begin[p + 1]; ++k)
        for (Offset m = P.begin[p]; m < k; ++m)
          visit(std::min(P.next_state[k], P.next_state[m]),
                std::max(P.next_state[k], P.next_state[m]));
  };
  const auto each_transition = [&](const auto& visit) {
    for (Index s = 0; s < shape.states(); ++s) {
      const Range pairs = shape.pairs_of(s);
      for (Offset k = P.begin[pairs.first()]; k < P.begin[pairs.last()]; ++k)
        visit(std::min(s, P.next_state[k]), std::max(s, P.next_state[k]), k);
    }
  };
  each_transition([&](Index column, Index, Offset) { ++column_begin[column + 1]; });
  each_product([&](Index column, Index) {
    ++column_begin[column + 1];
    ++products;
  });
  for (Index s = 0; s < shape.states(); ++s) column_begin[s + 1] += column_begin[s];
  transition_entry_.resize(P.next_state.size());
  product_entry_.resize(products);
  std::vector<Spot> places(column_begin.back());
  std::vector<Offset> filled(column_begin.begin(), column_begin.end() - 1);
  each_transition([&](Index column, Index row, Offset k) {
    places[filled[column]++] = {row, &transition_entry_[k]};
  });
  auto product = product_entry_.begin();
  each_product([&](Index column, Index row) { places[filled[column]++] = {row, &*product++}; });

  pattern_.size = shape.states();
  pattern_.row.clear();
  pattern_.column.clear();
  std::vector<Offset> seen(shape.states(), -1);
  for (Index column = 0; column < shape.states(); ++column) {
    const auto first = static_cast<Offset>(pattern_.row.size());
    for (Offset i = column_begin[column]; i < column_begin[column + 1]; ++i) {
      const auto [row, entry] = places[i];
      if (row == column) {  // a next state listed twice, or the state itself: the diagonal
        *entry = -1;
        continue;
      }
      if (seen[row] < first) {
        seen[row] = static_cast<Offset>(pattern_.row.size());
        pattern_.row.push_back(row);
        pattern_.column.push_back(column);
      }
      *entry = seen[row];
    }
  }
}

void SparseFactor::choose_borders() {
  const Shape& shape = problem_->shape;
  const std::vector<double>& weight = problem_->transitions.base_weight;
  based_.clear();
  for (Index l = 0; l < shape.layers(); ++l) {
    const Range pairs = shape.pairs_of_layer(l);
    if (std::any_of(weight.begin() + pairs.first(), weight.begin() + pairs.last(),
                    [](double w) { return w > 0.0; }))
      based_.push_back(l);
  }
  columns_ = 2 * based_.size();
}

double SparseFactor::border_work(double nonzeros) const {
  const auto columns = static_cast<double>(columns_);
  return columns * (nonzeros + 0.5 * columns * problem_->shape.states() + columns * columns / 3.0) /
         kWidth;
}

double SparseFactor::bytes_needed() const {
  const auto n = static_cast<double>(pattern_.size);
  return 16.0 * static_cast<double>(cholesky_.nonzeros()) +
         8.0 * static_cast<double>(columns_) * (n + static_cast<double>(columns_));
}

bool SparseFactor::factor(std::span<const double> theta, const Deadline& deadline) {
  assemble(theta);
  if (!cholesky_.factor(diagonal_, entries_, deadline)) return false;
  if (columns_ == 0) return true;
  set_borders(theta);
  const std::size_t block = static_cast<std::size_t>(kWidth) * pattern_.size;
  for (std::size_t b = 0; b < whole_blocks(columns_); ++b) {
    if (deadline.passed()) return false;
    cholesky_.solve_lower_together(F_.data() + b * block);
  }
  factor_borders();
  return true;
}

// N = X' theta X.
void SparseFactor::assemble(std::span<const double> theta) {
  const Shape& shape = problem_->shape;
  const Transitions& P = problem_->transitions;
  std::fill(diagonal_.begin(), diagonal_.end(), 0.0);
  std::fill(entries_.begin(), entries_.end(), 0.0);
  auto product = product_entry_.begin();
  for (Index s = 0; s < shape.states(); ++s)
    for (Index p : shape.pairs_of(s)) {
      diagonal_[s] += theta[p];
      for (Offset k = P.begin[p]; k < P.begin[p + 1]; ++k) {
        const double x = theta[p] * P.probability[k];
        const Offset place = transition_entry_[k];
        (place < 0 ? diagonal_[s] : entries_[place]) -= place < 0 ? 2.0 * x : x;
        diagonal_[P.next_state[k]] += x * P.probability[k];
        for (Offset m = P.begin[p]; m < k; ++m) {
          const Offset entry = *product++;
          (entry < 0 ? diagonal_[P.next_state[k]] : entries_[entry]) +=
              (entry < 0 ? 2.0 : 1.0) * x * P.probability[m];
        }
      }
    }
}

double& SparseFactor::border(Index state, std::size_t column) {
  const auto place = static_cast<std::size_t>(cholesky_.place(state));
  return F_[(column / kWidth * pattern_.size + place) * kWidth + column % kWidth];
}

// F = U in the order of elimination, and in K_ what C^-1 is.
void SparseFactor::set_borders(std::span<const double> theta) {
  const Shape& shape = problem_->shape;
  const Transitions& P = problem_->transitions;
  std::fill(F_.begin(), F_.end(), 0.0);
  std::fill(K_.begin(), K_.end(), 0.0);
  for (std::size_t i = 0; i < based_.size(); ++i) {
    const std::size_t other = based_.size() + i;
    double square = 0.0;
    for (Index s : shape.states_of(based_[i]))
      for (Index p : shape.pairs_of(s)) {
        const double x = theta[p] * P.base_weight[p];
        square += x * P.base_weight[p];
        border(s, i) -= x;
        for (Offset k = P.begin[p]; k < P.begin[p + 1]; ++k)
          border(P.next_state[k], i) += x * P.probability[k];
      }
    for (Index s : problem_->next_states_of(based_[i])) border(s, other) = P.base[s];
    K_[i + i * columns_] = -square;
    K_[i + other * columns_] = K_[other + i * columns_] = 1.0;
  }
}

// K = C^-1 + F' D^-1 F, factorised by Gaussian elimination with partial pivoting.
void SparseFactor::factor_borders() {
  const std::size_t block = static_cast<std::size_t>(kWidth) * pattern_.size;
  double tile[kWidth * kWidth];
  for (std::size_t a = 0; a < columns_; a += kWidth)
    for (std::size_t b = 0; b <= a; b += kWidth) {
      weighted_product(F_.data() + a / kWidth * block, cholesky_.inverse_pivots().data(),
                       F_.data() + b / kWidth * block, pattern_.size, tile);
      for (std::size_t i = a; i < std::min(a + kWidth, columns_); ++i)
        for (std::size_t j = b; j < std::min(b + kWidth, columns_); ++j) {
          const double x = tile[(i - a) * kWidth + (j - b)];
          K_[i + j * columns_] += x;
          if (a != b) K_[j + i * columns_] += x;
        }
    }
  for (std::size_t k = 0; k < columns_; ++k) {
    std::size_t largest = k;
    for (std::size_t i = k + 1; i < columns_; ++i)
      if (std::abs(K_[i + k * columns_]) > std::abs(K_[largest + k * columns_])) largest = i;
    pivot_[k] = static_cast<Index>(largest);
    for (std::size_t j = 0; j < columns_; ++j)
      std::swap(K_[k + j * columns_], K_[largest + j * columns_]);
    const double inverse = K_[k + k * columns_] != 0.0 ? 1.0 / K_[k + k * columns_] : 0.0;
    for (std::size_t i = k + 1; i < columns_; ++i) K_[i + k * columns_] *= inverse;
    for (std::size_t j = k + 1; j < columns_; ++j) {
      const double x = K_[k + j * columns_];
      for (std::size_t i = k + 1; i < columns_; ++i)
        K_[i + j * columns_] -= K_[i + k * columns_] * x;
    }
    K_[k + k * columns_] = inverse;
  }
}

void SparseFactor::solve_borders(std::span<double> x) const {
  for (std::size_t k = 0; k < columns_; ++k) std::swap(x[k], x[pivot_[k]]);
  for (std::size_t k = 0; k < columns_; ++k)
    for (std::size_t i = k + 1; i < columns_; ++i) x[i] -= K_[i + k * columns_] * x[k];
  for (std::size_t k = columns_; k-- > 0;) {
    x[k] *= K_[k + k * columns_];
    for (std::size_t i = 0; i < k; ++i) x[i] -= K_[i + k * columns_] * x[k];
  }
}

void SparseFactor::apply(std::span<const double> r, std::span<double> z) {
  const std::span<const double> inverse_pivot = cholesky_.inverse_pivots();
  const std::size_t block = static_cast<std::size_t>(kWidth) * pattern_.size;
  for (Index s = 0; s < pattern_.size; ++s) t_[cholesky_.place(s)] = r[s];
  cholesky_.solve_lower(t_);
  for (std::size_t b = 0; b < whole_blocks(columns_); ++b)
    weighted_sums(F_.data() + b * block, inverse_pivot.data(), t_.data(), pattern_.size,
                  small_.data() + b * kWidth);
  solve_borders(std::span(small_).first(columns_));
  for (std::size_t b = 0; b < whole_blocks(columns_); ++b)
    subtract_combination(F_.data() + b * block, small_.data() + b * kWidth, pattern_.size,
                         t_.data());
  for (std::size_t i = 0; i < t_.size(); ++i) t_[i] *= inverse_pivot[i];
  cholesky_.solve_upper(t_);
  for (Index s = 0; s < pattern_.size; ++s) z[s] = t_[cholesky_.place(s)];
}

}  // namespace vapor
