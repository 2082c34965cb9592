#include "vapor/belief/dirichlet_average.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "vapor/core/check.h"

namespace vapor {
namespace {

constexpr double kSmallShape = 0.1;
constexpr double kNegligible = 0x1.0p-53;

// Uniform below n, unbiased (Lemire, 2019), from the upper half of `bits`; a division only once in
// 2^32 / n draws.
Index index_below(Index n, std::uint64_t bits, RandomStream& random) {
  const auto range = static_cast<std::uint32_t>(n);
  std::uint64_t product = (bits >> 32) * range;
  if (static_cast<std::uint32_t>(product) < range) {
    const std::uint32_t ragged = (0u - range) % range;
    while (static_cast<std::uint32_t>(product) < ragged) product = (random.bits() >> 32) * range;
  }
  return static_cast<Index>(product >> 32);
}

// Draws X ~ Beta(b, 1 + a): proposed from Beta(b, 1), accepted with probability (1 - X)^a, which
// is almost 1 for a small a.
class RemainingPart {
 public:
  explicit RemainingPart(double a) : a_(a), squeeze_(std::exp(-3.0 * a) - 0x1.0p-32) {}

  // The lower half of `bits` decides nearly all draws.
  double operator()(double b, std::uint64_t bits, RandomStream& random) const {
    while (true) {
      const double x = std::exp(std::log(1.0 - random.uniform()) / b);
      const double u = static_cast<double>(bits & 0xffffffffu) * 0x1.0p-32;
      if (x < 0.95 && u < squeeze_) return x;  // (1 - x)^a > exp(-3 a) for these x
      if (u + 0x1.0p-32 * random.uniform() < std::pow(1.0 - x, a_)) return x;
      bits = random.bits();
    }
  }

 private:
  double a_;
  double squeeze_;
};

}  // namespace

double DirichletAverage::symmetric(double mass, std::span<const double> V, double weight,
                                   RandomStream& random) {
  VAPOR_CHECK_GT(V.size(), 0u);
  if (V.size() == 1) return weight * V[0];
  const double shape = mass / static_cast<double>(V.size());
  if (shape < kSmallShape) {
    double sum = 0.0;
    size_biased(shape, static_cast<Index>(V.size()), weight, random,
                [&](Index state, double piece) { sum += piece * V[state]; });
    return sum;
  }
  // A draw of such a shape is above 1e-160, so the total cannot underflow.
  double total = 0.0;
  double sum = 0.0;
  for (double v : V) {
    const double g = random.gamma(shape);
    total += g;
    sum += g * v;
  }
  return weight * (sum / total);
}

// Hands each piece to take(state, piece), the largest first on the whole.
template <typename Take>
void DirichletAverage::size_biased(double shape, Index n, double weight, RandomStream& random,
                                   const Take& take) {
  if (static_cast<Index>(indices_.size()) < n) {
    indices_.resize(n);
    std::iota(indices_.begin(), indices_.end(), 0);
    remaining_.resize(n);
  }
  std::copy_n(indices_.begin(), n, remaining_.begin());
  const RemainingPart remaining_part(shape);
  double left = weight;
  for (Index count = n; count > 1 && left > kNegligible; --count) {
    const std::uint64_t bits = random.bits();
    const Index at = index_below(count, bits, random);
    const Index state = remaining_[at];
    remaining_[at] = remaining_[count - 1];
    const double x = remaining_part(shape * (count - 1), bits, random);
    take(state, left * (1.0 - x));
    left *= x;
  }
  take(remaining_[0], left);
}

void DirichletAverage::symmetric_row(double mass, Index n, double weight, RandomStream& random,
                                     std::vector<WeightedState>& row) {
  VAPOR_CHECK_GT(n, 0);
  const double shape = mass / n;
  if (n == 1) {
    row.push_back({0, weight});
  } else if (shape < kSmallShape) {
    size_biased(shape, n, weight, random,
                [&](Index state, double piece) { row.push_back({state, piece}); });
  } else {
    const std::size_t first = row.size();
    double total = 0.0;
    for (Index state = 0; state < n; ++state) {
      row.push_back({state, random.gamma(shape)});
      total += row.back().weight;
    }
    for (std::size_t k = first; k < row.size(); ++k) row[k].weight *= weight / total;
  }
}

void DirichletAverage::counted_row(double repeat, std::span<const double> counts,
                                   std::span<const Index> states, double weight,
                                   RandomStream& random, std::vector<WeightedState>& row) {
  double mass = 0.0;
  for (double count : counts) mass += repeat * count;
  double left = weight;
  for (std::size_t k = 0; k + 1 < counts.size(); ++k) {
    const double shape = repeat * counts[k];
    mass = std::max(mass - shape, repeat);
    const double piece = left * random.beta(shape, mass);
    row.push_back({states[k], piece});
    left -= piece;
  }
  row.push_back({states[counts.size() - 1], left});
}

double DirichletAverage::counted(double repeat, std::span<const double> counts,
                                 std::span<const Index> states, std::span<const double> V,
                                 RandomStream& random) {
  VAPOR_CHECK_GT(counts.size(), 0u);
  if (counts.size() == 1) return V[states[0]];
  if (repeat >= kSmallShape) {  // a count is at least 1, so the shapes are as large
    double total = 0.0;
    double sum = 0.0;
    for (std::size_t k = 0; k < counts.size(); ++k) {
      const double g = random.gamma(repeat * counts[k]);
      total += g;
      sum += g * V[states[k]];
    }
    return sum / total;
  }
  double mass = 0.0;
  for (double count : counts) mass += repeat * count;
  double left = 1.0;
  double sum = 0.0;
  for (std::size_t k = 0; k + 1 < counts.size(); ++k) {
    const double shape = repeat * counts[k];
    mass = std::max(mass - shape, repeat);
    const double piece = left * random.beta(shape, mass);
    sum += piece * V[states[k]];
    left -= piece;
  }
  return sum + left * V[states[counts.size() - 1]];
}

}  // namespace vapor
