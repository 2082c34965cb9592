// VAPOR with one temperature for all pairs (appendix "Connection between K-learning and VAPOR"):
//
//   min_{tau > 0} max_{lambda in Lambda(P)} lambda' (E r + sigma^2 / (2 tau)) + tau H(lambda),
//
// K-learning with the entropy of the occupancy measure in place of the policy's. For a fixed tau
// the inner maximum is a weighted-entropy problem, solved and certified by Newton; tau is the root
// of its derivative, H(lambda) - lambda' sigma^2 / (2 tau^2), which is increasing in tau.
#pragma once

#include <vector>

#include "vapor/mdp/problem.h"
#include "vapor/solver/settings.h"
#include "vapor/solver/solution.h"

namespace vapor {

struct EqualTemperatureSolution {
  double tau = 0.0;
  Solution solution;  // of the inner problem at tau, with its certificate
};

// The search for tau begins at `warm`, as of the last episode, or else at K-learning's temperature.
EqualTemperatureSolution solve_equal_temperature(const Problem& problem,
                                                 const Settings& settings = {},
                                                 const EqualTemperatureSolution* warm = nullptr);

}  // namespace vapor
