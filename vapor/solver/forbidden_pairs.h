// Constraints that forbid. sum c lambda <= 0 with c >= 0 leaves the pairs that it counts no mass at
// all, and so does >= 0 with c <= 0, and = 0 with either: "never enter these states". An interior
// point has no room there, so such pairs are taken out before the solve, exactly, and with them
// every pair that may lead to a state whose pairs are all taken out.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "vapor/mdp/problem.h"
#include "vapor/solver/solution.h"

namespace vapor {

struct AllowedPairs {
  Problem problem;             // without the forbidden pairs and what forbids them
  std::vector<Index> pair_of;  // by pair of the given problem: its number there, or -1
  std::vector<char> forbids;   // by constraint of the given problem
};

// Nothing if no constraint forbids, or if what they forbid leaves no policy: then they are left to
// the method, which proves that they cannot be met.
std::optional<AllowedPairs> without_forbidden_pairs(const Problem& problem);

// A policy of the given problem as one of the allowed pairs, scaled to sum to 1.
std::vector<double> allowed_policy(const Problem& problem, const AllowedPairs& allowed,
                                   std::span<const double> policy);

// The solution of allowed.problem as one of the given problem.
Solution with_forbidden_pairs(const Problem& problem, const AllowedPairs& allowed,
                              Solution solution);

}  // namespace vapor
