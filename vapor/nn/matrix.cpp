#include "vapor/nn/matrix.h"

#include <algorithm>

#include "vapor/core/multiversion.h"
#include "vapor/nn/float_simd.h"

namespace vapor::nn {
namespace {

// A block of C, R rows by 8 V columns, in registers while the inner index runs. The inner index
// runs in pieces, so that what a piece reads of A and B stays in the first cache over all blocks.
template <int R, int V>
VAPOR_INLINE void block(const Product& p, Index m, Index n, Index from, Index to) {
  const float* A = p.A + m * p.row_step;
  float* C = p.C + m * p.C_stride + n;
  FloatVec sum[R][V];
  for (int r = 0; r < R; ++r)
    for (int v = 0; v < V; ++v)
      sum[r][v] = from == 0 ? FloatVec{} : load(C + r * p.C_stride + kLanes * v);
  for (Index k = from; k < to; ++k) {
    const float* B = p.B + k * p.B_stride + n;
    FloatVec b[V];
    for (int v = 0; v < V; ++v) b[v] = load(B + kLanes * v);
    for (int r = 0; r < R; ++r) {
      const float a = A[r * p.row_step + k * p.inner_step];
      for (int v = 0; v < V; ++v) sum[r][v] += a * b[v];
    }
  }
  for (int r = 0; r < R; ++r)
    for (int v = 0; v < V; ++v) store(C + r * p.C_stride + kLanes * v, sum[r][v]);
}

template <int R, int V>
VAPOR_INLINE void column_of_blocks(const Product& p, Index n, Index from, Index to) {
  Index m = 0;
  for (; m + R <= p.rows; m += R) block<R, V>(p, m, n, from, to);
  for (; m < p.rows; ++m) block<1, V>(p, m, n, from, to);
}

}  // namespace

VAPOR_MULTIVERSION
void multiply(const Product& p) {
  constexpr Index kPiece = 256;
  for (Index from = 0; from < p.inner; from += kPiece) {
    const Index to = std::min(from + kPiece, p.inner);
    Index n = 0;
    for (; n + 3 * kLanes <= p.columns; n += 3 * kLanes) column_of_blocks<4, 3>(p, n, from, to);
    if (n + 2 * kLanes <= p.columns) {
      column_of_blocks<6, 2>(p, n, from, to);
      n += 2 * kLanes;
    }
    if (n < p.columns) column_of_blocks<8, 1>(p, n, from, to);
  }
}

VAPOR_MULTIVERSION
void rectify(const float* x, float* y, Index n) {
  for (Index j = 0; j < n; j += kLanes) store(y + j, larger(load(x + j), FloatVec{}));
}

VAPOR_MULTIVERSION
void rectify_gradient(const float* y, float* d, Index n) {
  for (Index j = 0; j < n; j += kLanes)
    store(d + j, load(y + j) > FloatVec{} ? load(d + j) : FloatVec{});
}

}  // namespace vapor::nn
