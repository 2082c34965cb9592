// The paper's toy pair (figure 1), two actions in every state, length 3.
#pragma once

#include <memory>
#include <vector>

#include "vapor/belief/finite_belief.h"
#include "vapor/mdp/problem_builder.h"

namespace vapor::test_support {

// Three chain states; action 1 goes right and costs `cost` in all; the end pays `reward`. Pairs 0,
// 1 are the start, 4, 5 the middle of the chain, 8, 9 its end.
inline Problem chain(double reward, double cost) {
  const double step = -cost / 2.0;
  return ProblemBuilder({1.0})
      .layer()
      .state({{.next = {{0, 1.0}}}, {.reward_mean = step, .next = {{1, 1.0}}}})
      .layer()
      .state({{.next = {{0, 1.0}}}, {.next = {{0, 1.0}}}})
      .state({{.next = {{0, 1.0}}}, {.reward_mean = step, .next = {{1, 1.0}}}})
      .layer()
      .state({{}, {}})
      .state({{.reward_mean = reward}, {.reward_mean = reward}})
      .build();
}

inline std::unique_ptr<FiniteBelief> toy_pair(double cost) {
  return std::make_unique<FiniteBelief>(
      std::vector<FiniteModel>{{.problem = chain(1.0, cost)}, {.problem = chain(-1.0, cost)}});
}

}  // namespace vapor::test_support
