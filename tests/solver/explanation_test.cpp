// The parts of an action's worth, by their definitions.
#include "vapor/solver/explanation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "vapor/core/error.h"
#include "vapor/mdp/problem_builder.h"
#include "vapor/mdp/random_problem.h"
#include "vapor/solver/solve.h"

namespace vapor {
namespace {

// Every action is worth V, and its parts are their formulas.
TEST(Explanation, PartsOfEveryActionSumToTheValueOfTheState) {
  const Problem problem = random_problem({.layers = 4, .states = 3, .actions = 3}, RandomStream(3));
  const Solution solution = solve(problem);
  for (Index layer = 0; layer < 4; ++layer) {
    const Explanation e = explain(problem, solution, layer, 1);
    ASSERT_EQ(e.actions.size(), 3u);
    const Index first = problem.shape.pairs_of(problem.shape.states_of(layer).first() + 1).first();
    double policy = 0.0;
    for (std::size_t a = 0; a < 3; ++a) {
      const ActionReason& reason = e.actions[a];
      policy += reason.policy;
      EXPECT_NEAR(reason.sum, e.V, 1e-9);
      EXPECT_EQ(reason.reward, problem.reward_mean[first + a]);
      EXPECT_NEAR(reason.optimism,
                  problem.sigma[first + a] * std::sqrt(-2.0 * std::log(reason.occupancy)), 1e-12);
      EXPECT_NEAR(reason.optimism * reason.entropy,
                  -problem.sigma[first + a] * problem.sigma[first + a], 1e-12);
      EXPECT_LT(reason.value_after_one_more, 0.0);
    }
    EXPECT_NEAR(policy, 1.0, 1e-12);
    EXPECT_GE(e.value_hangs_on[0].weight, e.value_hangs_on[1].weight);
  }
}

// One more of many observations is a small change, and then the first order is all there is.
TEST(Explanation, OneMoreObservationIsWhatTheSolverFinds) {
  const auto arms = [](double sigma) {
    return ProblemBuilder({1.0}).layer().state({{0.2, sigma}, {0.0, 1.0}}).build();
  };
  const double count = 1e4;
  const Explanation e = explain(arms(1.0), solve(arms(1.0)), 0, 0, count);
  const Problem after = arms(std::sqrt(count / (count + 1.0)));
  const Derivatives before = differentiate(arms(1.0), solve(arms(1.0)));
  const Derivatives then = differentiate(after, solve(after));
  EXPECT_NEAR(e.actions[0].value_after_one_more, then.value() - before.value(), 1e-8);
  EXPECT_NEAR(e.actions[0].policy_after_one_more, then.policy()[0] - before.policy()[0], 1e-8);
}

TEST(Explanation, NamesTheReason) {
  const auto sentence = [](std::initializer_list<ActionSpec> arms) {
    const Problem problem = ProblemBuilder({1.0}).layer().state(arms).build();
    return explain(problem, solve(problem), 0, 0).sentence;
  };
  EXPECT_NE(sentence({{1.0, 1.0}, {0.0, 1.0}}).find("mean reward is higher"), std::string::npos);
  EXPECT_NE(sentence({{0.0, 0.1}, {0.0, 1.0}}).find("less is known about it"), std::string::npos);
  EXPECT_NE(sentence({{0.0, 1.0}, {0.0, 1.0}}).find("as much as"), std::string::npos);
}

TEST(Explanation, RefusesPlacesThatAreNone) {
  const Problem problem =
      ProblemBuilder({1.0, 0.0}).layer().state({{0.0, 1.0}}).state({{0.0, 1.0}}).build();
  const Solution solution = solve(problem);
  EXPECT_THROW(explain(problem, solution, 1, 0), InputError);
  EXPECT_THROW(explain(problem, solution, 0, 2), InputError);
  EXPECT_THROW(explain(problem, solution, 0, 1), InputError);  // no policy arrives
  EXPECT_THROW(explain(problem, solution, 0, 0, 0.0), InputError);
}

}  // namespace
}  // namespace vapor
