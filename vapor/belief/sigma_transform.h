// How the uncertainty of a belief about one pair becomes the sigma_hat of VAPOR's problem. Small
// functions, to be chosen or composed; a belief calls one for each pair.
#pragma once

#include <functional>

namespace vapor {

// What a belief knows about a pair.
struct PairUncertainty {
  double reward_variance = 0.0;  // of the posterior of the mean reward
  double dirichlet_mass = 0.0;   // sum of alpha over next states
  int steps_left = 0;            // L - l: layers after this one
};

using SigmaTransform = std::function<double(const PairUncertainty&)>;

// Definition "transformed beliefs": sigma_hat^2 = 3.6^2 sigma^2 + (L - l)^2 / sum alpha.
SigmaTransform paper_transform();

// sigma_hat^2 = variance_scale * sigma^2: known dynamics, or contrast without the range bound.
SigmaTransform reward_only(double variance_scale = 1.0);

}  // namespace vapor
