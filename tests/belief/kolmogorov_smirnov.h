// Do two samples come from one distribution?
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace vapor::test_support {

// The two-sample statistic sup |F - G|, times sqrt(n m / (n + m)): above 1.95 with probability
// 0.1% if the distributions agree (Smirnov, 1948).
inline double kolmogorov_smirnov(std::vector<double> x, std::vector<double> y) {
  std::sort(x.begin(), x.end());
  std::sort(y.begin(), y.end());
  const auto n = static_cast<double>(x.size());
  const auto m = static_cast<double>(y.size());
  double largest = 0.0;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < x.size() && j < y.size()) {
    const double at = std::min(x[i], y[j]);
    while (i < x.size() && x[i] <= at) ++i;
    while (j < y.size() && y[j] <= at) ++j;
    largest = std::max(largest, std::abs(i / n - j / m));
  }
  return largest * std::sqrt(n * m / (n + m));
}

}  // namespace vapor::test_support
