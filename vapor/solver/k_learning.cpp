#include "vapor/solver/k_learning.h"

#include <algorithm>
#include <cmath>

#include "vapor/core/root_finding.h"
#include "vapor/mdp/backward_induction.h"

namespace vapor {
namespace {

// V = tau log sum_a exp(K_a / tau) and pi = exp((K - V) / tau), without overflow. Returns V.
double soft_maximum(std::span<const double> K, double tau, std::span<double> pi) {
  const double largest = *std::max_element(K.begin(), K.end());
  double sum = 0.0;
  for (std::size_t a = 0; a < K.size(); ++a) {
    pi[a] = std::exp((K[a] - largest) / tau);
    sum += pi[a];
  }
  for (double& p : pi) p /= sum;
  return largest + tau * std::log(sum);
}

}  // namespace

SoftValues soft_values(const Problem& problem, double tau) {
  const Shape& shape = problem.shape;
  SoftValues result;
  KLearningSolution& k = result.solution;
  k.tau = tau;
  k.K.resize(shape.pairs());
  k.policy.resize(shape.pairs());
  k.V.assign(shape.states(), 0.0);
  // By the envelope theorem dV / dtau = entropy - optimism, of the policy from there on.
  std::vector<double> entropy(shape.states(), 0.0);
  std::vector<double> optimism(shape.states(), 0.0);
  for (Index l = shape.layers() - 1; l >= 0; --l) {
    const bool last = l + 1 == shape.layers();
    const Transitions& P = problem.transitions;
    const double base = last ? 0.0 : base_value(shape, P, l + 1, k.V);
    const double base_entropy = last ? 0.0 : base_value(shape, P, l + 1, entropy);
    const double base_optimism = last ? 0.0 : base_value(shape, P, l + 1, optimism);
    for (Index s : shape.states_of(l)) {
      const Range pairs = shape.pairs_of(s);
      for (Index p : pairs)
        k.K[p] = problem.reward_mean[p] + 0.5 * problem.sigma[p] * (problem.sigma[p] / tau) +
                 P.expectation(p, k.V, base);
      k.V[s] = soft_maximum(std::span(k.K).subspan(pairs.first(), pairs.size()), tau,
                            std::span(k.policy).subspan(pairs.first(), pairs.size()));
      for (Index p : pairs) {
        if (k.policy[p] <= 0.0) continue;
        const double ratio = problem.sigma[p] / tau;
        const double information = std::max(0.0, (k.V[s] - k.K[p]) / tau);  // -log pi
        entropy[s] += k.policy[p] * (information + P.expectation(p, entropy, base_entropy));
        optimism[s] +=
            k.policy[p] * (0.5 * ratio * ratio + P.expectation(p, optimism, base_optimism));
      }
    }
  }
  for (std::size_t s = 0; s < problem.initial.size(); ++s) {
    k.value += problem.initial[s] * k.V[s];
    result.entropy += problem.initial[s] * entropy[s];
    result.optimism += problem.initial[s] * optimism[s];
  }
  return result;
}

KLearningSolution solve_k_learning(const Problem& problem) {
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
  // tau is searched on a logarithmic scale around the largest sigma. Where no action has an
  // alternative the entropy is 0 and the value only falls with tau: the upper end is as good as
  // infinite.
  SoftValues soft;
  const auto balance = [&](double log_tau) {
    soft = soft_values(problem, std::exp(log_tau));
    return TemperatureBalance{soft.entropy, soft.optimism};
  };
  balance(log_temperature_root(balance, largest, 1e-13));
  return soft.solution;
}

}  // namespace vapor
