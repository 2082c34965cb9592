// A model as the tools of probabilistic verification and planning state it: one state space with
// choices, and named rewards. It becomes a problem by the name of a reward and either a horizon or
// a discount.
#pragma once

#include <string>
#include <vector>

#include "vapor/mdp/problem.h"

namespace vapor {

struct ExplicitModel {
  Shape shape;              // one layer
  Transitions transitions;  // which leads back into it, without a base
  std::vector<Index> initial_states;
  std::vector<std::string> reward_names;
  std::vector<std::vector<double>> rewards;  // by name, by pair: of the state and of the choice
};

struct ModelSettings {
  std::string reward = {};   // which; may be left empty if the model has one
  bool minimise = false;     // it is a cost, and counts negatively
  Index horizon = 0;         // layers, each with all states of the model, or
  double discount = 0.0;     // of a stationary problem: one of the two, not both
  double sigma = 0.0;        // of every pair, and
  double sigma_share = 0.0;  // so much of its |reward| more
};

// The problem, validated: the first state is any of the initial ones, equally likely. A state that
// is never left and pays nothing has sigma 0. Throws InputError that names the setting or the
// place.
Problem problem_of(const ExplicitModel& model, const ModelSettings& settings);

}  // namespace vapor
