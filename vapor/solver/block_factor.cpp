#include "vapor/solver/block_factor.h"

#include <algorithm>
#include <cmath>

#include "vapor/core/multiversion.h"
#include "vapor/solver/dense_kernels.h"

namespace vapor {
namespace {

// y += G v for the first columns of G, column stride lda, four at a time.
VAPOR_MULTIVERSION
void add_columns(const double* G, std::ptrdiff_t lda, int rows, int columns, const double* v,
                 double* y) {
  int j = 0;
  for (; j + 4 <= columns; j += 4) {
    const double* a = G + j * lda;
    const double* b = a + lda;
    const double* c = b + lda;
    const double* d = c + lda;
    for (int i = 0; i < rows; ++i)
      y[i] += (v[j] * a[i] + v[j + 1] * b[i]) + (v[j + 2] * c[i] + v[j + 3] * d[i]);
  }
  for (; j < columns; ++j)
    for (int i = 0; i < rows; ++i) y[i] += v[j] * G[i + j * lda];
}

VAPOR_MULTIVERSION
void add_scaled(double x, const double* v, int n, double* y) {
  for (int i = 0; i < n; ++i) y[i] += x * v[i];
}

// y = x v + z w.
VAPOR_MULTIVERSION
void set_two_scaled(double x, const double* v, double z, const double* w, int n, double* y) {
  for (int i = 0; i < n; ++i) y[i] = x * v[i] + z * w[i];
}

// y += x v + z w.
VAPOR_MULTIVERSION
void add_two_scaled(double x, const double* v, double z, const double* w, int n, double* y) {
  for (int i = 0; i < n; ++i) y[i] += x * v[i] + z * w[i];
}

// B (columns x rows) = A' for A (rows x columns), both multiples of kTile.
void transpose(const double* A, std::ptrdiff_t rows, int columns, double* B, std::ptrdiff_t ldb) {
  for (int j = 0; j < columns; j += kTile)
    for (std::ptrdiff_t i = 0; i < rows; ++i)
      for (int k = 0; k < kTile; ++k) B[j + k + i * ldb] = A[i + (j + k) * rows];
}

}  // namespace

double BlockFactor::bytes_needed(const Shape& shape) {
  double bytes = 0.0;
  for (Index l = 0; l < shape.layers(); ++l) {
    const double n = padded(shape.states_of(l).size());
    bytes += 8.0 * n * n;
  }
  const double largest = padded(shape.largest_layer());
  return bytes + 24.0 * largest * largest;
}

double BlockFactor::work(const Shape& shape) {
  constexpr double kDenseRate = 8.0;
  double work = 0.0;
  for (Index l = 0; l < shape.layers(); ++l) work += std::pow(shape.states_of(l).size(), 3);
  return work / kDenseRate;
}

void BlockFactor::reset(const Problem& problem) {
  problem_ = &problem;
  blocks_.clear();
  const Shape& shape = problem.shape;
  std::size_t total = 0;
  std::size_t largest = 0;
  for (Index l = 0; l < shape.layers(); ++l) {
    Block block;
    block.first_state = shape.states_of(l).first();
    block.states = shape.states_of(l).size();
    block.padded = padded(block.states);
    block.G = total;
    for (Index p : shape.pairs_of_layer(l))
      block.has_base = block.has_base || problem.transitions.base_weight[p] > 0.0;
    total += static_cast<std::size_t>(block.padded) * block.padded;
    largest = std::max(largest, static_cast<std::size_t>(block.padded));
    blocks_.push_back(block);
  }
  inverses_.resize(total);
  index_couplings();
  choose_dense_products();
  base_flow_.resize(shape.states());
  base_cross_.resize(shape.states());
  y_.resize(shape.states());
  scale_.resize(largest);
  half_.resize(2 * largest);
  // The recursion of invert_spd needs half a matrix, then a quarter of that, ...: one is plenty.
  work_.resize(largest * largest);
  product_.resize(largest * largest);
  dense_.resize(largest * largest);
}

// Finds the nonzeros of every B_l: the distinct (state, next state) among the sparse transitions.
void BlockFactor::index_couplings() {
  const Shape& shape = problem_->shape;
  const Transitions& P = problem_->transitions;
  coupling_of_.resize(P.next_state.size());
  column_begin_.assign(shape.states() + 1, 0);

  // By rows first: the entry of (s, s') is found again through `seen_`.
  seen_.assign(shape.states(), -1);
  entry_row_.clear();
  entry_column_.clear();
  for (Index s = 0; s < shape.states(); ++s) {
    const auto first = static_cast<Offset>(entry_row_.size());
    const Range pairs = shape.pairs_of(s);
    for (Offset k = P.begin[pairs.first()]; k < P.begin[pairs.last()]; ++k) {
      const Index next = P.next_state[k];
      if (seen_[next] < first) {
        seen_[next] = static_cast<Offset>(entry_row_.size());
        entry_row_.push_back(s);
        entry_column_.push_back(next);
        ++column_begin_[next + 1];
      }
      coupling_of_[k] = seen_[next];
    }
  }
  // Then by columns.
  for (Index s = 0; s < shape.states(); ++s) column_begin_[s + 1] += column_begin_[s];
  std::copy(column_begin_.begin(), column_begin_.end() - 1, seen_.begin());  // next free place
  entry_place_.resize(entry_row_.size());
  row_.resize(entry_row_.size());
  coupling_.resize(entry_row_.size());
  for (std::size_t e = 0; e < entry_row_.size(); ++e) {
    entry_place_[e] = seen_[entry_column_[e]]++;
    row_[entry_place_[e]] = entry_row_[e];
  }
  for (Offset& c : coupling_of_) c = entry_place_[c];
}

// A dense product does about eight times the multiplications a second of a sparse one.
void BlockFactor::choose_dense_products() {
  const Transitions& P = problem_->transitions;
  for (Index l = 0; l + 1 < problem_->shape.layers(); ++l) {
    const Range next = problem_->shape.states_of(l + 1);
    const double nonzeros =
        static_cast<double>(column_begin_[next.last()] - column_begin_[next.first()]);
    const double n = blocks_[l].states;
    const double m = next.size();
    blocks_[l].dense = 8.0 * nonzeros * (n + m) > n * m * (n + m);
    double row_squares = 0.0;
    for (Index p : problem_->shape.pairs_of_layer(l)) {
      const auto row = static_cast<double>(P.begin[p + 1] - P.begin[p]);
      row_squares += row * row;
    }
    blocks_[l].dense_rows = 8.0 * row_squares > problem_->shape.pairs_of_layer(l).size() * m * m;
  }
}

bool BlockFactor::factor(std::span<const double> theta, const Deadline& deadline) {
  const Shape& shape = problem_->shape;
  for (Index l = 0; l < shape.layers(); ++l) {
    if (deadline.passed()) return false;
    const Block& block = blocks_[l];
    double* A = inverses_.data() + block.G;
    if (l == 0) std::fill(A, A + static_cast<std::ptrdiff_t>(block.padded) * block.padded, 0.0);
    for (Index i = 0; i < block.padded; ++i) {
      double* diagonal = A + i + static_cast<std::ptrdiff_t>(i) * block.padded;
      if (i >= block.states) {
        *diagonal = scale_[i] = 1.0;
        continue;
      }
      double outflow = 0.0;
      for (Index p : shape.pairs_of(block.first_state + i)) outflow += theta[p];
      // couple() left -B' G B + P' theta P here, and the second term alone in scale_.
      *diagonal += outflow;
      scale_[i] = outflow + (l > 0 ? scale_[i] : 0.0);
    }
    invert_spd(A, block.padded, block.padded, scale_.data(), work_.data());
    if (l + 1 < shape.layers()) couple(l, theta);
  }
  return true;
}

// Writes P' theta P - B' G B of layer `layer` into the block of the next layer. With
// P = X + w base', B = S + q base' and t = G q it is
//
//   X' theta X - S' G S + c base' + base c' + z base base',
//   c = X' theta w - S' t,  z = w' theta w - q' t.
void BlockFactor::couple(Index layer, std::span<const double> theta) {
  const Block& next = blocks_[layer + 1];
  double* A = inverses_.data() + next.G;
  accumulate_coupling(layer, theta);
  set_rank_one(layer, A, next.padded);
  if (blocks_[layer].dense_rows)
    add_dense_outer_products(layer, theta, A, next.padded);
  else
    add_outer_products(layer, theta, A, next.padded);
  if (blocks_[layer].dense)
    subtract_dense(layer, A, next.padded);
  else
    subtract_sparse(layer, A, next.padded);
}

// One pass over the pairs of the layer: S, q, X' theta w, w' theta w, and in scale_ the diagonal of
// P' theta P.
void BlockFactor::accumulate_coupling(Index layer, std::span<const double> theta) {
  const Shape& shape = problem_->shape;
  const Transitions& P = problem_->transitions;
  const Range next = shape.states_of(layer + 1);
  std::fill(coupling_.begin() + column_begin_[next.first()],
            coupling_.begin() + column_begin_[next.last()], 0.0);
  std::fill(base_cross_.begin() + next.first(), base_cross_.begin() + next.last(), 0.0);
  std::fill(scale_.begin(), scale_.begin() + next.size(), 0.0);
  base_square_ = 0.0;
  for (Index s : shape.states_of(layer)) {
    base_flow_[s] = 0.0;
    for (Index p : shape.pairs_of(s)) {
      const double weight = theta[p] * P.base_weight[p];
      base_flow_[s] += weight;
      base_square_ += weight * P.base_weight[p];
      for (Offset k = P.begin[p]; k < P.begin[p + 1]; ++k) {
        const double x = theta[p] * P.probability[k];
        coupling_[coupling_of_[k]] += x;
        base_cross_[P.next_state[k]] += x * P.base_weight[p];
        scale_[P.next_state[k] - next.first()] += x * P.probability[k];
      }
    }
  }
  for (Index s : next)
    scale_[s - next.first()] += P.base[s] * (2.0 * base_cross_[s] + base_square_ * P.base[s]);
}

// A = c base' + base c' + z base base', or 0 where no pair has a base weight.
void BlockFactor::set_rank_one(Index layer, double* A, int lda) {
  const Block& block = blocks_[layer];
  const Range next = problem_->shape.states_of(layer + 1);
  const double* base = problem_->transitions.base.data() + next.first();
  double* cross = base_cross_.data() + next.first();
  if (!block.has_base) {
    std::fill(A, A + static_cast<std::ptrdiff_t>(lda) * lda, 0.0);
    return;
  }
  const double* q = base_flow_.data() + block.first_state;
  std::fill(half_.begin(), half_.begin() + block.padded, 0.0);
  add_columns(inverses_.data() + block.G, block.padded, block.states, block.states, q,
              half_.data());
  double square = base_square_;
  for (Index i = 0; i < block.states; ++i) square -= q[i] * half_[i];
  for (Index s : next)
    for (Offset e = column_begin_[s]; e < column_begin_[s + 1]; ++e)
      cross[s - next.first()] -= coupling_[e] * half_[row_[e] - block.first_state];
  for (Index j = 0; j < lda; ++j) {
    double* column = A + static_cast<std::ptrdiff_t>(j) * lda;
    const Index filled = j < next.size() ? next.size() : 0;
    if (filled > 0)
      set_two_scaled(cross[j] + square * base[j], base, base[j], cross, filled, column);
    std::fill(column + filled, column + lda, 0.0);
  }
}

// A += X' theta X.
void BlockFactor::add_outer_products(Index layer, std::span<const double> theta, double* A,
                                     int lda) {
  const Transitions& P = problem_->transitions;
  const Index first = problem_->shape.states_of(layer + 1).first();
  for (Index p : problem_->shape.pairs_of_layer(layer)) {
    for (Offset k = P.begin[p]; k < P.begin[p + 1]; ++k) {
      const double x = theta[p] * P.probability[k];
      double* column = A + static_cast<std::ptrdiff_t>(P.next_state[k] - first) * lda;
      for (Offset m = P.begin[p]; m < P.begin[p + 1]; ++m)
        column[P.next_state[m] - first] += x * P.probability[m];
    }
  }
}

// The same as R R', with R = X' sqrt(theta) written out for a few pairs at a time.
void BlockFactor::add_dense_outer_products(Index layer, std::span<const double> theta, double* A,
                                           int lda) {
  const Transitions& P = problem_->transitions;
  const Index first = problem_->shape.states_of(layer + 1).first();
  const Range pairs = problem_->shape.pairs_of_layer(layer);
  double* R = dense_.data();
  for (Index chunk = pairs.first(); chunk < pairs.last(); chunk += lda) {
    const int columns = std::min(lda, pairs.last() - chunk);
    std::fill(R, R + static_cast<std::ptrdiff_t>(lda) * columns, 0.0);
    for (int c = 0; c < columns; ++c) {
      const double root = std::sqrt(theta[chunk + c]);
      double* column = R + static_cast<std::ptrdiff_t>(c) * lda;
      for (Offset k = P.begin[chunk + c]; k < P.begin[chunk + c + 1]; ++k)
        column[P.next_state[k] - first] += root * P.probability[k];
    }
    multiply_symmetric({R, lda, R, lda, 1, lda, columns, lda}, 1.0, 1.0, A, lda);
  }
}

// A -= S' G S for the sparse part S of B: T = G S by columns, transposed, so that both products run
// along columns.
void BlockFactor::subtract_sparse(Index layer, double* A, int lda) {
  const Block& block = blocks_[layer];
  const double* G = inverses_.data() + block.G;
  const Range next = problem_->shape.states_of(layer + 1);
  double* T = product_.data();
  double* Tt = dense_.data();
  for (Index s : next) {
    double* column = T + static_cast<std::ptrdiff_t>(s - next.first()) * block.padded;
    std::fill(column, column + block.padded, 0.0);
    add_columns_of(layer, s, 1.0, G, block.padded, block.padded, column);
  }
  std::fill(T + static_cast<std::ptrdiff_t>(next.size()) * block.padded,
            T + static_cast<std::ptrdiff_t>(lda) * block.padded, 0.0);
  transpose(T, block.padded, lda, Tt, lda);
  for (Index t : next)
    add_columns_of(layer, t, -1.0, Tt, lda, next.size(),
                   A + static_cast<std::ptrdiff_t>(t - next.first()) * lda);
}

// y += sign M S e_s: the columns of M that the entries of column s of S name, two at a time.
void BlockFactor::add_columns_of(Index layer, Index s, double sign, const double* M, int lda,
                                 int rows, double* y) const {
  const Index first = blocks_[layer].first_state;
  const auto column = [&](Offset e) {
    return M + static_cast<std::ptrdiff_t>(row_[e] - first) * lda;
  };
  Offset e = column_begin_[s];
  for (; e + 2 <= column_begin_[s + 1]; e += 2)
    add_two_scaled(sign * coupling_[e], column(e), sign * coupling_[e + 1], column(e + 1), rows, y);
  if (e < column_begin_[s + 1]) add_scaled(sign * coupling_[e], column(e), rows, y);
}

// The same with S' written out as a dense matrix (next states x states).
void BlockFactor::subtract_dense(Index layer, double* A, int lda) {
  const Block& block = blocks_[layer];
  const Range next = problem_->shape.states_of(layer + 1);
  double* St = dense_.data();
  std::fill(St, St + static_cast<std::ptrdiff_t>(lda) * block.padded, 0.0);
  for (Index s : next)
    for (Offset e = column_begin_[s]; e < column_begin_[s + 1]; ++e)
      St[s - next.first() + static_cast<std::ptrdiff_t>(row_[e] - block.first_state) * lda] =
          coupling_[e];
  const double* G = inverses_.data() + block.G;
  multiply({G, block.padded, St, lda, 1, block.padded, block.padded, lda}, 1.0, 0.0,
           product_.data(), block.padded);
  multiply_symmetric({St, lda, product_.data(), 1, block.padded, lda, block.padded, lda}, -1.0, 1.0,
                     A, lda);
}

void BlockFactor::multiply_inverse(const Block& block, std::span<const double> v,
                                   std::span<double> y) const {
  std::fill(y.begin(), y.begin() + block.states, 0.0);
  add_columns(inverses_.data() + block.G, block.padded, block.states, block.states, v.data(),
              y.data());
}

void BlockFactor::apply(std::span<const double> r, std::span<double> z) {
  const Shape& shape = problem_->shape;
  const Transitions& P = problem_->transitions;
  std::copy(r.begin(), r.end(), y_.begin());
  // Forward: y_{l+1} += B' G y_l. G y_l stays in z.
  for (Index l = 0; l < shape.layers(); ++l) {
    const Block& block = blocks_[l];
    std::span<double> Gy = z.subspan(block.first_state, block.states);
    multiply_inverse(block, std::span(y_).subspan(block.first_state, block.states), Gy);
    if (l + 1 == shape.layers()) break;
    double along_base = 0.0;
    for (Index i = 0; i < block.states; ++i)
      along_base += base_flow_[block.first_state + i] * Gy[i];
    for (Index s : shape.states_of(l + 1)) {
      double sum = along_base * P.base[s];
      for (Offset e = column_begin_[s]; e < column_begin_[s + 1]; ++e)
        sum += coupling_[e] * z[row_[e]];
      y_[s] += sum;
    }
  }
  // Backward: z_l = G (y_l + B z_{l+1}) = G y_l + G B z_{l+1}.
  for (Index l = shape.layers() - 2; l >= 0; --l) {
    const Block& block = blocks_[l];
    const double base = base_value(shape, P, l + 1, z);
    for (Index i = 0; i < block.states; ++i) half_[i] = base_flow_[block.first_state + i] * base;
    for (Index s : shape.states_of(l + 1))
      for (Offset e = column_begin_[s]; e < column_begin_[s + 1]; ++e)
        half_[row_[e] - block.first_state] += coupling_[e] * z[s];
    add_columns(inverses_.data() + block.G, block.padded, block.states, block.states, half_.data(),
                z.data() + block.first_state);
  }
}

// As apply(), with the numbers of all right-hand sides for a state as a column of n: the products
// with G become products of matrices, (G Y)' = Y' G.
void BlockFactor::apply_many(int columns, std::span<double> R, std::span<double> Z) {
  const Shape& shape = problem_->shape;
  const Transitions& P = problem_->transitions;
  const auto n = static_cast<std::ptrdiff_t>(columns);
  side_.resize((padded(shape.largest_layer()) + 1) * n);
  double* half = side_.data();
  double* base = half + padded(shape.largest_layer()) * n;
  const auto multiply_inverse_of = [&](const Block& block, const double* Y) {
    multiply(
        {Y, n, inverses_.data() + block.G, 1, block.padded, columns, block.states, block.padded},
        1.0, 0.0, half, n);
  };
  // Forward.
  for (Index l = 0; l < shape.layers(); ++l) {
    const Block& block = blocks_[l];
    multiply_inverse_of(block, R.data() + block.first_state * n);
    std::copy(half, half + block.states * n, Z.data() + block.first_state * n);
    if (l + 1 == shape.layers()) break;
    if (block.has_base) {
      std::fill(base, base + n, 0.0);
      for (Index i = 0; i < block.states; ++i)
        add_scaled(base_flow_[block.first_state + i], half + i * n, columns, base);
    }
    for (Index s : shape.states_of(l + 1)) {
      double* y = R.data() + s * n;
      if (block.has_base) add_scaled(P.base[s], base, columns, y);
      for (Offset e = column_begin_[s]; e < column_begin_[s + 1]; ++e)
        add_scaled(coupling_[e], Z.data() + row_[e] * n, columns, y);
    }
  }
  // Backward; B Z of the next layer takes the place of what R held.
  for (Index l = shape.layers() - 2; l >= 0; --l) {
    const Block& block = blocks_[l];
    const Range next = shape.states_of(l + 1);
    double* BZ = R.data() + block.first_state * n;
    std::fill(BZ, BZ + block.states * n, 0.0);
    if (block.has_base) {
      std::fill(base, base + n, 0.0);
      for (Index s : next) add_scaled(P.base[s], Z.data() + s * n, columns, base);
      for (Index i = 0; i < block.states; ++i)
        add_scaled(base_flow_[block.first_state + i], base, columns, BZ + i * n);
    }
    for (Index s : next)
      for (Offset e = column_begin_[s]; e < column_begin_[s + 1]; ++e)
        add_scaled(coupling_[e], Z.data() + s * n, columns, R.data() + row_[e] * n);
    multiply_inverse_of(block, BZ);
    add_scaled(1.0, half, static_cast<int>(block.states * n), Z.data() + block.first_state * n);
  }
}

}  // namespace vapor
