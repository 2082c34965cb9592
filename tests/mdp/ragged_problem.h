// Small random problems for the tests of this folder: layers of 1 to 4 states, states of 1 to 3
// actions, sparse successors with zeros and repetitions, with or without a base.
#pragma once

#include <utility>
#include <vector>

#include "vapor/core/random.h"
#include "vapor/mdp/problem.h"
#include "vapor/mdp/problem_builder.h"

namespace vapor::test_support {

inline std::vector<double> random_distribution(RandomStream& random, Index size) {
  std::vector<double> p(size);
  double sum = 0.0;
  for (double& x : p) sum += x = random.gamma(0.7);
  for (double& x : p) x /= sum;
  return p;
}

inline ActionSpec random_action(RandomStream& random, Index next_states, bool use_base) {
  ActionSpec action;
  action.reward_mean = random.normal();
  action.sigma = random.index(5) == 0 ? 0.0 : random.gamma(1.0);
  if (next_states == 0) return action;
  const Index successors = use_base ? random.index(4) : 1 + random.index(4);
  const std::vector<double> p = random_distribution(random, successors + (use_base ? 1 : 0));
  for (Index k = 0; k < successors; ++k) action.next.push_back({random.index(next_states), p[k]});
  if (use_base) action.base_weight = p.back();
  return action;
}

inline Problem ragged_problem(RandomStream random, Index layers) {
  std::vector<Index> states(layers + 1, 0);
  for (Index l = 0; l < layers; ++l) states[l] = 1 + random.index(4);
  ProblemBuilder builder(random_distribution(random, states[0]));
  bool has_base = false;
  for (Index l = 0; l < layers; ++l) {
    builder.layer(has_base ? random_distribution(random, states[l]) : std::vector<double>{});
    has_base = l + 1 < layers && random.index(2) == 0;
    for (Index s = 0; s < states[l]; ++s) {
      std::vector<ActionSpec> actions;
      const Index count = 1 + random.index(3);
      for (Index a = 0; a < count; ++a)
        actions.push_back(random_action(random, states[l + 1], has_base && random.index(3) > 0));
      builder.state(actions);
    }
  }
  return builder.build();
}

// P(s' | pair) for all states s' of the problem, from the definition.
inline std::vector<double> dense_row(const Problem& problem, Index layer, Index pair) {
  const Transitions& P = problem.transitions;
  std::vector<double> row(problem.shape.states(), 0.0);
  for (Offset k = P.begin[pair]; k < P.begin[pair + 1]; ++k)
    row[P.next_state[k]] += P.probability[k];
  if (layer + 1 < problem.shape.layers())
    for (Index s : problem.shape.states_of(layer + 1)) row[s] += P.base_weight[pair] * P.base[s];
  return row;
}

// The same MDP with every transition listed and no base.
inline Problem dense_expansion(const Problem& problem) {
  const Shape& shape = problem.shape;
  ProblemBuilder builder(problem.initial);
  for (Index l = 0; l < shape.layers(); ++l) {
    builder.layer();
    for (Index s : shape.states_of(l)) {
      std::vector<ActionSpec> actions;
      for (Index p : shape.pairs_of(s)) {
        ActionSpec action{problem.reward_mean[p], problem.sigma[p], {}, 0.0};
        const std::vector<double> row = dense_row(problem, l, p);
        if (l + 1 < shape.layers())
          for (Index t : shape.states_of(l + 1))
            action.next.push_back({t - shape.states_of(l + 1).first(), row[t]});
        actions.push_back(action);
      }
      builder.state(actions);
    }
  }
  return builder.build();
}

inline std::vector<double> random_policy(RandomStream random, const Shape& shape) {
  std::vector<double> policy;
  for (Index s = 0; s < shape.states(); ++s)
    for (double p : random_distribution(random, shape.pairs_of(s).size())) policy.push_back(p);
  return policy;
}

}  // namespace vapor::test_support
