// Backward induction (dynamic programming) on the transitions of a problem.
#pragma once

#include <span>
#include <vector>

#include "vapor/mdp/problem.h"

namespace vapor {

struct OptimalValues {
  std::vector<double> V;       // by state
  std::vector<double> Q;       // by pair
  std::vector<double> policy;  // by pair: all weight on the first maximising action
};

// The optimal values of the MDP with these rewards, by pair (the reward means and sigmas of the
// problem are not used).
OptimalValues backward_induction(const Problem& problem, std::span<const double> reward);

}  // namespace vapor
