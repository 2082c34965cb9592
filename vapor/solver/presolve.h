// The smaller problem that is solved in place of the given one, exactly equivalent to it:
//
//   - states that no policy reaches are dropped;
//   - a pair that every policy takes with probability 1 has lambda = 1, where the slope of VAPOR's
//     function is infinite: its sigma becomes 0, which changes nothing since f(1) = 0;
//   - exchangeable states of a layer become one state with a number of copies. Two states are
//     exchangeable if nothing but the base reaches them, equally, and their actions are the same:
//     the never-visited states of a posterior with a symmetric prior.
//
// A pair with k copies stands for k pairs with lambda / k each, so its function is k f(lambda / k).
#pragma once

#include <span>
#include <vector>

#include "vapor/mdp/problem.h"

namespace vapor {

struct Reduced {
  Problem problem;
  std::vector<double> copies;   // by pair of the reduced problem, >= 1
  std::vector<double> reach;    // by pair of the reduced problem: lambda is at most this
  std::vector<Index> state_of;  // by state of the given problem: reduced state, or -1
  std::vector<double> free;     // by pair of the reduced problem: 0 where every policy has
                                // lambda = 1, else 1
  // Tables of the reduced problem, spread over the given one.
  void expand_occupancy(const Shape& shape, std::span<const double> reduced,
                        std::span<double> given) const;
  void expand_policy(const Shape& shape, std::span<const double> reduced,
                     std::span<double> given) const;
  void expand_values(std::span<const double> reduced, std::span<double> given) const;
  // A policy of the given problem as one of the reduced: the mean over the copies.
  void reduce_policy(const Shape& shape, std::span<const double> given,
                     std::span<double> reduced) const;
};

// Keeps the memory of `reduced`.
void presolve(const Problem& problem, Reduced& reduced);

}  // namespace vapor
