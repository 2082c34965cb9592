#include "vapor/solver/normal_equations.h"

#include <algorithm>
#include <cmath>

namespace vapor {
namespace {

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

double largest(std::span<const double> v) {
  double most = 0.0;
  for (double x : v) most = std::max(most, std::abs(x));
  return most;
}

constexpr int kBetweenLooks = 16;  // at the clock, in iterations

}  // namespace

void NormalEquations::reset(const Problem& problem, bool factorise, double max_bytes) {
  flow_.reset(problem);
  factorised_ = factorise && BlockFactor::bytes_needed(problem.shape) <= max_bytes;
  if (factorised_)
    block_factor_.reset(problem);
  else
    layer_sweep_.reset(problem);
  advantage_.resize(problem.shape.pairs());
  for (auto* v : {&r_, &z_, &d_, &Md_}) v->resize(problem.shape.states());
}

bool NormalEquations::factor(std::span<const double> theta) {
  theta_ = theta;
  if (factorised_) return block_factor_.factor(theta, deadline_);
  layer_sweep_.factor(theta);
  return true;
}

void NormalEquations::precondition(std::span<const double> r, std::span<double> z) {
  if (factorised_)
    block_factor_.apply(r, z);
  else
    layer_sweep_.apply(r, z);
}

void NormalEquations::product(std::span<const double> x, std::span<double> y) {
  flow_.apply(x, advantage_);
  for (std::size_t p = 0; p < advantage_.size(); ++p) advantage_[p] *= theta_[p];
  flow_.apply_transpose(advantage_, y);
}

int NormalEquations::solve(std::span<const double> b, std::span<double> x,
                           const LinearTolerance& tolerance) {
  std::fill(x.begin(), x.end(), 0.0);
  std::copy(b.begin(), b.end(), r_.begin());
  const double target = tolerance.relative * largest(b);
  precondition(r_, d_);
  if (tolerance.max_iterations == 0) std::copy(d_.begin(), d_.end(), x.begin());
  double rz = dot(r_, d_);
  for (int iteration = 1; iteration <= tolerance.max_iterations; ++iteration) {
    product(d_, Md_);
    const double curvature = dot(d_, Md_);
    if (!(curvature > 0.0 && rz > 0.0)) return iteration;
    const double step = rz / curvature;
    for (std::size_t i = 0; i < r_.size(); ++i) {
      x[i] += step * d_[i];
      r_[i] -= step * Md_[i];
    }
    if (largest(r_) <= target) return iteration;
    if (iteration % kBetweenLooks == 0 && deadline_.passed()) return iteration;
    precondition(r_, z_);
    const double rz_next = dot(r_, z_);
    const double beta = rz_next / rz;
    rz = rz_next;
    for (std::size_t i = 0; i < r_.size(); ++i) d_[i] = z_[i] + beta * d_[i];
  }
  return tolerance.max_iterations;
}

}  // namespace vapor
