// A linear constraint on the occupancy measure:
//
//   sum_p coefficient_p lambda_p  <=, >= or =  bound.
//
// Visit budgets, the expected cost of an episode, the probability of entering unsafe states,
// minimum coverage and fairness between groups are of this kind.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vapor/core/error.h"
#include "vapor/mdp/shape.h"

namespace vapor {

enum class Sense {
  kAtMost,   // <=
  kAtLeast,  // >=
  kEqual,    // =
};

std::string_view symbol_of(Sense sense);
Sense sense_of(std::string_view symbol, const Place& place);  // throws InputError that lists them

struct Constraint {
  std::string name;
  Sense sense = Sense::kAtMost;
  double bound = 0.0;
  // The terms: pairs, numbered through all states, and what each counts. A pair may come twice
  // until validate_and_normalise() has added them up and put them in order.
  std::vector<Index> pair = {};
  std::vector<double> coefficient = {};

  // The same counts for every action of a state, for every pair of a layer, or by pair of all.
  void add(Index of_pair, double count);
  void add_state(const Shape& shape, Index state, double count);
  void add_layer(const Shape& shape, Index layer, double count);
  void add_cost(std::span<const double> by_pair);

  bool operator==(const Constraint&) const = default;
};

// "constraints[2] ("budget")": how messages name a constraint; the name is left out if it is empty.
std::string constraint_place(std::size_t number, std::string_view name);

// Throws InputError that names the constraint unless every name is there and used once, every bound
// and coefficient is finite and at most 1e100 and every pair exists. The terms are put in order.
void validate_and_normalise(std::vector<Constraint>& constraints, const Shape& shape);

// The left side: what an occupancy measure uses of the bound.
double used_by(const Constraint& constraint, std::span<const double> occupancy);

}  // namespace vapor
