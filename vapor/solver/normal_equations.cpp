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
  kind_ = factorise ? choose(problem, max_bytes) : Kind::kSweep;
  if (kind_ == Kind::kBlocks) block_factor_.reset(problem);
  if (kind_ == Kind::kDense) dense_factor_.reset(problem);
  if (kind_ == Kind::kSweep) layer_sweep_.reset(problem);
  advantage_.resize(problem.shape.pairs());
  for (auto* v : {&r_, &z_, &d_, &Md_}) v->resize(problem.shape.states());
}

// The factorisation that is less work, of those that fit. Only where blocks are a lot of work is it
// worth analysing what a sparse one would be.
NormalEquations::Kind NormalEquations::choose(const Problem& problem, double max_bytes) {
  if (problem.stationary()) return choose_stationary(problem, max_bytes);
  constexpr double kWorthAnalysing = 1e6;
  constexpr double kClearlyLess = 0.5;
  const double work = BlockFactor::work(problem.shape);
  if (work > kWorthAnalysing && sparse_factor_.reset(problem, kClearlyLess * work, max_bytes))
    return Kind::kSparse;
  return BlockFactor::bytes_needed(problem.shape) <= max_bytes ? Kind::kBlocks : Kind::kSweep;
}

// One block. Beyond so much work conjugate gradients without a factor are the better bet.
NormalEquations::Kind NormalEquations::choose_stationary(const Problem& problem, double max_bytes) {
  constexpr double kWorthAnalysing = 1e6;
  constexpr double kMostWork = 2e10;
  constexpr double kOfDense = 0.1;  // the dense kernels are so much faster
  const double dense = DenseFactor::work(problem.shape);
  const bool dense_fits =
      dense <= kMostWork && DenseFactor::bytes_needed(problem.shape) <= max_bytes;
  if (dense_fits && dense <= kWorthAnalysing) return Kind::kDense;
  if (sparse_factor_.reset(problem, dense_fits ? kOfDense * dense : kMostWork, max_bytes))
    return Kind::kSparse;
  return dense_fits ? Kind::kDense : Kind::kSweep;
}

bool NormalEquations::factor(std::span<const double> theta) {
  theta_ = theta;
  switch (kind_) {
    case Kind::kBlocks:
      return block_factor_.factor(theta, deadline_);
    case Kind::kSparse:
      return sparse_factor_.factor(theta, deadline_);
    case Kind::kDense:
      return dense_factor_.factor(theta, deadline_);
    case Kind::kSweep:
      layer_sweep_.factor(theta);
  }
  return true;
}

void NormalEquations::precondition(std::span<const double> r, std::span<double> z) {
  switch (kind_) {
    case Kind::kBlocks:
      return block_factor_.apply(r, z);
    case Kind::kSparse:
      return sparse_factor_.apply(r, z);
    case Kind::kDense:
      return dense_factor_.apply(r, z);
    case Kind::kSweep:
      return layer_sweep_.apply(r, z);
  }
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

int NormalEquations::solve_many(int columns, std::span<double> B, std::span<double> X,
                                const LinearTolerance& tolerance) {
  if (tolerance.max_iterations == 0 && kind_ == Kind::kBlocks) {
    block_factor_.apply_many(columns, B, X);
    return 0;
  }
  const auto n = static_cast<std::size_t>(columns);
  column_.resize(r_.size());
  answer_.resize(r_.size());
  int iterations = 0;
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t s = 0; s < r_.size(); ++s) column_[s] = B[s * n + j];
    const bool any = largest(column_) > 0.0;
    std::fill(answer_.begin(), answer_.end(), 0.0);
    if (any) iterations += solve(column_, answer_, tolerance);
    for (std::size_t s = 0; s < r_.size(); ++s) X[s * n + j] = answer_[s];
  }
  return iterations;
}

}  // namespace vapor
