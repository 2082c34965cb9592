#include "vapor/solver/dense_kernels.h"

#include "vapor/core/multiversion.h"
#include "vapor/core/simd.h"

namespace vapor {
namespace {

// One block of C, 4 * Rows by 4, kept in registers while the inner index runs; with Mirrored its
// transpose is written too, on the other side of the diagonal (a tile on it is its own).
template <int Rows, bool Mirrored>
VAPOR_INLINE void block(const Factors& f, int i, int j, double alpha, double beta, double* C,
                        std::ptrdiff_t ldc) {
  const double* A = f.A + i;
  const double* B = f.B + j * f.column_stride;
  Vec sum[Rows][kTile] = {};
  for (int k = 0; k < f.inner; ++k) {
    Vec a[Rows];
    for (int r = 0; r < Rows; ++r) a[r] = load(A + k * f.lda + 4 * r);
    for (int c = 0; c < kTile; ++c) {
      const double b = B[k * f.row_stride + c * f.column_stride];
      for (int r = 0; r < Rows; ++r) sum[r][c] += a[r] * b;
    }
  }
  for (int c = 0; c < kTile; ++c) {
    for (int r = 0; r < Rows; ++r) {
      double* target = C + i + 4 * r + (j + c) * ldc;
      const Vec value = beta == 0.0 ? alpha * sum[r][c] : beta * load(target) + alpha * sum[r][c];
      store(target, value);
      if (Mirrored && i + 4 * r != j)
        for (int k = 0; k < kTile; ++k) C[j + c + (i + 4 * r + k) * ldc] = value[k];
    }
  }
}

// The rows first, first + 4, ... of four columns.
template <bool Mirrored>
VAPOR_INLINE void column_of_blocks(const Factors& f, int first, int j, double alpha, double beta,
                                   double* C, std::ptrdiff_t ldc) {
  int i = first;
  for (; i + 12 <= f.rows; i += 12) block<3, Mirrored>(f, i, j, alpha, beta, C, ldc);
  if (i + 8 <= f.rows) {
    block<2, Mirrored>(f, i, j, alpha, beta, C, ldc);
    i += 8;
  }
  if (i < f.rows) block<1, Mirrored>(f, i, j, alpha, beta, C, ldc);
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
  for (int j = 0; j < f.columns; j += kTile) column_of_blocks<false>(f, 0, j, alpha, beta, C, ldc);
}

VAPOR_MULTIVERSION
void multiply_symmetric(const Factors& f, double alpha, double beta, double* C,
                        std::ptrdiff_t ldc) {
  for (int j = 0; j < f.columns; j += kTile) column_of_blocks<true>(f, j, j, alpha, beta, C, ldc);
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
