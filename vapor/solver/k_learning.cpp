#include "vapor/solver/k_learning.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "vapor/core/elementary.h"
#include "vapor/core/root_finding.h"
#include "vapor/mdp/backward_induction.h"
#include "vapor/mdp/policy.h"

namespace vapor {
namespace {

// Soft values at one temperature after another, in memory that is kept. Exponentials and logarithms
// are taken of whole layers.
class SoftPass {
 public:
  explicit SoftPass(const Problem& problem)
      : problem_(problem),
        largest_(problem.shape.states()),
        sum_(problem.shape.states()),
        entropy_(problem.shape.states()),
        optimism_(problem.shape.states()),
        mass_(problem.shape.states()),
        exponent_(problem.shape.pairs()),
        occupancy_(problem.shape.pairs()) {
    values_.K.resize(problem.shape.pairs());
    values_.policy.resize(problem.shape.pairs());
    values_.V.assign(problem.shape.states(), 0.0);
  }

  // The derivative of the value by tau is entropy - optimism, by the envelope theorem.
  TemperatureBalance at(double tau) {
    values_.tau = tau;
    for (Index l = problem_.shape.layers() - 1; l >= 0; --l) back_up(l);
    forward_flow(problem_, values_.policy, occupancy_, mass_);
    TemperatureBalance balance;
    for (Index s = 0; s < problem_.shape.states(); ++s) {
      balance.entropy += mass_[s] * entropy_[s];
      balance.optimism += mass_[s] * optimism_[s];
    }
    values_.value = std::inner_product(problem_.initial.begin(), problem_.initial.end(),
                                       values_.V.begin(), 0.0);
    return balance;
  }

  KLearningSolution take() { return std::move(values_); }

 private:
  // K of a layer, then V = tau log sum_a exp(K / tau) and pi = exp((K - V) / tau), without
  // overflow.
  void back_up(Index layer) {
    const Shape& shape = problem_.shape;
    const Transitions& P = problem_.transitions;
    const double tau = values_.tau;
    const bool last = layer + 1 == shape.layers();
    const double base = last ? 0.0 : base_value(shape, P, layer + 1, values_.V);
    for (Index s : shape.states_of(layer)) {
      largest_[s] = -std::numeric_limits<double>::infinity();
      for (Index p : shape.pairs_of(s)) {
        values_.K[p] = problem_.reward_mean[p] +
                       0.5 * problem_.sigma[p] * (problem_.sigma[p] / tau) +
                       P.expectation(p, values_.V, base);
        largest_[s] = std::max(largest_[s], values_.K[p]);
      }
      for (Index p : shape.pairs_of(s)) exponent_[p] = (values_.K[p] - largest_[s]) / tau;
    }
    const Range pairs = shape.pairs_of_layer(layer);
    exp_of(std::span(exponent_).subspan(pairs.first(), pairs.size()),
           std::span(values_.policy).subspan(pairs.first(), pairs.size()));
    const Range states = shape.states_of(layer);
    for (Index s : states) {
      sum_[s] = 0.0;
      for (Index p : shape.pairs_of(s)) sum_[s] += values_.policy[p];
    }
    const auto log_sum = std::span(entropy_).subspan(states.first(), states.size());
    log_of(std::span(sum_).subspan(states.first(), states.size()), log_sum);
    for (Index s : states) finish(s);
  }

  // log pi = exponent - log sum, and entropy_ holds that logarithm.
  void finish(Index s) {
    const double scale = 1.0 / sum_[s];
    values_.V[s] = largest_[s] + values_.tau * entropy_[s];
    optimism_[s] = 0.0;
    for (Index p : problem_.shape.pairs_of(s)) {
      values_.policy[p] *= scale;
      const double ratio = problem_.sigma[p] / values_.tau;
      entropy_[s] -= values_.policy[p] * exponent_[p];
      optimism_[s] += values_.policy[p] * (0.5 * ratio * ratio);
    }
    entropy_[s] = std::max(0.0, entropy_[s]);
  }

  const Problem& problem_;
  KLearningSolution values_;
  std::vector<double> largest_, sum_, entropy_, optimism_, mass_;  // by state
  std::vector<double> exponent_, occupancy_;                       // by pair
};

}  // namespace

SoftValues soft_values(const Problem& problem, double tau) {
  SoftPass pass(problem);
  const TemperatureBalance balance = pass.at(tau);
  return {pass.take(), balance.entropy, balance.optimism};
}

KLearningSolution solve_k_learning(const Problem& problem, double warm_tau) {
  refuse_constraints(problem, "K-learning");
  refuse_discount(problem, "K-learning");
  refuse_families(problem, "K-learning");
  const double largest = *std::max_element(problem.sigma.begin(), problem.sigma.end());
  if (largest == 0.0) {
    OptimalValues optimal = backward_induction(problem, problem.reward_mean);
    KLearningSolution k;
    k.K = std::move(optimal.Q);
    k.V = std::move(optimal.V);
    k.policy = std::move(optimal.policy);
    for (std::size_t s = 0; s < problem.initial.size(); ++s) k.value += problem.initial[s] * k.V[s];
    return k;
  }
  // tau is searched on a logarithmic scale around the start or the largest sigma. Where no action
  // has an alternative the entropy is 0 and the value only falls with tau: the upper end is as good
  // as infinite.
  SoftPass pass(problem);
  const auto balance = [&](double log_tau) { return pass.at(std::exp(log_tau)); };
  const double start = warm_tau > 0.0 && std::isfinite(warm_tau) ? warm_tau : largest;
  const double root = log_temperature_root(balance, start, 1e-13);
  pass.at(std::exp(root));
  return pass.take();
}

}  // namespace vapor
