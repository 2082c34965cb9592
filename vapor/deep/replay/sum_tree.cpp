#include "vapor/deep/replay/sum_tree.h"

#include <bit>
#include <limits>

#include "vapor/core/check.h"

namespace vapor::deep {

SumTree::SumTree(Index items)
    : leaves_(std::bit_ceil(static_cast<std::size_t>(items))), sums_(2 * leaves_, 0.0) {
  VAPOR_CHECK_GE(items, 1);
}

void SumTree::set(Index item, double weight) {
  VAPOR_CHECK_GE(weight, 0.0);
  VAPOR_CHECK_LE(weight, std::numeric_limits<double>::max());
  std::size_t node = leaves_ + item;
  sums_[node] = weight;
  // Each sum is made anew from its two parts, so errors do not add up over many changes.
  for (node /= 2; node >= 1; node /= 2) sums_[node] = sums_[2 * node] + sums_[2 * node + 1];
}

Index SumTree::find(double point) const {
  VAPOR_CHECK_GT(total(), 0.0);
  std::size_t node = 1;
  while (node < leaves_) {
    node *= 2;
    const bool right = point >= sums_[node] && sums_[node + 1] > 0.0;
    if (!right && sums_[node] > 0.0) continue;
    point -= sums_[node];
    ++node;
  }
  return static_cast<Index>(node - leaves_);
}

}  // namespace vapor::deep
