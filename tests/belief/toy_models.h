// Small finite beliefs for the tests.
#pragma once

#include <utility>
#include <vector>

#include "vapor/belief/finite_belief.h"
#include "vapor/mdp/problem_builder.h"
#include "vapor/mdp/random_problem.h"

namespace vapor::test_support {

// One state; an action for each reward.
inline Problem bandit(const std::vector<double>& rewards) {
  std::vector<ActionSpec> arms;
  for (double r : rewards) arms.push_back({.reward_mean = r});
  return ProblemBuilder({1.0}).layer().state(arms).build();
}

// The chain of figure 1 with `last` as the reward at its end: two actions in every state, 0 leaves
// the chain and 1 goes on at a cost of `step`.
inline Problem chain(int length, double step, double last) {
  ProblemBuilder builder({1.0});
  for (int l = 0; l < length; ++l) {
    builder.layer();
    if (l + 1 == length) {
      builder.state({{.reward_mean = last}, {.reward_mean = last}});
      if (l > 0) builder.state({{}, {}});
    } else {
      builder.state({{.next = {{1, 1.0}}}, {.reward_mean = -step, .next = {{0, 1.0}}}});
      if (l > 0) builder.state({{.next = {{1, 1.0}}}, {.next = {{1, 1.0}}}});
    }
  }
  return builder.build();
}

inline FiniteBelief toy_belief(int length) {
  return FiniteBelief({{chain(length, 0.01, 1.0)}, {chain(length, 0.01, -1.0)}});
}

// Models of shared random dynamics whose rewards are drawn from `values` possible ones a pair.
inline std::vector<FiniteModel> random_models(int models, int values, RandomStream random) {
  RandomProblemSettings settings;
  settings.layers = 1 + random.index(4);
  settings.states = 1 + random.index(3);
  settings.actions = 1 + random.index(3);
  settings.successors = 1 + random.index(settings.states);
  const Problem base = random_problem(settings, random.split("dynamics"));
  std::vector<FiniteModel> result(models, {base, 1.0});
  for (FiniteModel& model : result) model.weight = random.uniform(0.05, 1.0);
  for (Index p = 0; p < base.shape.pairs(); ++p) {
    std::vector<double> value(values);
    for (double& v : value) v = random.normal();
    for (FiniteModel& model : result) model.problem.reward_mean[p] = value[random.index(values)];
  }
  return result;
}

}  // namespace vapor::test_support
