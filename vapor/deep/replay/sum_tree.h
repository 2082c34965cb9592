// Weights of n items in a binary tree of sums: changing one weight and drawing an item in
// proportion to its weight both take log n steps.
#pragma once

#include <cstddef>
#include <vector>

#include "vapor/core/archive.h"
#include "vapor/core/index.h"

namespace vapor::deep {

class SumTree {
 public:
  explicit SumTree(Index items);  // all of weight 0

  void set(Index item, double weight);  // finite and >= 0
  double weight(Index item) const { return sums_[leaves_ + item]; }
  double total() const { return sums_[1]; }

  // The item at `point` of [0, total) when the weights are laid end to end. Never one of weight 0,
  // whatever the rounding, as long as the total is positive.
  Index find(double point) const;

  void archive(Archive& archive) { archive(sums_); }

 private:
  std::size_t leaves_;
  std::vector<double> sums_;  // node k has the children 2k and 2k + 1; 1 is the root
};

}  // namespace vapor::deep
