// How the uncertainty of a belief about one pair becomes the sigma_hat of VAPOR's problem: a sum of
// variances, each a small function that can be added to others or scaled.
//
//   paper_transform()                        3.6^2 sigma^2 + (L - l)^2 / sum alpha
//   reward_only()                            sigma^2: known dynamics
//   scaled(paper_transform(), 0.03)          less of everything
//   reward_only(3.6 * 3.6) + value_variance()
#pragma once

#include <cmath>
#include <functional>
#include <string>

namespace vapor {

// What a belief knows about a pair.
struct PairUncertainty {
  double reward_variance = 0.0;  // of the posterior of the mean reward, or its variance proxy
  double dirichlet_mass = 0.0;   // sum of alpha over next states; infinite if they are known
  int steps_left = 0;            // L - l: layers after this one
  double value_variance = 0.0;   // Var(P' V); 0 unless the transform uses it
};

struct SigmaTransform {
  std::function<double(const PairUncertainty&)> variance;  // sigma_hat^2

  // Whether `variance` reads value_variance. It depends on the values of the next layer, hence on
  // all that is known of later layers: the belief then recomputes every sigma after an update, not
  // only those of the pairs that were visited.
  bool uses_values = false;

  double sigma(const PairUncertainty& u) const { return std::sqrt(variance(u)); }
};

SigmaTransform operator+(SigmaTransform a, SigmaTransform b);

// factor * variance, factor >= 0.
SigmaTransform scaled(SigmaTransform transform, double factor);

// coefficient * sigma^2. With coefficient 1 this is VAPOR with known dynamics.
SigmaTransform reward_only(double coefficient = 1.0);

// (L - l)^2 / sum alpha: Gaussian-Dirichlet optimism for rewards in [0, 1].
SigmaTransform range_bound();

// Var(P' V) = (sum p V^2 - (sum p V)^2) / (sum alpha + 1), p = E P: the exact variance of a
// Dirichlet average of V, the optimal values of the mean MDP (rewards E r, dynamics E P). These V
// need no setting of their own and change continuously with the belief. The price: under a prior of
// mean 0 they are 0, and no variance is seen before a reward is; and a variance is not a bound, so
// the lemmas about transformed beliefs do not cover this term.
SigmaTransform value_variance();

// Definition "transformed beliefs": reward_only(3.6^2) + range_bound().
SigmaTransform paper_transform();

// By name: paper, reward-only, range (reward_only + range_bound) or dirichlet-variance (reward_only
// + value_variance). Throws InputError that names `place` if it is none of them.
SigmaTransform named_transform(const std::string& place, const std::string& name);

}  // namespace vapor
