#include "vapor/mdp/policy_equations.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vapor {
namespace {

constexpr std::size_t kSmall = 256;  // states that are worth a factor

double size_of(std::span<const double> x) {
  double sum = 0.0;
  for (double each : x) sum += std::abs(each);
  return sum;
}

double product_of(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

PolicyEquations::PolicyEquations(const Problem& problem, std::span<const double> policy,
                                 double gamma)
    : states_(problem.shape.states()), gamma_(gamma), base_(problem.transitions.base) {
  place_.assign(states_, -1);
  base_weight_.assign(states_, 0.0);
  for (Index s = 0; s < problem.shape.states(); ++s) add_row(problem, policy, s);
  if (states_ <= kSmall) factor();
}

void PolicyEquations::add_row(const Problem& problem, std::span<const double> policy, Index state) {
  const Transitions& P = problem.transitions;
  const Offset row = begin_.back();
  double sum = 0.0;
  for (Index p : problem.shape.pairs_of(state)) sum += policy[p];
  for (Index p : problem.shape.pairs_of(state)) {
    if (!(policy[p] > 0.0)) continue;
    const double share = gamma_ * policy[p] / sum;
    base_weight_[state] += share * P.base_weight[p];
    for (Offset k = P.begin[p]; k < P.begin[p + 1]; ++k) {
      Offset& place = place_[P.next_state[k]];
      if (place < row) {
        place = static_cast<Offset>(next_.size());
        next_.push_back(P.next_state[k]);
        probability_.push_back(0.0);
      }
      probability_[place] += share * P.probability[k];
    }
  }
  has_base_ = has_base_ || base_weight_[state] > 0.0;
  begin_.push_back(static_cast<Offset>(next_.size()));
}

void PolicyEquations::masses(std::span<const double> b, std::span<double> m,
                             double tolerance) const {
  solve(Side::kMasses, b, m, tolerance);
}

void PolicyEquations::values(std::span<const double> r, std::span<double> V,
                             double tolerance) const {
  solve(Side::kValues, r, V, tolerance);
}

// y = (I - gamma P) x, or of its transpose.
void PolicyEquations::product(Side side, std::span<const double> x, std::span<double> y) const {
  std::copy(x.begin(), x.end(), y.begin());
  if (side == Side::kValues) {
    const double base = has_base_ ? product_of(base_, x) : 0.0;
    for (std::size_t s = 0; s < states_; ++s) {
      double sum = base_weight_[s] * base;
      for (Offset k = begin_[s]; k < begin_[s + 1]; ++k) sum += probability_[k] * x[next_[k]];
      y[s] -= sum;
    }
    return;
  }
  for (std::size_t s = 0; s < states_; ++s)
    for (Offset k = begin_[s]; k < begin_[s + 1]; ++k) y[next_[k]] -= probability_[k] * x[s];
  if (!has_base_) return;
  const double to_base = product_of(base_weight_, x);
  for (std::size_t s = 0; s < states_; ++s) y[s] -= to_base * base_[s];
}

void PolicyEquations::factor() {
  const std::size_t n = states_;
  LU_.assign(n * n, 0.0);
  for (std::size_t s = 0; s < n; ++s) {
    double* row = LU_.data() + s * n;
    if (base_weight_[s] > 0.0)
      for (std::size_t t = 0; t < n; ++t) row[t] = -base_weight_[s] * base_[t];
    for (Offset k = begin_[s]; k < begin_[s + 1]; ++k) row[next_[k]] -= probability_[k];
    row[s] += 1.0;
  }
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = k + 1; i < n; ++i) {
      double& x = LU_[i * n + k];
      if (x == 0.0) continue;
      x /= LU_[k * n + k];
      for (std::size_t j = k + 1; j < n; ++j) LU_[i * n + j] -= x * LU_[k * n + j];
    }
}

void PolicyEquations::solve_factored(Side side, std::span<double> x) const {
  const std::size_t n = states_;
  if (side == Side::kValues) {
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < i; ++j) x[i] -= LU_[i * n + j] * x[j];
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t j = i + 1; j < n; ++j) x[i] -= LU_[i * n + j] * x[j];
      x[i] /= LU_[i * n + i];
    }
    return;
  }
  for (std::size_t i = 0; i < n; ++i) {
    x[i] /= LU_[i * n + i];
    for (std::size_t j = i + 1; j < n; ++j) x[j] -= LU_[i * n + j] * x[i];
  }
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t j = 0; j < i; ++j) x[j] -= LU_[i * n + j] * x[i];
}

void PolicyEquations::solve(Side side, std::span<const double> b, std::span<double> x,
                            double tolerance) const {
  std::copy(b.begin(), b.end(), x.begin());
  if (!LU_.empty()) return solve_factored(side, x);
  const double target = tolerance * size_of(b);
  if (!iterate(side, b, x, target)) sweep(side, b, x, target);
}

// Stabilised biconjugate gradients until the residual's sum is within `target`; begun anew where
// they break down or their residual has drifted from the true one. False if that does not help.
bool PolicyEquations::iterate(Side side, std::span<const double> b, std::span<double> x,
                              double target) const {
  constexpr int kBeginnings = 20;
  constexpr int kIterations = 2000;
  std::vector<double> r(states_), shadow(states_), d(states_), v(states_), t(states_);
  double last = std::numeric_limits<double>::infinity();
  for (int beginning = 0; beginning < kBeginnings; ++beginning) {
    product(side, x, r);
    for (std::size_t i = 0; i < states_; ++i) r[i] = b[i] - r[i];
    const double size = size_of(r);
    if (size <= target) return true;
    if (!(size < 0.5 * last)) return size <= 16.0 * target;
    last = size;
    shadow = d = r;
    double rho = product_of(shadow, r);
    for (int i = 0; i < kIterations; ++i) {
      product(side, d, v);
      const double alpha = rho / product_of(shadow, v);
      if (!std::isfinite(alpha)) break;
      for (std::size_t j = 0; j < states_; ++j) r[j] -= alpha * v[j];
      product(side, r, t);
      const double omega = product_of(t, r) / product_of(t, t);
      for (std::size_t j = 0; j < states_; ++j) x[j] += alpha * d[j];
      if (!std::isfinite(omega)) break;
      for (std::size_t j = 0; j < states_; ++j) {
        x[j] += omega * r[j];
        r[j] -= omega * t[j];
      }
      if (size_of(r) <= 0.5 * target) break;
      const double next = product_of(shadow, r);
      const double beta = next / rho * (alpha / omega);
      if (!std::isfinite(beta) || next == 0.0) break;
      rho = next;
      for (std::size_t j = 0; j < states_; ++j) d[j] = r[j] + beta * (d[j] - omega * v[j]);
    }
    for (double& each : x)
      if (!std::isfinite(each)) each = 0.0;
  }
  return false;
}

// x := b + gamma P x.
void PolicyEquations::sweep(Side side, std::span<const double> b, std::span<double> x,
                            double target) const {
  constexpr int kMostSweeps = 100000;
  std::vector<double> r(states_);
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kMostSweeps; ++i) {
    product(side, x, r);
    for (std::size_t s = 0; s < states_; ++s) r[s] = b[s] - r[s];
    const double size = size_of(r);
    if (size <= target || (i % 64 == 63 && !(size < least))) return;
    if (i % 64 == 63) least = size;
    for (std::size_t s = 0; s < states_; ++s) x[s] += r[s];
  }
}

namespace {

// The best action of each state under V; one that is there already stays unless another is better
// by more than `indifferent`.
void improve(const Problem& problem, std::span<const double> reward, double gamma,
             std::span<const double> V, double indifferent, std::vector<Index>& action) {
  const Transitions& P = problem.transitions;
  const double base = base_value(problem.shape, P, 0, V);
  for (Index s = 0; s < problem.shape.states(); ++s) {
    const auto worth = [&](Index p) { return reward[p] + gamma * P.expectation(p, V, base); };
    const Range pairs = problem.shape.pairs_of(s);
    Index best = action[s] < 0 ? pairs.first() : action[s];
    double of_best = worth(best);
    for (Index p : pairs) {
      const double q = worth(p);
      if (q > of_best + (action[s] < 0 ? 0.0 : indifferent)) {
        of_best = q;
        best = p;
      }
    }
    action[s] = best;
  }
}

}  // namespace

void optimal_stationary_policy(const Problem& problem, std::span<const double> reward, double gamma,
                               std::span<double> V, std::span<double> policy, double tolerance) {
  constexpr int kMostRounds = 200;
  std::vector<Index> action(problem.shape.states(), -1);
  std::vector<double> chosen(problem.shape.states());
  std::vector<Index> before;
  for (int round = 0; round < kMostRounds; ++round) {
    double largest = 0.0;
    for (double v : V) largest = std::max(largest, std::abs(v));
    for (double r : reward) largest = std::max(largest, std::abs(r));
    before = action;
    improve(problem, reward, gamma, V, tolerance * largest, action);
    if (action == before) break;
    std::fill(policy.begin(), policy.end(), 0.0);
    for (Index s = 0; s < problem.shape.states(); ++s) {
      policy[action[s]] = 1.0;
      chosen[s] = reward[action[s]];
    }
    PolicyEquations(problem, policy, gamma).values(chosen, V, tolerance);
  }
}

}  // namespace vapor
