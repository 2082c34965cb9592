// L D L' = A in an order that keeps L sparse, against what is known of small graphs and a dense
// factorisation.
#include "vapor/solver/sparse_cholesky.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "vapor/core/random.h"
#include "vapor/solver/minimum_degree.h"

namespace vapor {
namespace {

constexpr double kAnyWork = std::numeric_limits<double>::infinity();

SymmetricPattern pattern_of(Index size, const std::set<std::pair<Index, Index>>& edges) {
  SymmetricPattern pattern{.size = size, .row = {}, .column = {}};
  for (const auto& [i, j] : edges) {
    pattern.row.push_back(i);
    pattern.column.push_back(j);
  }
  return pattern;
}

SymmetricPattern random_pattern(RandomStream& random, Index size, int edges) {
  std::set<std::pair<Index, Index>> places;
  for (int e = 0; e < edges; ++e) {
    const auto i = static_cast<Index>(random.uniform() * size);
    const auto j = static_cast<Index>(random.uniform() * size);
    if (i != j) places.insert({std::max(i, j), std::min(i, j)});
  }
  return pattern_of(size, places);
}

// A star eliminated from its centre would be full; from its leaves it has no fill at all.
TEST(SparseCholesky, AStarAndAPathHaveNoFill) {
  std::set<std::pair<Index, Index>> star, path;
  for (Index i = 1; i < 50; ++i) star.insert({i, 0});
  for (Index i = 1; i < 50; ++i) path.insert({i, i - 1});
  for (const auto& edges : {star, path}) {
    SparseCholesky cholesky;
    ASSERT_TRUE(cholesky.analyse(pattern_of(50, edges), kAnyWork));
    EXPECT_EQ(cholesky.nonzeros(), 49);
    EXPECT_EQ(cholesky.multiplications(), 49 * elimination_work(1));
  }
}

// An n x n grid: row by row L has n^3 entries, nested dissection 31/8 n^2 log2 n (George, 1973).
TEST(SparseCholesky, AGridHasFarLessFillThanRowByRow) {
  constexpr Index n = 40;
  std::set<std::pair<Index, Index>> grid;
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      if (i > 0) grid.insert({i * n + j, (i - 1) * n + j});
      if (j > 0) grid.insert({i * n + j, i * n + j - 1});
    }
  SparseCholesky cholesky;
  ASSERT_TRUE(cholesky.analyse(pattern_of(n * n, grid), kAnyWork));
  EXPECT_LT(cholesky.nonzeros(), 7.75 * n * n * std::log2(n) / 2.0);
}

TEST(SparseCholesky, TheOrderIsAPermutationAndItsWorkIsTheFactors) {
  RandomStream random(1);
  for (Index size : {1, 2, 7, 60}) {
    const SymmetricPattern pattern = random_pattern(random, size, 3 * size);
    SparseCholesky cholesky;
    ASSERT_TRUE(cholesky.analyse(pattern, kAnyWork));
    std::set<Index> places;
    for (Index i = 0; i < size; ++i) places.insert(cholesky.place(i));
    EXPECT_EQ(static_cast<Index>(places.size()), size);
    EXPECT_EQ(*places.rbegin(), size - 1);
    const double work = cholesky.multiplications();
    if (work == 0.0) continue;
    EXPECT_FALSE(SparseCholesky().analyse(pattern, work - 0.5));
    EXPECT_TRUE(SparseCholesky().analyse(pattern, 2.0 * work)) << "given up too early";
  }
}

TEST(SparseCholesky, SolvesAsADenseFactorisationDoes) {
  RandomStream random(2);
  SparseCholesky cholesky;  // one for all: it must not remember the last matrix
  for (int i = 0; i < 60; ++i) {
    const auto size = static_cast<Index>(1 + random.uniform() * 40);
    const SymmetricPattern pattern = random_pattern(random, size, i);
    std::vector<double> diagonal(size, 0.5), entries(pattern.row.size());
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(size, size);
    for (std::size_t e = 0; e < entries.size(); ++e) {
      const Index r = pattern.row[e], c = pattern.column[e];
      A(r, c) = A(c, r) = entries[e] = random.normal();
      diagonal[r] += std::abs(entries[e]);
      diagonal[c] += std::abs(entries[e]);
    }
    for (Index d = 0; d < size; ++d) A(d, d) = diagonal[d];
    ASSERT_TRUE(cholesky.analyse(pattern, kAnyWork));
    cholesky.factor(diagonal, entries);
    const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(size, -1.0, 1.0);
    std::vector<double> x(size), many(static_cast<std::size_t>(size) * SparseCholesky::kWidth);
    for (Index d = 0; d < size; ++d) {
      x[cholesky.place(d)] = b(d);
      many[static_cast<std::size_t>(cholesky.place(d)) * SparseCholesky::kWidth + 3] = b(d);
    }
    cholesky.solve_lower(x);
    cholesky.solve_lower_together(many.data());
    for (Index d = 0; d < size; ++d)
      EXPECT_EQ(many[static_cast<std::size_t>(d) * SparseCholesky::kWidth + 3], x[d]);
    for (Index d = 0; d < size; ++d) x[d] *= cholesky.inverse_pivots()[d];
    cholesky.solve_upper(x);
    const Eigen::VectorXd expected = A.ldlt().solve(b);
    for (Index d = 0; d < size; ++d) EXPECT_NEAR(x[cholesky.place(d)], expected(d), 1e-12);
  }
}

}  // namespace
}  // namespace vapor
