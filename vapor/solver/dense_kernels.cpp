#include "vapor/solver/dense_kernels.h"

#include "vapor/core/matrix_product.h"
#include "vapor/core/multiversion.h"

namespace vapor {
namespace {

// One block of C, four columns by V vectors of rows; with Mirrored its transpose is written too, on
// the other side of the diagonal (a tile on it is its own). Columns of C are the rows of C'.
template <int V, bool Mirrored>
VAPOR_INLINE void block(const Product<double>& p, int i, int j, double alpha, double beta) {
  product_block<kTile, V>(
      p, j, i, 0, p.inner, [](const double*) VAPOR_INLINED { return Vec{}; },
      [&](double* c, Vec sum, int column, int v) VAPOR_INLINED {
        const Vec value = beta == 0.0 ? alpha * sum : beta * load(c) + alpha * sum;
        store(c, value);
        const int row = i + kTile * v;
        if (Mirrored && row != j)
          for (int k = 0; k < kTile; ++k) p.C[j + column + (row + k) * p.C_stride] = value[k];
      });
}

// The rows first, first + 4, ... of four columns.
template <bool Mirrored>
VAPOR_INLINE void column_of_blocks(const Product<double>& p, int first, int j, double alpha,
                                   double beta) {
  int i = first;
  for (; i + 12 <= p.columns; i += 12) block<3, Mirrored>(p, i, j, alpha, beta);
  if (i + 8 <= p.columns) {
    block<2, Mirrored>(p, i, j, alpha, beta);
    i += 8;
  }
  if (i < p.columns) block<1, Mirrored>(p, i, j, alpha, beta);
}

// C' = B' A'.
VAPOR_INLINE Product<double> transposed(const Factors& f, double* C, std::ptrdiff_t ldc) {
  return {f.B, f.column_stride, f.row_stride, f.A, f.lda, C, ldc, f.columns, f.inner, f.rows};
}

// Gauss-Jordan on one tile; a pivot at or below 1e-15 of its scale gives a zero row and column.
void invert_tile(double* A, std::ptrdiff_t lda, const double* scale) {
  constexpr double kSmallestPivot = 1e-15;
  for (int k = 0; k < kTile; ++k) {
    const double pivot = A[k + k * lda];
    const double d = pivot > kSmallestPivot * scale[k] && pivot > 0.0 ? 1.0 / pivot : 0.0;
    double column[kTile];
    for (int i = 0; i < kTile; ++i) column[i] = A[i + k * lda];
    for (int j = 0; j < kTile; ++j) {
      const double ratio = column[j] * d;
      for (int i = 0; i < kTile; ++i)
        if (i != k && j != k) A[i + j * lda] -= column[i] * ratio;
    }
    for (int i = 0; i < kTile; ++i) {
      if (i == k) continue;
      // Rows eliminated before k carry the opposite sign; symmetric bookkeeping of the sweep.
      A[i + k * lda] = A[k + i * lda] = column[i] * d;
    }
    A[k + k * lda] = -d;
  }
  for (int j = 0; j < kTile; ++j)
    for (int i = 0; i < kTile; ++i) A[i + j * lda] = -A[i + j * lda];
}

}  // namespace

VAPOR_MULTIVERSION
void multiply(const Factors& f, double alpha, double beta, double* C, std::ptrdiff_t ldc) {
  const Product<double> p = transposed(f, C, ldc);
  for (int j = 0; j < f.columns; j += kTile) column_of_blocks<false>(p, 0, j, alpha, beta);
}

VAPOR_MULTIVERSION
void multiply_symmetric(const Factors& f, double alpha, double beta, double* C,
                        std::ptrdiff_t ldc) {
  const Product<double> p = transposed(f, C, ldc);
  for (int j = 0; j < f.columns; j += kTile) column_of_blocks<true>(p, j, j, alpha, beta);
}

// With A = [A11 A12; A21 A22], G1 = inv(A11), T = G1 A12, G2 = inv(A22 - A21 T) and U = T G2:
// inv(A) = [G1 + U T', -U; -U', G2]. Half of n^3 multiplications, all of them in the two products.
void invert_spd(double* A, int n, std::ptrdiff_t lda, const double* scale, double* work) {
  if (n == kTile) return invert_tile(A, lda, scale);
  const int n1 = padded(n / 2);
  const int n2 = n - n1;
  double* A21 = A + n1;
  double* A12 = A + n1 * lda;
  double* A22 = A12 + n1;
  double* T = work;  // n1 x n2
  double* U = A12;   // takes the place of A12 once T is known
  double* rest = work + n1 * n2;

  invert_spd(A, n1, lda, scale, rest);
  multiply({A, lda, A12, 1, lda, n1, n1, n2}, 1.0, 0.0, T, n1);
  multiply_symmetric({A21, lda, T, 1, n1, n2, n1, n2}, -1.0, 1.0, A22, lda);
  invert_spd(A22, n2, lda, scale + n1, rest);
  multiply({T, n1, A22, 1, lda, n1, n2, n2}, -1.0, 0.0, U, lda);
  multiply_symmetric({U, lda, T, n1, 1, n1, n2, n1}, -1.0, 1.0, A, lda);
  for (int j = 0; j < n2; ++j)
    for (int i = 0; i < n1; ++i) A21[j + i * lda] = U[i + j * lda];
}

}  // namespace vapor
