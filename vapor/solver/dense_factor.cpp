#include "vapor/solver/dense_factor.h"

#include <algorithm>
#include <cmath>

#include "vapor/solver/dense_kernels.h"

namespace vapor {
namespace {

constexpr int kPairs = 64;  // rows of Y that are multiplied at a time, a multiple of kTile

}  // namespace

double DenseFactor::work(const Shape& shape) {
  const double n = shape.states();
  return 0.5 * n * n * shape.pairs() + n * n * n;
}

double DenseFactor::bytes_needed(const Shape& shape) {
  const double n = padded(shape.states());
  return sizeof(double) * (2.0 * n * n + (kPairs + 2.0) * n);
}

void DenseFactor::reset(const Problem& problem) {
  problem_ = &problem;
  n_ = padded(problem.shape.states());
  const auto n = static_cast<std::size_t>(n_);
  Y_.resize(kPairs * n);
  M_.resize(n * n);
  work_.resize(n * n);
  scale_.resize(n);
  r_.resize(n);
}

// weight times the row of J.
void DenseFactor::set_row(Index state, Index pair, double weight, double* row) const {
  const Transitions& P = problem_->transitions;
  const double base = weight * P.base_weight[pair];
  for (Index s = 0; s < problem_->shape.states(); ++s) row[s] = base * P.base[s];
  for (Offset k = P.begin[pair]; k < P.begin[pair + 1]; ++k)
    row[P.next_state[k]] += weight * P.probability[k];
  row[state] -= weight;
}

bool DenseFactor::factor(std::span<const double> theta, const Deadline& deadline) {
  const Shape& shape = problem_->shape;
  const auto n = static_cast<std::size_t>(n_);
  std::fill(M_.begin(), M_.end(), 0.0);
  int rows = 0;
  const auto add = [&] {
    std::fill(Y_.begin() + static_cast<std::ptrdiff_t>(rows * n), Y_.end(), 0.0);
    // Y is stored by rows: as columns it is its own transpose.
    multiply_symmetric({Y_.data(), n_, Y_.data(), n_, 1, n_, kPairs, n_}, 1.0, 1.0, M_.data(), n_);
    rows = 0;
  };
  std::fill(Y_.begin(), Y_.end(), 0.0);
  for (Index s = 0; s < shape.states(); ++s)
    for (Index p : shape.pairs_of(s)) {
      set_row(s, p, std::sqrt(theta[p]), Y_.data() + rows * n);
      if (++rows == kPairs) add();
      if (rows == 0 && deadline.passed()) return false;
    }
  if (rows > 0) add();
  for (std::size_t i = 0; i < n; ++i) {
    double& diagonal = M_[i * (n + 1)];
    if (i >= static_cast<std::size_t>(shape.states())) diagonal = 1.0;
    scale_[i] = diagonal;
  }
  invert_spd(M_.data(), n_, n_, scale_.data(), work_.data());
  return !deadline.passed();
}

void DenseFactor::apply(std::span<const double> r, std::span<double> z) {
  const auto n = static_cast<std::size_t>(n_);
  std::fill(r_.begin(), r_.end(), 0.0);
  for (std::size_t j = 0; j < r.size(); ++j)
    for (std::size_t i = 0; i < r.size(); ++i) r_[i] += M_[j * n + i] * r[j];
  std::copy_n(r_.begin(), z.size(), z.begin());
}

}  // namespace vapor
