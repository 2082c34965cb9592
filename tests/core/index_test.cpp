#include "vapor/core/index.h"

#include <gtest/gtest.h>

#include <vector>

namespace vapor {
namespace {

std::vector<Index> listed(Range range) {
  std::vector<Index> indices;
  for (Index i : range) indices.push_back(i);
  return indices;
}

TEST(Range, VisitsFirstToLastExclusive) {
  EXPECT_EQ(listed({3, 6}), (std::vector<Index>{3, 4, 5}));
  EXPECT_EQ(Range(3, 6).first(), 3);
  EXPECT_EQ(Range(3, 6).last(), 6);
  EXPECT_EQ(Range(3, 6).size(), 3);
}

TEST(Range, MayBeEmpty) {
  EXPECT_TRUE(listed({4, 4}).empty());
  EXPECT_EQ(Range(4, 4).size(), 0);
}

TEST(Range, IsUsableInConstantExpressions) {
  constexpr auto sum = [](Range range) {
    Index total = 0;
    for (Index i : range) total += i;
    return total;
  };
  static_assert(sum({1, 5}) == 10);
}

}  // namespace
}  // namespace vapor
