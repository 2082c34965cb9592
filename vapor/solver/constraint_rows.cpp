#include "vapor/solver/constraint_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "vapor/core/multiversion.h"
#include "vapor/core/simd.h"
#include "vapor/solver/dense_kernels.h"
#include "vapor/solver/pair_kernels.h"

namespace vapor {
namespace {

// The loops over counted pairs and states, each with a row of n numbers, n a multiple of kTile.
// Whole loops are compiled for machines with wider registers, so that the short rows are inlined.

// y += x v.
VAPOR_INLINE void add_row(double x, const double* v, std::size_t n, double* y) {
  for (std::size_t i = 0; i < n; i += kTile) store(y + i, load(y + i) + x * load(v + i));
}

VAPOR_INLINE double row_product(const double* v, const double* y, std::size_t n) {
  Vec sum = {};
  for (std::size_t i = 0; i < n; i += kTile) sum += load(v + i) * load(y + i);
  return sum_of_lanes(sum);
}

// out += C x.
VAPOR_MULTIVERSION
void add_used(std::span<const Index> counted, const double* C, std::size_t n, const double* x,
              double* out) {
  for (std::size_t k = 0; k < counted.size(); ++k) add_row(x[counted[k]], C + k * n, n, out);
}

// out += |C| x.
VAPOR_MULTIVERSION
void add_sizes(std::span<const Index> counted, const double* C, std::size_t n, const double* x,
               double* out) {
  for (std::size_t k = 0; k < counted.size(); ++k)
    for (std::size_t i = 0; i < n; ++i) out[i] += std::abs(C[k * n + i]) * x[counted[k]];
}

// pairs -= C' y.
VAPOR_MULTIVERSION
void subtract_charges(std::span<const Index> counted, const double* C, std::size_t n,
                      const double* y, double* pairs) {
  for (std::size_t k = 0; k < counted.size(); ++k)
    pairs[counted[k]] -= row_product(C + k * n, y, n);
}

// S += C theta C'.
VAPOR_MULTIVERSION
void add_outer_products(std::span<const Index> counted, const double* C, std::size_t n,
                        const double* theta, double* S) {
  for (std::size_t k = 0; k < counted.size(); ++k) {
    const double* c = C + k * n;
    for (std::size_t i = 0; i < n; ++i)
      if (c[i] != 0.0) add_row(theta[counted[k]] * c[i], c, n, S + i * n);
  }
}

// S -= B' W.
VAPOR_MULTIVERSION
void subtract_products(std::size_t states, const double* B, const double* W, std::size_t n,
                       double* S) {
  for (std::size_t s = 0; s < states; ++s)
    for (std::size_t i = 0; i < n; ++i)
      if (B[s * n + i] != 0.0) add_row(-B[s * n + i], W + s * n, n, S + i * n);
}

// rhs += B' dV.
VAPOR_MULTIVERSION
void add_border(std::span<const double> dV, const double* B, std::size_t n, double* rhs) {
  for (std::size_t s = 0; s < dV.size(); ++s) add_row(dV[s], B + s * n, n, rhs);
}

// dV += W dy.
VAPOR_MULTIVERSION
void add_to_values(std::span<double> dV, const double* W, std::size_t n, const double* dy) {
  for (std::size_t s = 0; s < dV.size(); ++s) dV[s] += row_product(W + s * n, dy, n);
}

// B += J' theta C' of the counted pairs of one layer, but for the base: what flows to it is in
// to_base. Returns whether anything does.
VAPOR_MULTIVERSION
bool add_flow(const Transitions& P, std::span<const Index> counted, const Index* state_of,
              const double* C, std::size_t n, const double* theta, double* B, double* to_base) {
  bool any = false;
  for (std::size_t k = 0; k < counted.size(); ++k) {
    const Index p = counted[k];
    const double* c = C + k * n;
    add_row(-theta[p], c, n, B + static_cast<std::size_t>(state_of[k]) * n);
    for (Offset e = P.begin[p]; e < P.begin[p + 1]; ++e)
      add_row(theta[p] * P.probability[e], c, n, B + static_cast<std::size_t>(P.next_state[e]) * n);
    if (P.base_weight[p] == 0.0) continue;
    add_row(theta[p] * P.base_weight[p], c, n, to_base);
    any = true;
  }
  return any;
}

VAPOR_MULTIVERSION
void add_base(Range states, const double* base, const double* to_base, std::size_t n, double* B) {
  for (Index s : states) add_row(base[s], to_base, n, B + static_cast<std::size_t>(s) * n);
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
  const auto states = static_cast<std::size_t>(reduced.problem.shape.states());
  list_counted_pairs();
  C_.assign(counted_.size() * padded_, 0.0);
  for (Table* t : {&bound_, &scale_, &residual_, &aim_}) t->assign(rows_, 0.0);
  y_.assign(padded_, 0.0);
  equality_.assign(rows_, 0);
  for (std::size_t i = 0; i < rows_; ++i) {
    const Constraint& c = constraints[i];
    const double largest = largest_magnitude(c.coefficient);
    scale_[i] = (c.sense == Sense::kAtLeast ? -1.0 : 1.0) /
                (largest > 0.0 ? power_of_two_below(largest) : 1.0);
    bound_[i] = scale_[i] * c.bound;
    // An inequality is aimed at a little inside, so that what converges to it is still within.
    if (c.sense != Sense::kEqual && limits == Limits::kOfSense)
      aim_[i] = 8.0 * kInside * std::abs(bound_[i]);
    bound_[i] -= aim_[i];
    for (std::size_t t = 0; t < c.pair.size(); ++t) {
      const auto at = std::lower_bound(counted_.begin(), counted_.end(), c.pair[t]);
      C_[static_cast<std::size_t>(at - counted_.begin()) * padded_ + i] =
          scale_[i] * c.coefficient[t];
    }
    equality_[i] = c.sense == Sense::kEqual;
    const bool unit = limits == Limits::kUnit;
    if (!equality_[i] || unit) side_.push_back({i, 1.0, equality_[i] ? -1.0 : 0.0});
    if (unit) side_.push_back({i, -1.0, 1.0});
  }
  for (Table* t : {&slack_, &z_, &centring_}) t->assign(side_.size(), 0.0);
  for (Table* t : {&B_, &W_}) t->assign(states * padded_, 0.0);
  for (Table* t : {&S_, &work_}) t->assign(padded_ * padded_, 0.0);
  pivot_scale_.resize(padded_);
}

// The pairs that a row counts, in order, with their states, and where each layer begins.
void ConstraintRows::list_counted_pairs() {
  const Shape& shape = reduced_->problem.shape;
  std::vector<char> counts(shape.pairs(), 0);
  for (const Constraint& c : reduced_->problem.constraints)
    for (Index p : c.pair) counts[p] = 1;
  counted_.clear();
  counted_state_.clear();
  layer_begin_.clear();
  for (Index l = 0; l < shape.layers(); ++l) {
    layer_begin_.push_back(counted_.size());
    for (Index s : shape.states_of(l)) {
      for (Index p : shape.pairs_of(s)) {
        if (!counts[p]) continue;
        counted_.push_back(p);
        counted_state_.push_back(s);
      }
    }
  }
  layer_begin_.push_back(counted_.size());
}

// bound - C lambda, by row.
void ConstraintRows::set_room(std::span<const double> occupancy, Table& room) const {
  room.assign(padded_, 0.0);
  add_used(counted_, C_.data(), padded_, occupancy.data(), room.data());
  for (std::size_t i = 0; i < rows_; ++i) room[i] = bound_[i] - room[i];
}

// |bound| + |C| lambda, by row.
void ConstraintRows::set_sizes(std::span<const double> occupancy, Table& size) const {
  size.assign(padded_, 0.0);
  add_sizes(counted_, C_.data(), padded_, occupancy.data(), size.data());
  for (std::size_t i = 0; i < rows_; ++i) size[i] += std::abs(bound_[i]);
}

void ConstraintRows::start(std::span<const double> lambda, double mu) {
  constexpr double kSmallestSlack = 0.1;  // of the size of the row
  std::fill(y_.begin(), y_.end(), 0.0);
  set_room(lambda, room_);
  set_sizes(lambda, size_);
  for (std::size_t j = 0; j < side_.size(); ++j) {
    const auto [row, sign, limit] = side_[j];
    const double room = sign * room_[row];
    const double least = kSmallestSlack * (size_[row] > 0.0 ? size_[row] : 1.0);
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
  subtract_charges(counted_, C_.data(), padded_, y.data(), pairs.data());
}

void ConstraintRows::evaluate(std::span<const double> lambda) {
  set_room(lambda, room_);
  for (std::size_t i = 0; i < rows_; ++i) residual_[i] = -room_[i];
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
  const Shape& shape = reduced_->problem.shape;
  const Transitions& P = reduced_->problem.transitions;
  std::fill(B_.begin(), B_.end(), 0.0);
  for (Index l = 0; l < shape.layers(); ++l) {
    const std::size_t first = layer_begin_[l];
    const std::size_t count = layer_begin_[l + 1] - first;
    room_.assign(padded_, 0.0);
    const bool to_base =
        add_flow(P, std::span(counted_).subspan(first, count), counted_state_.data() + first,
                 C_.data() + first * padded_, padded_, theta.data(), B_.data(), room_.data());
    if (to_base)
      add_base(reduced_->problem.next_states_of(l), P.base.data(), room_.data(), padded_,
               B_.data());
  }
}

// C theta C' + D, and its diagonal as what a pivot is compared with.
void ConstraintRows::set_small_system(std::span<const double> theta) {
  std::fill(S_.begin(), S_.end(), 0.0);
  add_outer_products(counted_, C_.data(), padded_, theta.data(), S_.data());
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
  subtract_products(B_.size() / padded_, B_.data(), W_.data(), padded_, S_.data());
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
  add_used(counted_, C_.data(), padded_, theta_g.data(), rhs.data());
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
  add_border(dV, B_.data(), padded_, rhs.data());
  std::fill(dy.begin(), dy.end(), 0.0);
  for (std::size_t i = 0; i < rows_; ++i)
    for (std::size_t j = 0; j < rows_; ++j) dy[j] += rhs[i] * S_[i * padded_ + j];
  add_to_values(dV, W_.data(), padded_, dy.data());
}

double ConstraintRows::remainder(std::span<const double> d_lambda, const Direction& step) {
  remainder_.assign(padded_, 0.0);
  add_used(counted_, C_.data(), padded_, d_lambda.data(), remainder_.data());
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

double ConstraintRows::gap_of(std::span<const double> occupancy, double unit) {
  // An equality can be met to rounding only; an inequality is to be met exactly, where that is
  // possible.
  constexpr double kInequalityWeight = 1e8;
  double gap = 0.0;
  set_room(occupancy, room_);
  for (std::size_t i = 0; i < rows_; ++i) {
    const double room = room_[i];
    const double violation = equality_[i] ? std::abs(room) : std::max(-room - aim_[i], 0.0);
    gap += limits_ == Limits::kUnit
               ? std::max(0.0, y_[i] * room + violation)
               : std::abs(y_[i] * room) + (equality_[i] ? 1.0 : kInequalityWeight) * violation *
                                              unit / std::max(1.0, std::abs(bound_[i]));
  }
  return gap;
}

double ConstraintRows::least_room(std::span<const double> occupancy) {
  set_room(occupancy, room_);
  set_sizes(occupancy, size_);
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < rows_; ++i)
    if (!equality_[i] && size_[i] > 0.0) least = std::min(least, (room_[i] + aim_[i]) / size_[i]);
  return least;
}

double ConstraintRows::share_to_feasible(std::span<const double> first,
                                         std::span<const double> second) {
  set_room(first, room_);
  set_room(second, rhs_);
  set_sizes(first, size_);
  double share = 0.0;
  for (std::size_t i = 0; i < rows_; ++i) {
    const double margin = 2.0 * kInside * size_[i] - aim_[i];
    const double room = room_[i] - margin;
    const double other = rhs_[i] - margin;
    if (equality_[i] || room >= 0.0) continue;
    if (other <= 0.0) return 2.0;
    share = std::max(share, -room / (other - room));
  }
  return share;
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
