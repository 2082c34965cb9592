// Transition probabilities of a layered MDP, sparse plus rank one: from a pair p of layer l,
//
//   P(s' | p) = next(p, s') + base_weight(p) * base(s'),   s' in layer l + 1.
//
// This is what the mean of a Dirichlet posterior looks like: counts plus a common prior. Pairs of
// the last layer end the episode: they have no successors and base weight 0.
#pragma once

#include <span>
#include <vector>

#include "vapor/core/index.h"
#include "vapor/mdp/shape.h"

namespace vapor {

struct Transitions {
  // The sparse successors of pair p are the entries begin[p], ..., begin[p + 1] - 1. A next state
  // is numbered through all layers, as in Shape.
  std::vector<Offset> begin{0};
  std::vector<Index> next_state;
  std::vector<double> probability;

  std::vector<double> base_weight;  // by pair
  std::vector<double> base;         // by state: how the base reaches it; 0 in the first layer

  // sum_{s'} P(s' | p) V(s'), given base_value = sum_{s'} base(s') V(s') of the next layer.
  double expectation(Index pair, std::span<const double> V, double base_value) const {
    double sum = base_weight[pair] * base_value;
    for (Offset k = begin[pair]; k < begin[pair + 1]; ++k) sum += probability[k] * V[next_state[k]];
    return sum;
  }
};

// sum_{s'} base(s') V(s') over the states of a layer.
double base_value(const Shape& shape, const Transitions& transitions, Index layer,
                  std::span<const double> V);

}  // namespace vapor
