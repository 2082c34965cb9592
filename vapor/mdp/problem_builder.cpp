#include "vapor/mdp/problem_builder.h"

#include <fmt/format.h>

#include "vapor/core/error.h"

namespace vapor {

ProblemBuilder::ProblemBuilder(std::vector<double> initial) {
  problem_.initial = std::move(initial);
}

ProblemBuilder& ProblemBuilder::layer(std::vector<double> base) {
  if (bases_.empty() && !base.empty())
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
  number_next_states_through_layers(problem);
  validate_and_normalise(problem);
  return problem;
}

}  // namespace vapor
