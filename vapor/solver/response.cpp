#include "vapor/solver/response.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vapor {
namespace {

// One solve with the factor, and what rounding has left of it solved for again.
constexpr LinearTolerance kFactorised{1e-15, 3};
constexpr LinearTolerance kIterated{1e-13, 4000};

double inner(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

void ResponseSystem::reset(const Reduced& reduced, std::vector<std::size_t> rows,
                           std::vector<char> basic, double max_bytes) {
  reduced_ = &reduced;
  rows_ = std::move(rows);
  basic_ = std::move(basic);
  any_basic_ = std::find(basic_.begin(), basic_.end(), 1) != basic_.end();
  equations_.reset(reduced.problem, true, max_bytes);
  const auto pairs = static_cast<std::size_t>(reduced.problem.shape.pairs());
  const auto states = static_cast<std::size_t>(reduced.problem.shape.states());
  for (Table* by_pair : {&theta_, &pair_, &residual_, &direction_, &multiplier_})
    by_pair->assign(pairs, 0.0);
  for (Table* by_state : {&f_, &V_}) by_state->assign(states, 0.0);
  for (Table* by_row : {&k_, &y_}) by_row->assign(rows_.size(), 0.0);
}

void ResponseSystem::charge(std::span<const double> y, std::span<double> pairs) const {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Constraint& row = reduced_->problem.constraints[rows_[i]];
    for (std::size_t t = 0; t < row.pair.size(); ++t)
      pairs[row.pair[t]] -= row.coefficient[t] * y[i];
  }
}

void ResponseSystem::count(std::span<const double> lambda, std::span<double> rows) const {
  for (std::size_t i = 0; i < rows_.size(); ++i)
    rows[i] = used_by(reduced_->problem.constraints[rows_[i]], lambda);
}

bool ResponseSystem::factor(std::span<const double> theta) {
  std::copy(theta.begin(), theta.end(), theta_.begin());
  equations_.factor(theta_);
  return factor_rows();
}

// B = J' theta C', W = inv(M) B, and the Cholesky factor of S = C theta C' - B' W.
bool ResponseSystem::factor_rows() {
  constexpr double kDependent = 1e-11;
  const std::size_t n = rows_.size();
  B_.assign(n, Table(f_.size()));
  W_.assign(n, Table(f_.size()));
  S_.assign(n * n, 0.0);
  Table unit(n, 0.0), size(n);
  for (std::size_t i = 0; i < n; ++i) {
    std::fill(pair_.begin(), pair_.end(), 0.0);
    unit[i] = -1.0;
    charge(unit, pair_);
    unit[i] = 0.0;
    for (std::size_t p = 0; p < pair_.size(); ++p) pair_[p] *= theta_[p];
    flow().apply_transpose(pair_, B_[i]);
    equations_.solve(B_[i], W_[i], equations_.factorised() ? kFactorised : kIterated);
    count(pair_, y_);
    for (std::size_t j = 0; j < n; ++j) S_[i * n + j] = y_[j];
    size[i] = y_[i];
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) S_[i * n + j] -= inner(B_[i], W_[j]);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = 0; k < j; ++k) S_[j * n + j] -= S_[j * n + k] * S_[j * n + k];
    if (!(S_[j * n + j] > kDependent * size[j])) return false;
    S_[j * n + j] = std::sqrt(S_[j * n + j]);
    for (std::size_t i = j + 1; i < n; ++i) {
      for (std::size_t k = 0; k < j; ++k) S_[i * n + j] -= S_[i * n + k] * S_[j * n + k];
      S_[i * n + j] /= S_[j * n + j];
    }
  }
  return true;
}

// M V - B y = f and -B' V + C theta C' y = k.
void ResponseSystem::solve(std::span<const double> f, std::span<const double> k, Table& V,
                           Table& y) {
  equations_.solve(f, V, equations_.factorised() ? kFactorised : kIterated);
  const std::size_t n = rows_.size();
  for (std::size_t i = 0; i < n; ++i) y[i] = k[i] + inner(B_[i], V);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) y[i] -= S_[i * n + j] * y[j];
    y[i] /= S_[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = i + 1; j < n; ++j) y[i] -= S_[j * n + i] * y[j];
    y[i] /= S_[i * n + i];
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t s = 0; s < V.size(); ++s) V[s] += y[i] * W_[i][s];
}

void ResponseSystem::advance(const Table& V, const Table& y, Table& pairs) const {
  flow().apply(V, pairs);
  charge(y, pairs);
}

bool ResponseSystem::respond(const Change& change, Answer& answer) {
  const std::size_t pairs = theta_.size();
  answer.lambda.resize(pairs);
  answer.V.resize(f_.size());
  answer.y.resize(rows_.size());
  for (std::size_t p = 0; p < pairs; ++p) pair_[p] = theta_[p] * change.g[p];
  flow().apply_transpose(pair_, f_);
  count(pair_, k_);
  for (std::size_t s = 0; s < f_.size(); ++s) f_[s] = -change.e[s] - f_[s];
  for (std::size_t i = 0; i < k_.size(); ++i) k_[i] -= change.b[i];
  solve(f_, k_, answer.V, answer.y);
  advance(answer.V, answer.y, residual_);
  for (std::size_t p = 0; p < pairs; ++p) residual_[p] += change.g[p];
  if (any_basic_ && !settle_basic(answer)) return false;
  for (std::size_t p = 0; p < pairs; ++p)
    answer.lambda[p] = theta_[p] * residual_[p] + (basic_[p] ? multiplier_[p] : 0.0);
  return true;
}

// Conjugate gradients on the multipliers of residual = 0, preconditioned by theta: all eigenvalues
// are between 0 and 1, and one of 0 is a tie.
bool ResponseSystem::settle_basic(Answer& answer) {
  constexpr int kIterations = 200;
  constexpr double kSettled = 1e-12;
  constexpr double kTied = 1e-9;
  const std::size_t pairs = theta_.size();
  std::fill(multiplier_.begin(), multiplier_.end(), 0.0);
  double rz = 0.0;
  double size = 0.0;  // of a change of delta
  for (std::size_t p = 0; p < pairs; ++p) {
    direction_[p] = basic_[p] ? theta_[p] * residual_[p] : 0.0;
    rz += direction_[p] * residual_[p];
    size = std::max(size, std::abs(residual_[p]));
  }
  const double target = kSettled * size;
  double largest = size;
  for (int i = 0; largest > target && rz > 0.0; ++i) {
    if (i == kIterations) return false;
    flow().apply_transpose(direction_, f_);
    count(direction_, k_);
    for (double& x : f_) x = -x;
    solve(f_, k_, V_, y_);
    advance(V_, y_, pair_);
    double curvature = 0.0;
    double most = 0.0;
    for (std::size_t p = 0; p < pairs; ++p) {
      if (!basic_[p]) continue;
      curvature -= direction_[p] * pair_[p];
      most += direction_[p] * direction_[p] / theta_[p];
    }
    if (!(curvature > kTied * most)) return false;
    const double step = rz / curvature;
    for (std::size_t s = 0; s < V_.size(); ++s) answer.V[s] += step * V_[s];
    for (std::size_t r = 0; r < y_.size(); ++r) answer.y[r] += step * y_[r];
    double next = 0.0;
    largest = 0.0;
    for (std::size_t p = 0; p < pairs; ++p) {
      multiplier_[p] += step * direction_[p];
      residual_[p] += step * pair_[p];
      if (!basic_[p]) continue;
      next += theta_[p] * residual_[p] * residual_[p];
      largest = std::max(largest, std::abs(residual_[p]));
    }
    const double beta = next / rz;
    rz = next;
    for (std::size_t p = 0; p < pairs; ++p)
      if (basic_[p]) direction_[p] = theta_[p] * residual_[p] + beta * direction_[p];
  }
  return true;
}

}  // namespace vapor
