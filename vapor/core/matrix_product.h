// The matrix product of the solver's factorisation (doubles) and of the networks (floats): a block
// of C = A B in registers. Whoever multiplies chooses the blocks and the order they come in, which
// is what the two differ in.
#pragma once

#include <cstddef>

#include "vapor/core/index.h"
#include "vapor/core/simd.h"

namespace vapor {

template <typename T>
inline constexpr Index kLanesOf = 32 / sizeof(T);

// A is rows x inner with its element (m, k) at A[m * row_step + k * inner_step], so that a
// transpose is a swap of the steps; B is inner x columns and C rows x columns, in rows of whole
// vectors. Where matrices are kept by columns, C' = B' A' is the same product.
template <typename T>
struct Product {
  const T* A;
  std::ptrdiff_t row_step;
  std::ptrdiff_t inner_step;
  const T* B;
  std::ptrdiff_t B_stride;
  T* C;
  std::ptrdiff_t C_stride;
  Index rows;
  Index inner;
  Index columns;  // a multiple of kLanesOf<T>
};

// The R rows from m on by the V vectors of columns from n on, over the inner indices from, ..., to
// - 1. The sum of vector v of row r begins as start(c) and goes to finish(c, sum, r, v), where c
// points to its place in C.
template <int R, int V, typename T, typename Start, typename Finish>
VAPOR_INLINE void product_block(const Product<T>& p, Index m, Index n, Index from, Index to,
                                Start start, Finish finish) {
  using Vector = decltype(load(p.B));
  const T* A = p.A + m * p.row_step;
  T* C = p.C + m * p.C_stride + n;
  Vector sum[R][V];
  for (int r = 0; r < R; ++r)
    for (int v = 0; v < V; ++v) sum[r][v] = start(C + r * p.C_stride + kLanesOf<T> * v);
  for (Index k = from; k < to; ++k) {
    const T* B = p.B + k * p.B_stride + n;
    Vector b[V];
    for (int v = 0; v < V; ++v) b[v] = load(B + kLanesOf<T> * v);
    for (int r = 0; r < R; ++r) {
      const T a = A[r * p.row_step + k * p.inner_step];
      for (int v = 0; v < V; ++v) sum[r][v] += a * b[v];
    }
  }
  for (int r = 0; r < R; ++r)
    for (int v = 0; v < V; ++v) finish(C + r * p.C_stride + kLanesOf<T> * v, sum[r][v], r, v);
}

}  // namespace vapor
