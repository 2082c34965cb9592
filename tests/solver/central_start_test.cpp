#include "vapor/solver/central_start.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/mdp/ragged_problem.h"
#include "tests/solver/stress_problems.h"
#include "vapor/mdp/policy.h"
#include "vapor/mdp/problem_builder.h"
#include "vapor/solver/solve.h"

namespace vapor {
namespace {

// The tables of a sweep, with the measure of a policy.
struct Swept {
  explicit Swept(const Problem& problem) {
    presolve(problem, reduced);
    J.reset(reduced.problem);
    const std::size_t pairs = reduced.problem.shape.pairs();
    policy = uniform_policy(reduced.problem.shape);
    for (auto* t : {&lambda, &reward, &q}) t->resize(pairs);
    mass.resize(reduced.problem.shape.states());
    V.resize(mass.size());
    share.resize(pairs);
    J.push_forward(policy, lambda, mass);
  }

  SweepTables tables() { return {policy, lambda, reward, q, mass, V, share}; }

  Reduced reduced;
  FlowOperator J;
  std::vector<double> policy, lambda, reward, q, mass, V;
  Shares share;
};

Problem two_arms(double better) {
  return ProblemBuilder({1.0})
      .layer()
      .state({{.reward_mean = better, .sigma = 0.0}, {.sigma = 0.0}})
      .build();
}

// Without sigma f' = 0, so the path of a bandit with means h and 0 is mu / (V - h) + mu / V = 1:
// V = h / 2 + mu + sqrt(h^2 / 4 + mu^2), and the share of the worse arm is mu / V.
TEST(CentralStart, SweepsFindThePathOfATwoArmedBandit) {
  const double h = 0.7;
  const double mu = 0.05;
  Swept swept(two_arms(h));
  set_marginal_rewards<Vapor>(swept.reduced, swept.tables());
  for (int i = 0; i < 60; ++i)
    sweep_towards_centre(swept.reduced, swept.J, mu, 0.5, swept.tables());
  const double V = h / 2 + mu + std::sqrt(h * h / 4 + mu * mu);
  // One step from below leaves V short by what the second-order term is; the shares are its own.
  EXPECT_LE(swept.V[0], V + 1e-12);
  EXPECT_NEAR(swept.V[0], V, 0.1 * mu);
  EXPECT_NEAR(swept.policy[1], mu / V, 0.02);
  EXPECT_NEAR(swept.policy[0] + swept.policy[1], 1.0, 1e-12);
}

// sum lambda (V - q) of the uniform policy of the same bandit: half of h.
TEST(CentralStart, TheComplementarityOfAStartIsWhatItGivesUp) {
  Swept swept(two_arms(0.7));
  set_marginal_rewards<Vapor>(swept.reduced, swept.tables());
  EXPECT_NEAR(greedy_complementarity(swept.reduced, swept.J, swept.tables()), 0.35, 1e-15);
}

// Exchangeable arms that are too many to be one: their uniform policy is optimal, and stays.
TEST(CentralStart, AnOptimalPolicyStays) {
  const Problem problem =
      ProblemBuilder({1.0})
          .layer()
          .state({{.sigma = 1.0, .next = {{0, 1.0}}}, {.sigma = 1.0, .next = {{1, 1.0}}}})
          .layer()
          .state({{.reward_mean = 2.0, .sigma = 0.0}})
          .state({{.reward_mean = 2.0, .sigma = 0.0}})
          .build();
  Swept swept(problem);
  const std::vector<double> before = swept.policy;
  move_towards_centre<Vapor>(swept.reduced, swept.J, {.count = 8}, swept.tables());
  EXPECT_EQ(swept.policy, before);
  EXPECT_EQ(solve(problem).iterations, 0);
}

// Whatever the problem: distributions, closer to the optimum than the uniform policy in most.
TEST(CentralStart, SweepsMakePolicies) {
  int closer = 0;
  for (int i = 0; i < 50; ++i) {
    SCOPED_TRACE(i);
    const Problem problem = test_support::ragged_problem(RandomStream(3).split(i), 1 + i % 6);
    Swept swept(problem);
    const auto value = [&] {
      std::vector<double> V(swept.V.size(), 0.0);
      swept.J.push_forward(swept.policy, swept.lambda, swept.mass);
      return certificate<Vapor>(swept.reduced, swept.lambda, V).value;
    };
    const double before = value();
    move_towards_centre<Vapor>(swept.reduced, swept.J, {.count = 8}, swept.tables());
    const Shape& shape = swept.reduced.problem.shape;
    for (Index s = 0; s < shape.states(); ++s) {
      double sum = 0.0;
      for (Index p : shape.pairs_of(s)) {
        EXPECT_GE(swept.policy[p], 0.0);
        sum += swept.policy[p];
      }
      EXPECT_NEAR(sum, 1.0, 1e-12);
    }
    closer += value() >= before ? 1 : 0;
  }
  EXPECT_GT(closer, 40);
}

}  // namespace
}  // namespace vapor
