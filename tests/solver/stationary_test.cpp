// Discounted, stationary problems: closed forms, the layered program where both say the same, and
// stored answers of other solvers (tests/reference/discounted).
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/solver/solution_checks.h"
#include "vapor/core/error.h"
#include "vapor/core/random.h"
#include "vapor/mdp/policy.h"
#include "vapor/mdp/policy_equations.h"
#include "vapor/mdp/problem_builder.h"
#include "vapor/mdp/problem_file.h"
#include "vapor/mdp/random_problem.h"
#include "vapor/solver/k_learning.h"
#include "vapor/solver/normal_equations.h"
#include "vapor/solver/presolve.h"
#include "vapor/solver/solve.h"

namespace vapor {
namespace {

struct StationarySizes {
  Index states = 6;
  Index actions = 3;
  Index successors = 3;
  double base_weight = 0.0;
};

Problem random_stationary(int seed, double discount, const StationarySizes& sizes = {}) {
  RandomStream random = RandomStream(seed).split("stationary");
  std::vector<double> initial(sizes.states, 0.0);
  initial[0] = 1.0;
  ProblemBuilder builder(initial);
  std::vector<double> base(sizes.base_weight > 0.0 ? sizes.states : 0, 1.0 / sizes.states);
  builder.discount(discount).layer(base);
  for (Index s = 0; s < sizes.states; ++s) {
    std::vector<ActionSpec> actions(sizes.actions);
    for (ActionSpec& action : actions) {
      action.reward_mean = random.normal();
      action.sigma = std::exp(2.0 * random.normal() - 1.0);
      action.base_weight = sizes.base_weight;
      const double share = (1.0 - sizes.base_weight) / sizes.successors;
      for (Index k = 0; k < sizes.successors; ++k)  // the same may come twice, or lead back
        action.next.emplace_back(static_cast<Index>(random.uniform() * sizes.states), share);
    }
    builder.state(actions);
  }
  return builder.build();
}

// One state: whatever is done next comes back, so lambda is a distribution over the actions and the
// discount does not matter.
TEST(Stationary, OneStateIsABandit) {
  const std::vector<ActionSpec> arms = {{.reward_mean = 1.0, .sigma = 0.5},
                                        {.reward_mean = 0.3, .sigma = 2.0},
                                        {.reward_mean = -1.0, .sigma = 1.0}};
  std::vector<ActionSpec> back = arms;
  for (ActionSpec& arm : back) arm.next = {{0, 1.0}};
  const Solution bandit = solve(ProblemBuilder({1.0}).layer().state(arms).build());
  for (double discount : {0.01, 0.5, 0.99, 0.999999}) {
    const Solution solution =
        solve(ProblemBuilder({1.0}).discount(discount).layer().state(back).build());
    ASSERT_EQ(solution.status, Status::kSolved) << discount;
    EXPECT_NEAR(solution.value, bandit.value, 2e-9);
    for (int a = 0; a < 3; ++a) EXPECT_NEAR(solution.policy[a], bandit.policy[a], 1e-5);
  }
}

// A state that stays and one to go to: with one action each, lambda = 1 - gamma and gamma.
TEST(Stationary, TheMeasureOfAPathIsGeometric) {
  const double gamma = 0.75;
  const Problem problem = ProblemBuilder({1.0, 0.0})
                              .discount(gamma)
                              .layer()
                              .state({{.reward_mean = 2.0, .sigma = 1.0, .next = {{1, 1.0}}}})
                              .state({{.reward_mean = -1.0, .sigma = 3.0, .next = {{1, 1.0}}}})
                              .build();
  const Solution solution = solve(problem);
  ASSERT_EQ(solution.status, Status::kSolved);
  EXPECT_DOUBLE_EQ(solution.occupancy[0], 0.25);
  EXPECT_DOUBLE_EQ(solution.occupancy[1], 0.75);
  const double value = 0.25 * (2.0 + std::sqrt(-2.0 * std::log(0.25))) +
                       0.75 * (-1.0 + 3.0 * std::sqrt(-2.0 * std::log(0.75)));
  EXPECT_NEAR(solution.value, value, 1e-13);
  EXPECT_GE(solution.upper_bound(), value * (1.0 - 1e-15));
}

// The layers of a layered problem as the states of a stationary one that ends in a state that
// stays: lambda is c_l = (1 - gamma) gamma^l of the layered measure, and a weighted entropy of c
// lambda is one of lambda with sigma' = c sigma and E r' = c (E r - sigma log c).
TEST(Stationary, LayersUnrolledAreTheLayeredProgram) {
  const double gamma = 0.8;
  for (int seed = 1; seed <= 10; ++seed) {
    RandomStream random = RandomStream(seed);
    const Problem layered = random_problem({.layers = 4, .states = 3, .actions = 2}, random);
    const Shape& shape = layered.shape;
    Problem scaled = layered;
    std::vector<double> initial(shape.states() + 1, 0.0);
    std::copy(layered.initial.begin(), layered.initial.end(), initial.begin());
    ProblemBuilder builder(initial);
    builder.discount(gamma).layer();
    for (Index l = 0; l < shape.layers(); ++l) {
      const double c = (1.0 - gamma) * std::pow(gamma, l);
      for (Index s : shape.states_of(l)) {
        std::vector<ActionSpec> actions;
        for (Index p : shape.pairs_of(s)) {
          const double sigma = layered.sigma[p];
          scaled.sigma[p] = c * sigma;
          scaled.reward_mean[p] = c * (layered.reward_mean[p] - sigma * std::log(c));
          ActionSpec action{.reward_mean = layered.reward_mean[p], .sigma = sigma};
          const Transitions& P = layered.transitions;
          for (Index t : layered.next_states_of(l))
            if (P.base_weight[p] * P.base[t] > 0.0)
              action.next.emplace_back(t, P.base_weight[p] * P.base[t]);
          for (Offset k = P.begin[p]; k < P.begin[p + 1]; ++k)
            action.next.emplace_back(P.next_state[k], P.probability[k]);
          if (l + 1 == shape.layers()) action.next = {{shape.states(), 1.0}};
          actions.push_back(action);
        }
        builder.state(actions);
      }
    }
    const Problem unrolled = builder.state({{.next = {{shape.states(), 1.0}}}}).build();
    const Settings entropy{.regulariser = RegulariserKind::kWeightedEntropy};
    const Solution whole = solve(scaled, entropy);
    const Solution solution = solve(unrolled, entropy);
    ASSERT_EQ(whole.status, Status::kSolved) << seed;
    ASSERT_EQ(solution.status, Status::kSolved) << seed;
    EXPECT_NEAR(solution.value, whole.value, 4e-9) << seed;
    EXPECT_GE(solution.upper_bound(), whole.value);
    EXPECT_GE(whole.upper_bound(), solution.value);
  }
}

// Without sigma the layered program of rewards (1 - gamma) gamma^l E r tends to it with the
// horizon.
TEST(Stationary, ALongHorizonIsTheDiscountedProblem) {
  const double gamma = 0.9;
  constexpr Index kHorizon = 400;  // gamma^400 is below 1e-18
  for (int seed = 1; seed <= 5; ++seed) {
    Problem problem = random_stationary(seed, gamma);
    std::fill(problem.sigma.begin(), problem.sigma.end(), 0.0);
    ProblemBuilder builder(problem.initial);
    const Transitions& P = problem.transitions;
    for (Index l = 0; l < kHorizon; ++l) {
      builder.layer();
      for (Index s = 0; s < problem.shape.states(); ++s) {
        std::vector<ActionSpec> actions;
        for (Index p : problem.shape.pairs_of(s)) {
          ActionSpec& action = actions.emplace_back();
          action.reward_mean = (1.0 - gamma) * std::pow(gamma, l) * problem.reward_mean[p];
          for (Offset k = P.begin[p]; k < P.begin[p + 1] && l + 1 < kHorizon; ++k)
            action.next.emplace_back(P.next_state[k], P.probability[k]);
        }
        builder.state(actions);
      }
    }
    const Problem layered = builder.build();
    const Solution whole = solve(layered);
    const Solution solution = solve(problem);
    EXPECT_EQ(solution.status, Status::kSolved);
    EXPECT_NEAR(solution.value, whole.value, 1e-13) << seed;
    // And the measures, summed over the layers with their weights.
    std::vector<double> sum(problem.shape.pairs(), 0.0);
    for (Index p = 0; p < layered.shape.pairs(); ++p)
      sum[p % problem.shape.pairs()] +=
          (1.0 - gamma) * std::pow(gamma, p / problem.shape.pairs()) * whole.occupancy[p];
    for (Index p = 0; p < problem.shape.pairs(); ++p)
      EXPECT_NEAR(solution.occupancy[p], sum[p], 1e-12) << seed;
  }
}

double stationary_objective(const Problem& problem, const std::vector<double>& lambda) {
  double sum = 0.0;
  for (std::size_t p = 0; p < lambda.size(); ++p) {
    sum += lambda[p] * problem.reward_mean[p];
    if (lambda[p] > 0.0 && lambda[p] < 1.0)
      sum += problem.sigma[p] * lambda[p] * std::sqrt(-2.0 * std::log(lambda[p]));
  }
  return sum;
}

// Any policy's value is below the bound, and the reported measure is that of the reported policy.
TEST(Stationary, TheBoundsHoldForEveryPolicy) {
  for (int seed = 1; seed <= 40; ++seed) {
    const double gamma = seed % 4 == 0 ? 0.9999 : 0.2 * (seed % 4) + 0.3;
    const Problem problem = random_stationary(
        seed, gamma, {.states = 1 + seed % 17, .base_weight = seed % 3 == 0 ? 0.25 : 0.0});
    const Solution solution = solve(problem);
    ASSERT_EQ(solution.status, Status::kSolved) << seed;
    EXPECT_LE(solution.relative_gap(), 1e-9);
    EXPECT_LE(solution.flow_residual, 1e-15);
    double total = 0.0;
    for (double x : solution.occupancy) total += x;
    EXPECT_NEAR(total, 1.0, 1e-13);
    const std::vector<double> measure = occupancy_of(problem, solution.policy);
    for (std::size_t p = 0; p < measure.size(); ++p)
      EXPECT_NEAR(measure[p], solution.occupancy[p], 1e-12) << seed;
    EXPECT_NEAR(stationary_objective(problem, solution.occupancy), solution.value,
                1e-12 * std::max(1.0, std::abs(solution.value)));
    EXPECT_LE(stationary_objective(problem, occupancy_of(problem, uniform_policy(problem.shape))),
              solution.upper_bound());
  }
}

// Sparse, dense and no factor at all solve the same systems.
TEST(Stationary, EveryKindOfFactorFindsTheSameValue) {
  for (int seed = 1; seed <= 3; ++seed) {
    for (double base : {0.0, 0.5}) {
      const Problem problem = random_stationary(
          seed, 0.95, {.states = 200, .actions = 2, .successors = 2, .base_weight = base});
      const Solution solution = solve(problem);
      const Solution gradients = solve(problem, {.method = Method::kNewtonCg});
      ASSERT_EQ(solution.status, Status::kSolved);
      ASSERT_EQ(gradients.status, Status::kSolved);
      EXPECT_NEAR(solution.value, gradients.value, 4e-9 * std::max(1.0, solution.value));
    }
  }
}

TEST(Stationary, TheFactorsInvertTheirMatrix) {
  const Problem problem =
      random_stationary(4, 0.9, {.states = 300, .actions = 2, .successors = 2, .base_weight = 0.3});
  Reduced reduced;
  presolve(problem, reduced);
  const Problem& small = reduced.problem;
  std::vector<double> theta(small.shape.pairs()), x(small.shape.states()), z(x.size());
  RandomStream random(7);
  for (double& t : theta) t = random.uniform() + 0.1;
  for (double& each : x) each = random.normal();
  const FlowOperator J(small);
  std::vector<double> advantage(theta.size()), b(x.size());
  J.apply(x, advantage);
  for (std::size_t p = 0; p < theta.size(); ++p) advantage[p] *= theta[p];
  J.apply_transpose(advantage, b);
  DenseFactor dense;
  dense.reset(small);
  ASSERT_TRUE(dense.factor(theta));
  dense.apply(b, z);
  for (std::size_t s = 0; s < x.size(); ++s) EXPECT_NEAR(z[s], x[s], 1e-10);
  SparseFactor sparse;
  ASSERT_TRUE(sparse.reset(small, std::numeric_limits<double>::infinity(), 1e12));
  ASSERT_TRUE(sparse.factor(theta));
  sparse.apply(b, z);
  for (std::size_t s = 0; s < x.size(); ++s) EXPECT_NEAR(z[s], x[s], 1e-10);
}

TEST(Stationary, TheEquationsOfAPolicyAreSolvedSmallAndLarge) {
  for (Index states : {3, 700}) {
    const Problem problem =
        random_stationary(2, 0.97, {.states = states, .base_weight = states == 3 ? 0.2 : 0.0});
    const std::vector<double> policy = uniform_policy(problem.shape);
    EXPECT_LE(max_flow_residual(problem, occupancy_of(problem, policy)), 1e-14);
    std::vector<double> V(states, 0.0), best(problem.shape.pairs());
    optimal_stationary_policy(problem, problem.reward_mean, 0.97, V, best);
    const double base = base_value(problem.shape, problem.transitions, 0, V);
    for (Index s = 0; s < states; ++s) {
      double most = -std::numeric_limits<double>::infinity();
      for (Index p : problem.shape.pairs_of(s))
        most = std::max(
            most, problem.reward_mean[p] + 0.97 * problem.transitions.expectation(p, V, base));
      EXPECT_NEAR(V[s], most, 1e-10);
    }
  }
}

// A warm start ends at the same value in fewer iterations, and constraints and prices come along:
// the price is what the value gains for the bound.
TEST(Stationary, PricesAreDifferencesOfTheValue) {
  for (int seed = 1; seed <= 8; ++seed) {
    Problem problem = random_stationary(seed, 0.9);
    const Solution free = solve(problem);
    Constraint budget{"budget", Sense::kAtMost, 0.0};
    for (Index p = 0; p < problem.shape.pairs(); p += 2) budget.add(p, 1.0);
    budget.bound = 0.7 * used_by(budget, free.occupancy);
    problem.constraints = {budget};
    const Solution solution = solve(problem, {.tolerance = 1e-11});
    ASSERT_EQ(solution.status, Status::kSolved) << seed;
    EXPECT_LE(solution.constraint_residual, 1e-11);
    EXPECT_LT(solution.value, free.value);
    constexpr double kStep = 1e-4;
    const auto value_at = [&](double bound) {
      Problem moved = problem;
      moved.constraints[0].bound = bound;
      return solve(moved, {.tolerance = 1e-11}).value;
    };
    const double slope =
        (value_at(budget.bound + kStep) - value_at(budget.bound - kStep)) / (2.0 * kStep);
    EXPECT_NEAR(solution.constraints[0].price, slope, 1e-4 * std::max(1.0, slope)) << seed;
    EXPECT_GT(slope, 0.0);
    const Solution warm = solve(problem, {.tolerance = 1e-11}, solution.policy);
    EXPECT_NEAR(warm.value, solution.value, 1e-9);
  }
}

TEST(Stationary, AWarmStartTakesFewerIterations) {
  int cold = 0;
  int warm = 0;
  for (int seed = 1; seed <= 10; ++seed) {
    const Problem problem = random_stationary(seed, 0.95, {.states = 30});
    const Solution first = solve(problem);
    const Solution second = solve(problem, {}, first.policy);
    EXPECT_NEAR(first.value, second.value, 4e-9 * std::max(1.0, first.value));
    cold += first.iterations;
    warm += second.iterations;
  }
  EXPECT_LT(warm, cold);
}

// A bound of 0 forbids, exactly, and through the state space what can only lead there.
TEST(Stationary, ABoundOfZeroForbidsWhatLeadsThere) {
  const Problem problem =
      ProblemBuilder({1.0, 0.0, 0.0})
          .discount(0.9)
          .layer()
          .state({{.sigma = 1.0, .next = {{1, 1.0}}}, {.sigma = 1.0, .next = {{0, 1.0}}}})
          .state({{.reward_mean = 5.0, .sigma = 1.0, .next = {{2, 1.0}}}})
          .state({{.reward_mean = 9.0, .sigma = 1.0, .next = {{0, 1.0}}}})
          .constraint({"unsafe", {{0, 2}}, Sense::kAtMost, 0.0})
          .build();
  const Solution solution = solve(problem);
  ASSERT_EQ(solution.status, Status::kSolved);
  EXPECT_EQ(solution.occupancy[0], 0.0);
  EXPECT_EQ(solution.occupancy[1], 1.0);
  EXPECT_EQ(solution.occupancy[3], 0.0);
}

// States that a discount makes as good as unreachable are dropped, and the bounds say so.
TEST(Stationary, ALongWalkUnderASmallDiscountIsSolved) {
  constexpr Index kStates = 2000;  // 0.5^2000 is no double
  std::vector<double> initial(kStates, 0.0);
  initial[0] = 1.0;
  ProblemBuilder builder(initial);
  builder.discount(0.5).layer();
  for (Index s = 0; s < kStates; ++s)
    builder.state({{.reward_mean = 0.1, .sigma = 0.5, .next = {{std::max(s - 1, 0), 1.0}}},
                   {.sigma = 1.0, .next = {{std::min(s + 1, kStates - 1), 1.0}}}});
  const Solution solution = solve(builder.build());
  EXPECT_EQ(solution.status, Status::kSolved);
  EXPECT_EQ(solution.occupancy[2 * kStates - 1], 0.0);
}

TEST(Stationary, WhatTakesNoDiscountSaysSo) {
  const Problem problem = random_stationary(1, 0.9);
  const auto message_of = [](const auto& act) {
    try {
      act();
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(message_of([&] { solve(problem, {.method = Method::kFrankWolfe}); }),
            "method: frank_wolfe takes no discount; newton and newton_cg do");
  EXPECT_EQ(message_of([&] { solve_k_learning(problem); }),
            "discount: K-learning is for layered problems, which have none");
}

double relative_to(double a, double b) { return std::abs(a - b) / std::max(1.0, std::abs(b)); }

// 60 plain and 60 constrained problems against CVXPY, 20 that are infeasible, and 20 without sigma,
// half of them constrained, against HiGHS.
TEST(Stationary, AgreesWithOtherSolvers) {
  std::ifstream in(VAPOR_SOURCE_DIR "/tests/reference/discounted/problems.json");
  int solved = 0;
  int infeasible = 0;
  int linear = 0;
  for (const nlohmann::json& entry : nlohmann::json::parse(in)) {
    const std::string name = entry["name"];
    SCOPED_TRACE(name);
    std::istringstream text(entry["problem"].dump());
    const Problem problem = read_problem(text);
    const Solution solution = solve(problem);
    if (name.starts_with("infeasible")) {
      EXPECT_EQ(solution.status, Status::kInfeasible);
      EXPECT_LT(solution.infeasibility, 0.0);
      ++infeasible;
      continue;
    }
    EXPECT_EQ(solution.status, Status::kSolved);
    EXPECT_LE(solution.relative_gap(), 1e-9);
    EXPECT_LE(solution.constraint_residual, 1e-9);
    if (name.starts_with("linear")) {
      EXPECT_LE(relative_to(solution.value, entry["linear_program"]), 2e-9);
      EXPECT_LE(relative_to(solution.upper_bound(), entry["linear_program"]), 2e-9);
      ++linear;
      continue;
    }
    EXPECT_EQ(entry["clarabel"]["status"], "optimal");
    EXPECT_LE(relative_to(solution.value, entry["clarabel"]["value"]), 1e-6);
    ++solved;
  }
  EXPECT_EQ(solved, 120);
  EXPECT_EQ(infeasible, 20);
  EXPECT_EQ(linear, 20);
}

}  // namespace
}  // namespace vapor
