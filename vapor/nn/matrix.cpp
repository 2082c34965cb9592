#include "vapor/nn/matrix.h"

#include <algorithm>

#include "vapor/core/multiversion.h"

namespace vapor::nn {
namespace {

// The inner index runs in pieces, so that what a piece reads of A and B stays in the first cache
// over all blocks. A piece goes on from the sums of the one before.
template <int R, int V>
VAPOR_INLINE void block(const Product<float>& p, Index m, Index n, Index from, Index to) {
  product_block<R, V>(
      p, m, n, from, to,
      [from](const float* c) VAPOR_INLINED { return from == 0 ? FloatVec{} : load(c); },
      [](float* c, FloatVec sum, int, int) VAPOR_INLINED { store(c, sum); });
}

template <int R, int V>
VAPOR_INLINE void column_of_blocks(const Product<float>& p, Index n, Index from, Index to) {
  Index m = 0;
  for (; m + R <= p.rows; m += R) block<R, V>(p, m, n, from, to);
  for (; m < p.rows; ++m) block<1, V>(p, m, n, from, to);
}

}  // namespace

VAPOR_MULTIVERSION
void multiply(const Product<float>& p) {
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
