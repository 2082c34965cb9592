// Problems with constraints: closed forms, proofs of infeasibility, and what every answer promises.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "tests/solver/stress_problems.h"
#include "vapor/core/error.h"
#include "vapor/mdp/policy.h"
#include "vapor/mdp/random_problem.h"
#include "vapor/solver/k_learning.h"
#include "vapor/solver/solve.h"
#include "vapor/solver/vapor_lite.h"

namespace vapor {
namespace {

// Arms of a bandit: one layer, one state.
ProblemBuilder arms_of(std::vector<ActionSpec> arms) {
  ProblemBuilder builder({1.0});
  builder.layer().state(arms);
  return builder;
}

double vapor_value(double lambda, double sigma) {
  return sigma * lambda * std::sqrt(-2.0 * std::log(lambda));
}

// max f(x) + f(1 - x) subject to x <= b < 1/2: x = b, and the price is the slope f'(b) - f'(1 - b).
TEST(Constraints, TheBudgetOfAnArmHasTheClosedForm) {
  for (double budget : {0.4, 0.1, 1e-3, 1e-9}) {
    const Problem problem = arms_of({{.sigma = 1.0}, {.sigma = 1.0}})
                                .constraint({"budget", {{0, 0, 0, 1.0}}, Sense::kAtMost, budget})
                                .build();
    const Solution solution = solve(problem);
    ASSERT_EQ(solution.status, Status::kSolved) << budget;
    const double value = vapor_value(budget, 1.0) + vapor_value(1.0 - budget, 1.0);
    EXPECT_NEAR(solution.value, value, 2e-9);
    EXPECT_GE(solution.upper_bound(), value * (1.0 - 1e-15));
    EXPECT_LE(solution.occupancy[0], budget);
    EXPECT_EQ(solution.constraint_residual, 0.0);
    const auto slope = [](double x) {
      const double w = std::sqrt(-2.0 * std::log(x));
      return w - 1.0 / w;
    };
    const double price = slope(budget) - slope(1.0 - budget);
    // The tolerance is absolute where the value is small, and the price is no better than that.
    EXPECT_NEAR(solution.constraints[0].price, price, (value < 1e-3 ? 1e-2 : 1e-4) * price);
  }
}

// Without sigma an optimal policy of a constrained problem is randomised: 3 and 1 mixed so that the
// cost is the bound.
TEST(Constraints, WithoutSigmaThePolicyIsRandomised) {
  const Problem problem = arms_of({{.reward_mean = 3.0}, {.reward_mean = 1.0}})
                              .constraint({"cost", {{0, 0, 0, 8.0}}, Sense::kAtMost, 2.0})
                              .build();
  for (RegulariserKind kind : all_regularisers()) {
    const Solution solution = solve(problem, {.regulariser = kind});
    ASSERT_EQ(solution.status, Status::kSolved);
    EXPECT_NEAR(solution.value, 1.5, 2e-9);
    EXPECT_NEAR(solution.policy[0], 0.25, 1e-8);
    EXPECT_NEAR(solution.constraints[0].price, 0.25, 1e-7);
    EXPECT_LE(solution.constraints[0].used, 2.0);
  }
}

// A bound of 0 forbids, exactly, also what can only lead there.
TEST(Constraints, ABoundOfZeroForbidsExactly) {
  ProblemBuilder builder({1.0});
  builder.layer().state({{.reward_mean = 5.0, .sigma = 1.0, .next = {{0, 1.0}}},
                         {.sigma = 1.0, .next = {{0, 0.5}, {1, 0.5}}},
                         {.sigma = 1.0, .next = {{1, 1.0}}},
                         {.sigma = 1.0, .next = {{2, 1.0}}}});
  builder.layer().state({{.sigma = 1.0}, {.sigma = 2.0}}).state({{.sigma = 1.0}}).state({{}, {}});
  builder.constraint({"unsafe", {{1, 0, std::nullopt, 1.0}}, Sense::kAtMost, 0.0})
      .constraint({"cover", {{1, 2, std::nullopt, 1.0}}, Sense::kAtLeast, 0.75});
  const Problem problem = builder.build();
  const Solution solution = solve(problem);
  ASSERT_EQ(solution.status, Status::kSolved);
  for (Index p : {0, 1, 4, 5}) EXPECT_EQ(solution.occupancy[p], 0.0) << p;
  EXPECT_EQ(solution.policy[0], 0.0);
  EXPECT_NEAR(solution.value, vapor_value(0.75, 1.0) + 2.0 * vapor_value(0.25, 1.0), 1e-8);
  EXPECT_TRUE(std::isnan(solution.constraints[0].price));
  EXPECT_LT(solution.constraints[1].price, 0.0);
  EXPECT_EQ(solution.flow_residual, max_flow_residual(problem, solution.occupancy));
  const Solution warm = solve(problem, {}, solution.policy);
  EXPECT_EQ(warm.status, Status::kSolved);
}

TEST(Constraints, WhatIsForbiddenEverywhereIsInfeasible) {
  const Problem problem = arms_of({{.sigma = 1.0}, {.sigma = 1.0}})
                              .constraint({"none", {{0}}, Sense::kAtMost, 0.0})
                              .build();
  const Solution solution = solve(problem);
  EXPECT_EQ(solution.status, Status::kInfeasible);
  EXPECT_LT(solution.infeasibility, 0.0);
  EXPECT_EQ(solution.upper_bound(), -std::numeric_limits<double>::infinity());
}

// Random constraints around a random policy's measure on the problems that are hard without any:
// the answer is feasible, and its bounds hold for that measure.
TEST(Constraints, HardProblemsAreSolvedInsideTheirConstraints) {
  int solved = 0;
  constexpr int kProblems = 300;
  for (int seed = 1; seed <= kProblems; ++seed) {
    Problem problem = stress_problem(seed);
    RandomStream random = RandomStream(seed).split("constraints");
    const std::vector<double> measure = occupancy_of(problem, uniform_policy(problem.shape));
    for (int i = 0; i < 1 + seed % 3; ++i) {
      Constraint c{std::string(1, static_cast<char>('a' + i)),
                   i == 2   ? Sense::kEqual
                   : i == 1 ? Sense::kAtLeast
                            : Sense::kAtMost,
                   0.0};
      for (Index p = 0; p < problem.shape.pairs(); ++p)
        if (random.uniform() < 0.5) c.add(p, random.normal());
      double size = 0.0;
      for (std::size_t t = 0; t < c.pair.size(); ++t)
        size += std::abs(c.coefficient[t]) * measure[c.pair[t]];
      const double room = (i == 2 ? 0.0 : 0.02 * size + 1e-6);
      c.bound = used_by(c, measure) + (i == 1 ? -room : room);
      problem.constraints.push_back(c);
    }
    validate_and_normalise(problem);
    const Solution solution = solve(problem, {.tolerance = 1e-6});
    ASSERT_NE(solution.status, Status::kInfeasible) << seed;
    ASSERT_TRUE(std::isfinite(solution.value)) << seed;
    ASSERT_GE(solution.gap, 0.0) << seed;
    // A feasible measure is never above the bound.
    double reward = 0.0;
    for (std::size_t p = 0; p < measure.size(); ++p) {
      reward += measure[p] * problem.reward_mean[p];
      if (measure[p] > 0.0 && measure[p] < 1.0 - 1e-12)
        reward += vapor_value(measure[p], problem.sigma[p]);
    }
    ASSERT_LE(reward, solution.upper_bound() + 1e-9 * std::max(1.0, std::abs(reward))) << seed;
    if (solution.status != Status::kSolved) continue;
    ++solved;
    ASSERT_LE(solution.constraint_residual, 1e-6) << seed;
    for (const ConstraintUse& use : solution.constraints) {
      ASSERT_TRUE(use.sense != Sense::kAtMost || use.price >= 0.0) << seed;
      ASSERT_TRUE(use.sense != Sense::kAtLeast || use.price <= 0.0) << seed;
    }
  }
  EXPECT_GE(solved, kProblems * 97 / 100) << solved;
}

TEST(Constraints, AWarmStartNeedsNoMoreIterations) {
  Problem problem = random_problem({.layers = 10, .states = 8}, RandomStream(5));
  Constraint cost{"cost", Sense::kAtMost, 0.0};
  for (Index p = 0; p < problem.shape.pairs(); p += 3) cost.add(p, 1.0);
  problem.constraints = {cost};
  problem.constraints[0].bound =
      0.5 * used_by(cost, occupancy_of(problem, uniform_policy(problem.shape)));
  const Solution cold = solve(problem);
  ASSERT_EQ(cold.status, Status::kSolved);
  const Solution warm = solve(problem, {}, cold.policy);
  ASSERT_EQ(warm.status, Status::kSolved);
  EXPECT_LE(warm.iterations, cold.iterations + 1);
  EXPECT_NEAR(warm.value, cold.value, 2e-9 * std::abs(cold.value));
  const Solution by_gradients = solve(problem, {.method = Method::kNewtonCg});
  ASSERT_EQ(by_gradients.status, Status::kSolved);
  EXPECT_NEAR(by_gradients.value, cold.value, 2e-9 * std::abs(cold.value));
}

// Constraints that count nothing say 0 <= b, 0 = b: nothing, or that nothing is feasible.
TEST(Constraints, ConstraintsOnNothing) {
  const auto with = [](Sense sense, double bound) {
    return solve(arms_of({{.sigma = 1.0}, {.sigma = 2.0}})
                     .constraint({"nothing", {}, sense, bound})
                     .build());
  };
  for (Sense sense : {Sense::kAtMost, Sense::kAtLeast, Sense::kEqual})
    EXPECT_EQ(with(sense, 0.0).status, Status::kSolved) << symbol_of(sense);
  EXPECT_EQ(with(Sense::kAtMost, 1.0).status, Status::kSolved);
  EXPECT_EQ(with(Sense::kAtLeast, 1.0).status, Status::kInfeasible);
  EXPECT_EQ(with(Sense::kEqual, 1.0).status, Status::kInfeasible);
}

TEST(Constraints, MethodsThatTakeNoneSaySo) {
  const Problem problem = arms_of({{.sigma = 1.0}, {.sigma = 1.0}})
                              .constraint({"budget", {{0, 0, 0, 1.0}}, Sense::kAtMost, 0.3})
                              .build();
  EXPECT_THROW(solve(problem, {.method = Method::kFrankWolfe}), InputError);
  EXPECT_THROW(solve(problem, {.method = Method::kSaddlePoint}), InputError);
  EXPECT_THROW(solve_k_learning(problem), InputError);
  EXPECT_THROW(solve_vapor_lite(problem, 1.0), InputError);
}

}  // namespace
}  // namespace vapor
