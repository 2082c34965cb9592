#include "vapor/solver/constraint_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "vapor/core/multiversion.h"
#include "vapor/solver/dense_kernels.h"
#include "vapor/solver/pair_kernels.h"

namespace vapor {
namespace {

// Sums of a few thousand products of doubles are right to this.
constexpr double kSumRounding = 1e-14;

// y += x v.
VAPOR_MULTIVERSION
void add_row(double x, const double* v, std::size_t n, double* y) {
  for (std::size_t i = 0; i < n; ++i) y[i] += x * v[i];
}

double power_of_two_below(double x) {
  int exponent = 0;
  std::frexp(x, &exponent);
  return std::ldexp(1.0, exponent - 1);
}

}  // namespace

void ConstraintRows::reset(const Reduced& reduced, Limits limits) {
  reduced_ = &reduced;
  limits_ = limits;
  const std::vector<Constraint>& constraints = reduced.problem.constraints;
  rows_ = constraints.size();
  side_.clear();
  if (rows_ == 0) return;
  padded_ = static_cast<std::size_t>(padded(static_cast<int>(rows_)));
  const auto pairs = static_cast<std::size_t>(reduced.problem.shape.pairs());
  const auto states = static_cast<std::size_t>(reduced.problem.shape.states());
  C_.assign(pairs * padded_, 0.0);
  counts_.assign(pairs, 0);
  for (Table* t : {&bound_, &scale_, &residual_}) t->assign(rows_, 0.0);
  y_.assign(padded_, 0.0);
  equality_.assign(rows_, 0);
  for (std::size_t i = 0; i < rows_; ++i) {
    const Constraint& c = constraints[i];
    const double largest = largest_magnitude(c.coefficient);
    scale_[i] = (c.sense == Sense::kAtLeast ? -1.0 : 1.0) /
                (largest > 0.0 ? power_of_two_below(largest) : 1.0);
    bound_[i] = scale_[i] * c.bound;
    for (std::size_t t = 0; t < c.pair.size(); ++t) {
      C_[static_cast<std::size_t>(c.pair[t]) * padded_ + i] = scale_[i] * c.coefficient[t];
      counts_[c.pair[t]] = 1;
    }
    equality_[i] = c.sense == Sense::kEqual;
    const bool unit = limits == Limits::kUnit;
    if (!equality_[i] || unit) side_.push_back({i, 1.0, equality_[i] ? -1.0 : 0.0});
    if (unit) side_.push_back({i, -1.0, 1.0});
  }
  for (Table* t : {&slack_, &z_, &centring_}) t->assign(side_.size(), 0.0);
  for (Table* t : {&B_, &W_}) t->assign(states * padded_, 0.0);
  taken_.resize(padded_);
  for (Table* t : {&S_, &work_}) t->assign(padded_ * padded_, 0.0);
  pivot_scale_.resize(padded_);
}

double ConstraintRows::used(std::size_t row, std::span<const double> occupancy,
                            double* size) const {
  double sum = 0.0;
  double magnitude = std::abs(bound_[row]);
  for (std::size_t p = 0; p < occupancy.size(); ++p) {
    if (!counts_[p]) continue;
    const double term = C_[p * padded_ + row] * occupancy[p];
    sum += term;
    magnitude += std::abs(term);
  }
  if (size != nullptr) *size = magnitude;
  return sum;
}

void ConstraintRows::start(std::span<const double> lambda, double mu) {
  constexpr double kSmallestSlack = 1e-2;  // of the size of the row
  for (std::size_t i = 0; i < rows_; ++i) y_[i] = 0.0;
  for (std::size_t j = 0; j < side_.size(); ++j) {
    const auto [row, sign, limit] = side_[j];
    double size = 0.0;
    const double room = sign * (bound_[row] - used(row, lambda, &size));
    const double least = kSmallestSlack * (size > 0.0 ? size : 1.0);
    slack_[j] = std::max(room, least);
    if (limits_ == Limits::kUnit) {
      // Both slacks of a row: their difference is the room.
      slack_[j] += least;
      y_[row] = equality_[row] ? 0.0 : 0.5;
      z_[j] = sign * (y_[row] - limit);
    } else {
      z_[j] = y_[row] = std::max(mu, 1e-12) / slack_[j];
    }
  }
}

void ConstraintRows::charge(std::span<const double> y, std::span<double> pairs) const {
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    if (!counts_[p]) continue;
    const double* c = C_.data() + p * padded_;
    double sum = 0.0;
    for (std::size_t i = 0; i < rows_; ++i) sum += c[i] * y[i];
    pairs[p] -= sum;
  }
}

void ConstraintRows::evaluate(std::span<const double> lambda) {
  std::fill(taken_.begin(), taken_.end(), 0.0);
  for (std::size_t p = 0; p < lambda.size(); ++p)
    if (counts_[p]) add_row(lambda[p], C_.data() + p * padded_, padded_, taken_.data());
  for (std::size_t i = 0; i < rows_; ++i) residual_[i] = taken_[i] - bound_[i];
  for (std::size_t j = 0; j < side_.size(); ++j)
    residual_[side_[j].row] += side_[j].sign * slack_[j];
}

double ConstraintRows::complementarity() const {
  double sum = 0.0;
  for (std::size_t j = 0; j < side_.size(); ++j) sum += slack_[j] * z_[j];
  return sum;
}

// B = J' theta C'.
void ConstraintRows::set_border(std::span<const double> theta) {
  const Problem& problem = reduced_->problem;
  const Shape& shape = problem.shape;
  const Transitions& P = problem.transitions;
  std::fill(B_.begin(), B_.end(), 0.0);
  for (Index l = 0; l < shape.layers(); ++l) {
    std::fill(taken_.begin(), taken_.end(), 0.0);
    bool to_base = false;
    for (Index s : shape.states_of(l)) {
      for (Index p : shape.pairs_of(s)) {
        if (!counts_[p]) continue;
        const double* c = C_.data() + static_cast<std::size_t>(p) * padded_;
        add_row(-theta[p], c, padded_, B_.data() + static_cast<std::size_t>(s) * padded_);
        for (Offset k = P.begin[p]; k < P.begin[p + 1]; ++k)
          add_row(theta[p] * P.probability[k], c, padded_,
                  B_.data() + static_cast<std::size_t>(P.next_state[k]) * padded_);
        if (P.base_weight[p] == 0.0) continue;
        add_row(theta[p] * P.base_weight[p], c, padded_, taken_.data());
        to_base = true;
      }
    }
    if (!to_base) continue;
    for (Index s : shape.states_of(l + 1))
      add_row(P.base[s], taken_.data(), padded_, B_.data() + static_cast<std::size_t>(s) * padded_);
  }
}

// C theta C' + D, and its diagonal as what a pivot is compared with.
void ConstraintRows::set_small_system(std::span<const double> theta) {
  std::fill(S_.begin(), S_.end(), 0.0);
  for (std::size_t p = 0; p < theta.size(); ++p) {
    if (!counts_[p]) continue;
    const double* c = C_.data() + p * padded_;
    for (std::size_t i = 0; i < rows_; ++i)
      if (c[i] != 0.0) add_row(theta[p] * c[i], c, padded_, S_.data() + i * padded_);
  }
  for (std::size_t j = 0; j < side_.size(); ++j)
    S_[side_[j].row * (padded_ + 1)] += slack_[j] / z_[j];
  for (std::size_t i = 0; i < padded_; ++i) {
    if (i >= rows_ || S_[i * (padded_ + 1)] == 0.0) S_[i * (padded_ + 1)] = 1.0;
    pivot_scale_[i] = S_[i * (padded_ + 1)];
  }
}

int ConstraintRows::factor(NormalEquations& equations, std::span<const double> theta,
                           const LinearTolerance& tolerance) {
  set_border(theta);
  set_small_system(theta);
  work_.assign(B_.begin(), B_.end());  // solve_many overwrites it
  const int iterations = equations.solve_many(static_cast<int>(padded_), work_, W_, tolerance);
  // S -= B' W, both triangles alike.
  const std::size_t states = B_.size() / padded_;
  for (std::size_t s = 0; s < states; ++s) {
    const double* b = B_.data() + s * padded_;
    const double* w = W_.data() + s * padded_;
    for (std::size_t i = 0; i < rows_; ++i)
      if (b[i] != 0.0) add_row(-b[i], w, rows_, S_.data() + i * padded_);
  }
  for (std::size_t i = 0; i < rows_; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      double& a = S_[i * padded_ + j];
      double& b = S_[j * padded_ + i];
      a = b = 0.5 * (a + b);
    }
  work_.resize(std::max(work_.size(), padded_ * padded_));
  invert_spd(S_.data(), static_cast<int>(padded_), static_cast<std::ptrdiff_t>(padded_),
             pivot_scale_.data(), work_.data());
  return iterations;
}

// With x = inv(M) r1, which dV holds: S dy = r2 + B' x and dV = x + W dy, where
// r2 = residual + sum +-centring / z + C theta g.
void ConstraintRows::solve(std::span<const double> theta_g, std::span<double> dV, Direction& step) {
  Table& rhs = rhs_;
  rhs.assign(padded_, 0.0);
  for (std::size_t p = 0; p < theta_g.size(); ++p)
    if (counts_[p]) add_row(theta_g[p], C_.data() + p * padded_, padded_, rhs.data());
  for (std::size_t i = 0; i < rows_; ++i) rhs[i] += residual_[i];
  for (std::size_t j = 0; j < side_.size(); ++j)
    rhs[side_[j].row] += side_[j].sign * centring_[j] / z_[j];
  step.y.resize(padded_);
  solve_small(rhs, dV, step.y);
  step.slack.resize(side_.size());
  for (std::size_t j = 0; j < side_.size(); ++j)
    step.slack[j] = (centring_[j] - slack_[j] * side_[j].sign * step.y[side_[j].row]) / z_[j];
}

// S dy = rhs + B' dV, and dV += W dy.
void ConstraintRows::solve_small(Table& rhs, std::span<double> dV, std::span<double> dy) const {
  for (std::size_t s = 0; s < dV.size(); ++s)
    add_row(dV[s], B_.data() + s * padded_, padded_, rhs.data());
  std::fill(dy.begin(), dy.end(), 0.0);
  for (std::size_t i = 0; i < rows_; ++i)
    add_row(rhs[i], S_.data() + i * padded_, rows_, dy.data());
  for (std::size_t s = 0; s < dV.size(); ++s) {
    const double* w = W_.data() + s * padded_;
    double sum = 0.0;
    for (std::size_t i = 0; i < rows_; ++i) sum += w[i] * dy[i];
    dV[s] += sum;
  }
}

double ConstraintRows::remainder(std::span<const double> d_lambda, const Direction& step) {
  remainder_.assign(padded_, 0.0);
  for (std::size_t p = 0; p < d_lambda.size(); ++p)
    if (counts_[p]) add_row(d_lambda[p], C_.data() + p * padded_, padded_, remainder_.data());
  for (std::size_t i = 0; i < rows_; ++i) remainder_[i] += residual_[i];
  for (std::size_t j = 0; j < side_.size(); ++j)
    remainder_[side_[j].row] += side_[j].sign * step.slack[j];
  return largest_magnitude(remainder_);
}

void ConstraintRows::refine(std::span<double> dV, std::span<double> dy, Direction& step) {
  solve_small(remainder_, dV, dy);
  for (std::size_t i = 0; i < rows_; ++i) step.y[i] += dy[i];
  for (std::size_t j = 0; j < side_.size(); ++j)
    step.slack[j] -= slack_[j] * side_[j].sign * dy[side_[j].row] / z_[j];
}

void ConstraintRows::aim_at_zero() {
  for (std::size_t j = 0; j < side_.size(); ++j) centring_[j] = -slack_[j] * z_[j];
}

void ConstraintRows::aim_at(double centre, const Direction& predicted) {
  for (std::size_t j = 0; j < side_.size(); ++j)
    centring_[j] =
        centre - slack_[j] * z_[j] - predicted.slack[j] * side_[j].sign * predicted.y[side_[j].row];
}

void ConstraintRows::pull_back(double centre, const Steps& steps, const Direction& step,
                               double stray) {
  const double low = centre / stray;
  const double high = centre * stray;
  for (std::size_t j = 0; j < side_.size(); ++j) {
    const double product = (slack_[j] + steps.primal * step.slack[j]) *
                           (z_[j] + steps.dual * side_[j].sign * step.y[side_[j].row]);
    centring_[j] += product < low ? low - product : std::max(std::min(high - product, 0.0), -high);
  }
}

double ConstraintRows::complementarity_after(const Steps& steps, const Direction& step) const {
  double sum = 0.0;
  for (std::size_t j = 0; j < side_.size(); ++j)
    sum += (slack_[j] + steps.primal * step.slack[j]) *
           (z_[j] + steps.dual * side_[j].sign * step.y[side_[j].row]);
  return sum;
}

ConstraintRows::Steps ConstraintRows::longest_steps(const Direction& step) const {
  double primal = 1.0;  // the reciprocals
  double dual = 1.0;
  for (std::size_t j = 0; j < side_.size(); ++j) {
    primal = std::max(primal, -step.slack[j] / slack_[j]);
    dual = std::max(dual, -side_[j].sign * step.y[side_[j].row] / z_[j]);
  }
  return {1.0 / primal, 1.0 / dual};
}

void ConstraintRows::advance(const Steps& steps, const Direction& step) {
  for (std::size_t i = 0; i < rows_; ++i) y_[i] += steps.dual * step.y[i];
  for (std::size_t j = 0; j < side_.size(); ++j) {
    slack_[j] += steps.primal * step.slack[j];
    z_[j] += steps.dual * side_[j].sign * step.y[side_[j].row];
  }
}

double ConstraintRows::gap_of(std::span<const double> occupancy, double unit) const {
  // An equality can be met to rounding only; an inequality is to be met exactly, where that is
  // possible.
  constexpr double kInequalityWeight = 1e5;
  double gap = 0.0;
  for (std::size_t i = 0; i < rows_; ++i) {
    const double room = bound_[i] - used(i, occupancy, nullptr);
    const double violation = equality_[i] ? std::abs(room) : std::max(-room, 0.0);
    gap += limits_ == Limits::kUnit
               ? std::max(0.0, y_[i] * room + violation)
               : std::abs(y_[i] * room) + (equality_[i] ? 1.0 : kInequalityWeight) * violation *
                                              unit / std::max(1.0, std::abs(bound_[i]));
  }
  return gap;
}

double ConstraintRows::share_to_feasible(std::span<const double> first,
                                         std::span<const double> second) const {
  double share = 0.0;
  for (std::size_t i = 0; i < rows_; ++i) {
    if (equality_[i]) continue;
    double size = 0.0;
    const double room = bound_[i] - used(i, first, &size) - kSumRounding * size;
    if (room >= 0.0) continue;
    const double other = bound_[i] - used(i, second, &size) - kSumRounding * size;
    if (other < 0.0 && other < room) return 0.0;
    share = other > 0.0 ? std::max(share, -room / (other - room)) : 1.0;
  }
  return std::min(1.0, share * (1.0 + 1e-6));
}

// D(V, y) of the problem without rewards, which is at least 0 if a measure meets the constraints.
bool ConstraintRows::prove_infeasible(std::span<const double> V,
                                      std::span<const double> delta) const {
  constexpr double kBeyondRounding = 1e-8;
  const Problem& problem = reduced_->problem;
  double sum = 0.0;
  double size = largest_magnitude(V);
  for (std::size_t s = 0; s < problem.initial.size(); ++s) sum += problem.initial[s] * V[s];
  for (std::size_t i = 0; i < rows_; ++i) {
    sum += bound_[i] * y_[i];
    size += std::abs(bound_[i] * y_[i]);
  }
  for (std::size_t p = 0; p < delta.size(); ++p) {
    const double unrewarded = delta[p] - problem.reward_mean[p];
    sum += reduced_->free[p] == 0.0 ? unrewarded : reduced_->copies[p] * std::max(0.0, unrewarded);
  }
  return sum < -kBeyondRounding * size;
}

void ConstraintRows::prices(std::span<double> out) const {
  for (std::size_t i = 0; i < rows_; ++i) out[i] = y_[i] * scale_[i];
}

}  // namespace vapor
