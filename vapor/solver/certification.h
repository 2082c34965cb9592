// What is certified of one solve: the best policy and the best values that were considered, each
// with a bound that includes its own rounding. The first are those of the method; where its doubles
// are not close enough others follow, to twice the digits (solve.cpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "vapor/solver/certified_bounds.h"

namespace vapor {

// Keeps its memory from one solve to the next.
template <ScalarRegulariser R>
class Certification {
 public:
  void reset(const Problem& problem, const Reduced& reduced) {
    bounds_.reset(problem, reduced);
    value_ = std::numeric_limits<double>::lowest();
    above_ = std::numeric_limits<double>::infinity();
    trial_.resize(reduced.problem.shape.states());
    trial_policy_.resize(reduced.problem.shape.pairs());
    policy_.clear();
    V_.clear();
  }

  void consider(std::span<const double> policy, std::span<const double> V) {
    for (std::size_t s = 0; s < V.size(); ++s) trial_[s] = {V[s], 0.0};
    consider_policy(policy);
    consider_values();
  }

  // The same with prices of the constraints, which stay for what follows.
  void consider(std::span<const double> policy, std::span<const double> V,
                std::span<const double> prices) {
    bounds_.set_prices(prices);
    consider(policy, V);
  }

  // Values alone, those that the last policy's masses and the prices imply: with constraints the
  // policy of such values may violate them.
  void consider_implied_values() {
    bounds_.template values_of_policy<R>(trial_);
    consider_values();
  }

  // At most the value of the zero problem, if values and prices prove that nothing is feasible
  // below 0; the tables are then those of the proof.
  double consider_infeasible(std::span<const double> policy, std::span<const double> V,
                             std::span<const double> prices) {
    consider(policy, V, prices);
    for (std::size_t s = 0; s < V.size(); ++s) trial_[s] = {V[s], 0.0};
    V_.assign(trial_.begin(), trial_.end());
    return bounds_.infeasibility(V);
  }

  // A policy alone: what its masses imply stands beside it.
  void consider(std::span<const double> policy) {
    consider_policy(policy);
    consider_implied();
  }

  // A policy of the problem whose rewards were those of shaped_rewards(), with its values.
  void consider_shaped(std::span<const double> policy, std::span<const double> V) {
    for (std::size_t s = 0; s < V.size(); ++s) trial_[s] = trial_[s] + V[s];
    consider_policy(policy);
    consider_values();
  }

  // The values that the last policy's masses imply, and their policy.
  void consider_implied() {
    bounds_.template values_of_policy<R>(trial_);
    consider_values();
    bounds_.template policy_of_values<R>(trial_policy_);
    consider_policy(trial_policy_);
  }

  // The optimum of a plain MDP.
  void consider_linear_optimum() {
    bounds_.optimal_values(trial_, trial_policy_);
    consider_policy(trial_policy_);
    consider_values();
  }

  // The rewards E r + P U - U with U the optimal values without sigma. They have the same optimal
  // policies, their optimal values are U less, and where rewards cancel along the paths they are
  // small.
  std::span<const double> shaped_rewards() {
    bounds_.optimal_values(trial_, trial_policy_);
    bounds_.template above<R>(trial_);
    return bounds_.advantages();
  }

  bool within(double tolerance) const {
    return gap() <= tolerance * std::max(1.0, std::abs(value_)) &&
           bounds_.constraint_residual() <= tolerance;
  }

  double value() const { return value_; }

  // value + gap, as doubles add, is at least the upper bound.
  double gap() const {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (!std::isfinite(above_)) return kInfinity;
    double gap = std::max(0.0, above_ - value_);
    while (value_ + gap < above_) gap = std::nextafter(gap, kInfinity);
    return gap;
  }

  std::span<const double> policy() const { return policy_; }
  std::span<const DoubleDouble> V() const { return V_; }

  // With occupancy and advantages of the best policy and values.
  const CertifiedBounds& bounds() {
    if (!policy_is_last_) bounds_.template below<R>(policy_);
    if (!values_are_last_) bounds_.template above<R>(V_);
    return bounds_;
  }

 private:
  void consider_policy(std::span<const double> policy) {
    // Without the infinity that would leave no upper bound beside it, value + gap.
    const double value =
        std::max(bounds_.template below<R>(policy), std::numeric_limits<double>::lowest());
    policy_is_last_ = policy_.empty() || value > value_;
    if (!policy_is_last_) return;
    value_ = value;
    policy_.assign(policy.begin(), policy.end());
  }

  void consider_values() {
    const double above = bounds_.template above<R>(trial_);
    values_are_last_ = V_.empty() || above < above_;
    if (!values_are_last_) return;
    above_ = above;
    V_.assign(trial_.begin(), trial_.end());
  }

  CertifiedBounds bounds_;
  double value_ = 0.0;
  double above_ = 0.0;
  std::vector<double> policy_;
  std::vector<DoubleDouble> V_;
  bool policy_is_last_ = false;  // whether bounds_ were last asked about them
  bool values_are_last_ = false;
  std::vector<DoubleDouble> trial_;
  std::vector<double> trial_policy_;
};

}  // namespace vapor
