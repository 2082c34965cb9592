// Builds a Problem layer by layer, first layer first; next states are numbered within their layer.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "vapor/mdp/problem.h"

namespace vapor {

// One action of a state.
struct ActionSpec {
  double reward_mean = 0.0;
  double sigma = 0.0;
  std::vector<std::pair<Index, double>> next = {};  // (state of the next layer, probability)
  double base_weight = 0.0;
  FamilyPtr family = {};  // of the belief about the reward; none is Gaussian
};

// An action by the belief about its reward (family.h).
inline ActionSpec action_of(const PairBelief& belief,
                            std::vector<std::pair<Index, double>> next = {},
                            double base_weight = 0.0) {
  return {belief.mean, belief.sigma, std::move(next), base_weight, belief.family};
}

// A term of a constraint: what a pair of a layer counts. Without an action the term is one for
// every action of the state, without a state for every pair of the layer.
struct TermSpec {
  Index layer = 0;
  std::optional<Index> state = {};  // numbered within its layer
  std::optional<Index> action = {};
  double coefficient = 1.0;
};

struct ConstraintSpec {
  std::string name;
  std::vector<TermSpec> terms = {};
  Sense sense = Sense::kAtMost;
  double bound = 0.0;
  std::vector<double> cost = {};  // by pair, numbered through all states; added to the terms
};

class ProblemBuilder {
 public:
  explicit ProblemBuilder(std::vector<double> initial);

  // `base` is the base distribution over this layer's states; leave it empty if no pair of the
  // layer before has a base weight.
  ProblemBuilder& layer(std::vector<double> base = {});
  ProblemBuilder& state(std::span<const ActionSpec> actions);
  ProblemBuilder& state(std::initializer_list<ActionSpec> actions) {
    return state(std::span(actions.begin(), actions.size()));
  }

  // Makes the problem stationary: its one layer, which comes after this, leads back into itself,
  // and its base is over its own states.
  ProblemBuilder& discount(double gamma);

  // A constraint on the occupancy (constraint.h); its terms may name layers that come later.
  ProblemBuilder& constraint(ConstraintSpec spec);

  // The finished problem, validated; throws InputError.
  Problem build();

 private:
  Problem problem_;
  std::vector<std::vector<double>> bases_;
  std::vector<ConstraintSpec> constraints_;
};

// The constraint of a specification; throws InputError that names it where a term has no place in
// the shape. `number` is its place among the constraints.
Constraint constraint_of(const ConstraintSpec& spec, const Shape& shape, std::size_t number);

}  // namespace vapor
