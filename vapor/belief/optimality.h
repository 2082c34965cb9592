// P(Gamma*), the probability that a pair is visited by the optimal policy of an MDP drawn from a
// belief (section 3): the mean of the occupancy measures of Thompson sampling (lemma_TS_lambda).
// Exact where the belief is a list of MDPs, else from samples, with standard errors.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "vapor/belief/belief.h"

namespace vapor {

// The optimal policy of one MDP, in that MDP.
struct Optimum {
  std::vector<double> policy;     // by pair
  std::vector<double> occupancy;  // by pair
  double value = 0.0;             // V* of the start
};

Optimum optimum_of(const Problem& problem, std::span<const double> reward);

// The mean over optima with these weights, which sum to 1.
Optimality enumerated_optimality(std::span<const Optimum> optima, std::span<const double> weight);

// Writes the optimal policy of a sampled MDP and returns V* of its start.
using DrawOptimalPolicy = std::function<double(std::span<double> policy)>;

// The mean over `samples` >= 2 draws of MDPs that all have the dynamics of `problem`.
Optimality sampled_optimality(const Problem& problem, int samples, const DrawOptimalPolicy& draw);

// The same for the MDPs with dynamics P and rewards N(E r, sigma^2) of a problem: the transformed
// belief of lemma "reduction V".
Optimality gaussian_optimality(const Problem& problem, RandomStream& random, int samples);

}  // namespace vapor
