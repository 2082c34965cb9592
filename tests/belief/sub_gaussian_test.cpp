#include "vapor/belief/sub_gaussian.h"

#include <gtest/gtest.h>

#include <cmath>

namespace vapor {
namespace {

// The smallest v with log E exp(c (X - E X)) <= c^2 v / 2 at every c of a grid, X two-point.
double proxy_on_a_grid(double p, double low, double high) {
  const double mean = p * high + (1.0 - p) * low;
  double largest = 0.0;
  for (double c = -60.0; c <= 60.0; c += 0.01) {
    if (std::abs(c) < 1e-3) continue;
    const double cgf =
        std::log(p * std::exp(c * (high - mean)) + (1.0 - p) * std::exp(c * (low - mean)));
    largest = std::max(largest, 2.0 * cgf / (c * c));
  }
  return largest;
}

TEST(SubGaussian, TheTwoPointProxyIsTheSmallestThatHolds) {
  for (double p : {0.001, 0.1, 0.3, 0.49999, 0.5, 0.7, 0.96})
    EXPECT_NEAR(two_point_variance_proxy(p, -1.0, 1.0), proxy_on_a_grid(p, -1.0, 1.0), 1e-4) << p;
  EXPECT_EQ(two_point_variance_proxy(0.5, -1.0, 3.0), 4.0);
  EXPECT_EQ(two_point_variance_proxy(0.0, -1.0, 3.0), 0.0);
  EXPECT_EQ(two_point_variance_proxy(1.0, -1.0, 3.0), 0.0);
}

// The three branches of the formula meet.
TEST(SubGaussian, TheTwoPointProxyIsContinuous) {
  for (double p : {0.05, 0.5 - 0.5e-4, 0.5 + 0.5e-4, 0.95})
    EXPECT_NEAR(two_point_variance_proxy(p * (1 - 1e-12), 0.0, 1.0),
                two_point_variance_proxy(p * (1 + 1e-12), 0.0, 1.0), 1e-11)
        << p;
}

// Between the variance and the range bound, for every p; symmetric.
TEST(SubGaussian, ProxiesAreOrdered) {
  for (double p = 1e-9; p < 1.0; p += 0.01) {
    const double proxy = two_point_variance_proxy(p, 2.0, 5.0);
    EXPECT_GE(proxy * (1 + 1e-12), 9.0 * p * (1.0 - p));
    EXPECT_LE(proxy, bounded_variance_proxy(2.0, 5.0));
    EXPECT_NEAR(proxy, two_point_variance_proxy(1.0 - p, 2.0, 5.0), 1e-9);
  }
}

// Var Beta(a, b) = a b / ((a + b)^2 (a + b + 1)) <= the proxy, with equality for a = b.
TEST(SubGaussian, TheBetaProxyIsAtLeastTheVariance) {
  EXPECT_DOUBLE_EQ(beta_variance_proxy(3.0, 3.0), 9.0 / 36.0 / 7.0);
  for (double a : {0.1, 1.0, 20.0})
    for (double b : {0.2, 1.0, 7.0})
      EXPECT_GE(beta_variance_proxy(a, b) * (1 + 1e-15),
                a * b / ((a + b) * (a + b) * (a + b + 1.0)));
}

}  // namespace
}  // namespace vapor
