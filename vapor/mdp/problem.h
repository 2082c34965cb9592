// VAPOR's problem as a value: what a belief says about a layered MDP, and all that a solver needs.
//
//   maximise   sum_{l,s,a} lambda_l(s,a) (E r_l(s,a) + sigma_l(s,a) sqrt(-2 log lambda_l(s,a)))
//   over the occupancy measures lambda of the transitions P with initial distribution rho
//
// (equations (3) and (4) of the paper), and, if there are any, subject to linear constraints on
// lambda (constraint.h).
//
// A stationary problem is the same program on the discounted occupancy measures of one state space:
// one layer, whose pairs lead back into it, and a discount gamma. lambda is normalised, the
// distribution of the pair at a time that is geometric with parameter 1 - gamma,
//
//   sum_a lambda(s', a) = (1 - gamma) rho(s') + gamma sum_{s,a} P(s' | s,a) lambda(s,a),
//
// so that its sum is 1 and a discounted return is the value over 1 - gamma.
#pragma once

#include <optional>
#include <vector>

#include "vapor/mdp/constraint.h"
#include "vapor/mdp/family.h"
#include "vapor/mdp/shape.h"
#include "vapor/mdp/transitions.h"

namespace vapor {

struct Problem {
  Shape shape;
  Transitions transitions;
  std::vector<double> initial;      // rho, by state of the first layer
  std::vector<double> reward_mean;  // E r, by pair
  std::vector<double> sigma;        // by pair, >= 0: the deviation of the belief about r
  std::vector<Constraint> constraints = {};
  // What the beliefs look like, by pair; null is Gaussian, as are all if there is no table. With a
  // family the pair's term is lambda (E r + sigma (psi*)^-1(-log lambda)) (family.h).
  std::vector<FamilyPtr> family = {};
  std::optional<double> discount = {};  // in (0, 1), of a stationary problem

  bool stationary() const { return discount.has_value(); }

  // Where the pairs of a layer lead: no state behind the last layer.
  Range next_states_of(Index layer) const {
    if (stationary()) return shape.states_of(layer);
    if (layer + 1 < shape.layers()) return shape.states_of(layer + 1);
    return {shape.states(), shape.states()};
  }
};

// Poses a belief for a pair: its mean, deviation and family.
void set_belief(Problem& problem, Index pair, const PairBelief& belief);

// Throws InputError if a pair has a family: `who`, e.g. "K-learning", knows sigma alone.
void refuse_families(const Problem& problem, const char* who);

// The same problem with rewards counted in units of `unit` > 0, a power of two so that nothing is
// rounded: values, gaps and temperatures are in these units too, occupancies are the same.
Problem in_units(const Problem& problem, double unit);

// Throws InputError if there are constraints, or a discount: `who`, e.g. "K-learning", takes none.
void refuse_constraints(const Problem& problem, const char* who);
void refuse_discount(const Problem& problem, const char* who);

// Renumbers the next states of every pair, given within the layer they belong to, through all
// layers. Throws InputError, naming the place, where there is no such state.
void number_next_states_through_layers(Problem& problem);

// Throws InputError, naming the place, unless every table has its size, every number is finite and
// at most 1e100, every sigma and probability is >= 0, every distribution sums to 1 within 1e-9, and
// a discount is in (0, 1) and stands with one layer. A table of families in which there is none is
// dropped.
// Distributions are then scaled to sum to 1, and the constraints are checked and put in order.
void validate_and_normalise(Problem& problem);

}  // namespace vapor
