// K-learning (O'Donoghue, 2021; section 6 of the paper): soft values under one scalar temperature,
//
//   K(s,a) = E r + sigma^2 / (2 tau) + sum_{s'} P(s' | s,a) tau log sum_a' exp(K(s',a') / tau),
//
// with tau > 0 chosen to minimise sum_s rho(s) tau log sum_a exp(K(s,a) / tau), which is convex in
// tau. The policy is proportional to exp(K / tau). If all sigmas are 0 the minimum is at tau = 0:
// backward induction, ties going to the first action.
#pragma once

#include <vector>

#include "vapor/mdp/problem.h"

namespace vapor {

struct KLearningSolution {
  double tau = 0.0;
  double value = 0.0;          // the minimum: an upper bound on E V*
  std::vector<double> K;       // by pair
  std::vector<double> V;       // by state: tau log sum_a exp(K / tau)
  std::vector<double> policy;  // by pair
};

// The search for tau begins at `warm_tau`, as of the last episode, if that is positive.
KLearningSolution solve_k_learning(const Problem& problem, double warm_tau = 0.0);

// The same at a given temperature, and the derivative of the value by tau in its two parts.
struct SoftValues {
  KLearningSolution solution;
  double entropy = 0.0;   // of the policy, summed over the steps of an episode
  double optimism = 0.0;  // sum of sigma^2 / (2 tau^2) along it
  double derivative() const { return entropy - optimism; }
};
SoftValues soft_values(const Problem& problem, double tau);

}  // namespace vapor
