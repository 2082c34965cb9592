#include "vapor/mdp/problem_builder.h"

#include <fmt/format.h>

#include "vapor/core/error.h"

namespace vapor {

ProblemBuilder::ProblemBuilder(std::vector<double> initial) {
  problem_.initial = std::move(initial);
}

ProblemBuilder& ProblemBuilder::layer(std::vector<double> base) {
  if (bases_.empty() && !base.empty() && !problem_.stationary())
    throw InputError("layer()", "the first layer has no base, no transition leads to it");
  problem_.shape.add_layer();
  bases_.push_back(std::move(base));
  return *this;
}

ProblemBuilder& ProblemBuilder::state(std::span<const ActionSpec> actions) {
  if (bases_.empty()) throw InputError("layers", "call layer() before state()");
  problem_.shape.add_state(static_cast<Index>(actions.size()));
  // Where the next layer starts is known only once this layer is complete; build() renumbers.
  for (const ActionSpec& action : actions) {
    problem_.reward_mean.push_back(action.reward_mean);
    problem_.sigma.push_back(action.sigma);
    problem_.family.push_back(action.family);
    problem_.transitions.base_weight.push_back(action.base_weight);
    for (const auto& [next, probability] : action.next) {
      problem_.transitions.next_state.push_back(next);
      problem_.transitions.probability.push_back(probability);
    }
    problem_.transitions.begin.push_back(
        static_cast<Offset>(problem_.transitions.next_state.size()));
  }
  return *this;
}

ProblemBuilder& ProblemBuilder::discount(double gamma) {
  problem_.discount = gamma;
  return *this;
}

ProblemBuilder& ProblemBuilder::constraint(ConstraintSpec spec) {
  constraints_.push_back(std::move(spec));
  return *this;
}

Constraint constraint_of(const ConstraintSpec& spec, const Shape& shape, std::size_t number) {
  Constraint constraint = {spec.name, spec.sense, spec.bound};
  const std::string place = constraint_place(number, spec.name);
  std::size_t terms = 0, states = 0, layers = 0;  // of each kind so far, as files list them
  for (const TermSpec& term : spec.terms) {
    const char* kind = term.action ? "terms" : term.state ? "states" : "layers";
    const std::size_t at = term.action ? terms++ : term.state ? states++ : layers++;
    const auto within = [&](const char* what, Index given, Index size) {
      if (given < 0 || given >= size)
        throw InputError(fmt::format("{}.{}[{}]", place, kind, at),
                         fmt::format("{} must be in 0..{}, got {}", what, size - 1, given));
      return given;
    };
    within("layer", term.layer, shape.layers());
    if (!term.state) {
      constraint.add_layer(shape, term.layer, term.coefficient);
      continue;
    }
    const Range of_layer = shape.states_of(term.layer);
    const Index state = of_layer.first() + within("state", *term.state, of_layer.size());
    if (!term.action) {
      constraint.add_state(shape, state, term.coefficient);
      continue;
    }
    const Range pairs = shape.pairs_of(state);
    constraint.add(pairs.first() + within("action", *term.action, pairs.size()), term.coefficient);
  }
  if (!spec.cost.empty() && spec.cost.size() != static_cast<std::size_t>(shape.pairs()))
    throw InputError(place + ".cost", fmt::format("must have {} entries, one a pair, got {}",
                                                  shape.pairs(), spec.cost.size()));
  constraint.add_cost(spec.cost);
  return constraint;
}

Problem ProblemBuilder::build() {
  Problem problem = problem_;
  const Shape& shape = problem.shape;
  Transitions& P = problem.transitions;
  for (Index l = 0; l < shape.layers(); ++l) {
    const Range states = shape.states_of(l);
    std::vector<double> base = bases_[l];
    if (base.empty()) base.assign(states.size(), 0.0);
    if (base.size() != static_cast<std::size_t>(states.size()))
      throw InputError(fmt::format("layers[{}].base", l - 1),
                       fmt::format("must have {} entries, got {}", states.size(), base.size()));
    P.base.insert(P.base.end(), base.begin(), base.end());
  }
  for (std::size_t i = 0; i < constraints_.size(); ++i)
    problem.constraints.push_back(constraint_of(constraints_[i], shape, i));
  number_next_states_through_layers(problem);
  validate_and_normalise(problem);
  return problem;
}

}  // namespace vapor
