// The smaller problem that is solved in place of the given one, exactly equivalent to it:
//
//   - states that no policy reaches are dropped;
//   - a pair that every policy takes with probability 1 has lambda = 1, where the slope of VAPOR's
//     function is infinite: its sigma becomes 0, which changes nothing since f(1) = 0;
//   - exchangeable states of a layer become one state with a number of copies. Two states are
//     exchangeable if nothing but the base reaches them, equally, and their actions are the same:
//     the never-visited states of a posterior with a symmetric prior;
//   - so do exchangeable actions of a state, those with the same reward, sigma and transitions;
//     both only if every constraint counts them alike.
//
// Of a stationary problem the transitions are multiplied by the discount, and the initial
// distribution by what is left of 1: the flow constraints then read as those of a layer do.
//
// A pair with k copies stands for k pairs with lambda / k each, so its function is k f(lambda / k).
#pragma once

#include <span>
#include <vector>

#include "vapor/core/double_double.h"
#include "vapor/mdp/problem.h"

namespace vapor {

struct Reduced {
  Problem problem;

  // By pair of the reduced problem:
  std::vector<double> copies;  // for how many pairs it stands, >= 1
  std::vector<double> reach;   // lambda is at most this
  std::vector<double> free;    // 0 where every policy has lambda = 1, else 1
  // By state of the reduced problem:
  std::vector<double> state_copies;  // for how many states it stands, >= 1
  // By state and by pair of the reduced problem: the first that it stands for.
  std::vector<Index> origin_state;
  std::vector<Index> origin_pair;
  // By state and by pair of the given problem: where they went, -1 if dropped.
  std::vector<Index> state_of;
  std::vector<Index> pair_of;
  // At least the probability, under any policy, of ever being in a state that was dropped, and of a
  // stationary problem of being there or behind it.
  double dropped_reach = 0.0;

  // What one of the pairs that pair p of state s stands for has of its policy.
  double policy_of_copy(Index s, Index p, double policy) const {
    return policy * state_copies[s] / copies[p];
  }

  // Tables of the reduced problem, spread over the given one, whose shape it is; the occupancy is
  // that of one copy of each pair.
  void expand_occupancy(std::span<const double> of_copy, std::span<double> given) const;
  void expand_policy(const Shape& shape, std::span<const double> reduced,
                     std::span<double> given) const;
  void expand_values(std::span<const DoubleDouble> reduced, std::span<double> given) const;
  // A policy of the given problem as one of the reduced: the mean over the copies.
  void reduce_policy(const Shape& shape, std::span<const double> given,
                     std::span<double> reduced) const;
};

// Keeps the memory of `reduced`.
void presolve(const Problem& problem, Reduced& reduced);

}  // namespace vapor
