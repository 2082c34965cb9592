// The dense kernels of the block factorisation: C += alpha A B, and the inverse of a symmetric
// positive definite matrix. Matrices are column-major with a size padded to a multiple of kTile, so
// no kernel has a ragged edge; nothing allocates; each is compiled for AVX2 and for the baseline
// and chosen when the program starts.
#pragma once

#include <cstddef>

namespace vapor {

inline constexpr int kTile = 4;
inline constexpr int padded(int n) { return (n + kTile - 1) / kTile * kTile; }

// A (rows x inner) with column stride lda; B (inner x columns) with element (k, j) at
// B[k * row_stride + j * column_stride], so that a transpose is a swap of the strides.
struct Factors {
  const double* A;
  std::ptrdiff_t lda;
  const double* B;
  std::ptrdiff_t row_stride;
  std::ptrdiff_t column_stride;
  int rows, inner, columns;
};

// C = beta C + alpha A B, with C in columns of stride ldc.
void multiply(const Factors& f, double alpha, double beta, double* C, std::ptrdiff_t ldc);

// The same where the result is known to be symmetric: half of the work.
void multiply_symmetric(const Factors& f, double alpha, double beta, double* C, std::ptrdiff_t ldc);

// Replaces the symmetric positive definite A (n x n, both triangles, n a multiple of kTile) by its
// inverse. `scale` holds n reference magnitudes: a pivot that is not above 1e-15 of its scale is
// taken for infinite, so its row and column of the inverse are 0. `work` has n * n doubles.
void invert_spd(double* A, int n, std::ptrdiff_t lda, const double* scale, double* work);

}  // namespace vapor
