#include "vapor/solver/pair_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "vapor/core/random.h"

namespace vapor {
namespace {

using Table = std::vector<double>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Table random_table(RandomStream& random, std::size_t size) {
  Table table(size);
  for (double& x : table) x = random.normal();
  return table;
}

// Every length, so that what is left over of the blocks of four is summed too.
TEST(PairKernels, SumsOfAnyLength) {
  RandomStream random(1);
  for (std::size_t size = 0; size <= 21; ++size) {
    const Table a = random_table(random, size);
    const Table b = random_table(random, size);
    double sum = 0.0;
    double products = 0.0;
    double largest = 0.0;
    for (std::size_t i = 0; i < size; ++i) {
      sum += a[i];
      products += a[i] * b[i];
      largest = std::max(largest, std::abs(a[i]));
    }
    EXPECT_NEAR(sum_of(a), sum, 1e-13);
    EXPECT_NEAR(sum_of_products(a, b), products, 1e-13);
    EXPECT_EQ(largest_magnitude(a), largest);
  }
}

TEST(PairKernels, StepsStopAtZero) {
  RandomStream random(2);
  for (std::size_t size = 1; size <= 21; ++size) {
    Table x = random_table(random, size);
    for (double& each : x) each = std::abs(each);
    const Table dx = random_table(random, size);
    double expected = 1.0;
    for (std::size_t i = 0; i < size; ++i)
      if (dx[i] < 0.0) expected = std::min(expected, -x[i] / dx[i]);
    EXPECT_DOUBLE_EQ(step_to_zero(x, dx), expected) << size;
  }
  EXPECT_EQ(step_to_zero(Table{1.0, 2.0}, Table{0.0, 5.0}), 1.0);
  EXPECT_EQ(step_to_zero(Table{1.0, 2.0}, Table{-0.5, 0.0}), 1.0);
  EXPECT_EQ(step_to_zero(Table{1.0, 0.0}, Table{0.0, 0.0}), 1.0);
}

TEST(PairKernels, StepsStopAtABoundIfThereIsOne) {
  RandomStream random(3);
  for (std::size_t size = 1; size <= 21; ++size) {
    const Table x = random_table(random, size);
    const Table dx = random_table(random, size);
    Table bound(size);
    double expected = 1.0;
    for (std::size_t i = 0; i < size; ++i) {
      bound[i] = i % 3 == 0 ? kInfinity : x[i] + random.uniform();
      if (dx[i] > 0.0) expected = std::min(expected, (bound[i] - x[i]) / dx[i]);
    }
    EXPECT_DOUBLE_EQ(step_to_bound(x, dx, bound), expected) << size;
  }
  EXPECT_EQ(step_to_bound(Table{1.0}, Table{1e9}, Table{kInfinity}), 1.0);
}

}  // namespace
}  // namespace vapor
