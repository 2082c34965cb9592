#include "vapor/solver/presolve.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "tests/mdp/ragged_problem.h"
#include "tests/solver/solution_checks.h"
#include "tests/solver/stress_problems.h"
#include "vapor/belief/tabular_belief.h"
#include "vapor/env/deep_sea.h"
#include "vapor/mdp/policy.h"
#include "vapor/solver/newton.h"
#include "vapor/solver/solve.h"

namespace vapor {
namespace {

Reduced reduce(const Problem& problem) {
  Reduced reduced;
  presolve(problem, reduced);
  return reduced;
}

// What presolve would give if it found nothing: every state by itself, except that a forced pair
// and an unreachable state have no VAPOR solution of their own.
Reduced not_reduced(const Problem& problem) {
  Reduced all;
  presolve(problem, all);
  all.problem = problem;
  all.copies.assign(problem.shape.pairs(), 1.0);
  all.reach.assign(problem.shape.pairs(), 1.0);
  all.free.assign(problem.shape.pairs(), 1.0);
  all.state_copies.assign(problem.shape.states(), 1.0);
  all.state_of.resize(problem.shape.states());
  std::iota(all.state_of.begin(), all.state_of.end(), 0);
  all.pair_of.resize(problem.shape.pairs());
  std::iota(all.pair_of.begin(), all.pair_of.end(), 0);
  return all;
}

// A belief about DeepSea in which most of the sea has not been seen.
Problem posterior(Index depth, int episodes) {
  const Environment sea = deep_sea({.depth = depth, .mapping_seed = 1});
  TabularBelief belief({.shape = sea.shape(), .initial = {1.0}, .repeat = 100.0},
                       paper_transform());
  RandomStream random(2);
  for (int i = 0; i < episodes; ++i) belief.update(play(sea, uniform_policy(sea.shape()), random));
  return belief.problem();
}

// The second layer: a state that nothing reaches, one by a probability of 0, and one for certain.
Problem with_unreachable_states() {
  return ProblemBuilder({1.0, 0.0})
      .layer()
      .state({{.reward_mean = 1, .sigma = 1, .next = {{1, 0.0}, {2, 1.0}}},
              {.reward_mean = 2, .sigma = 1, .next = {{2, 1.0}}}})
      .state({{.reward_mean = 100, .sigma = 1, .next = {{0, 1.0}}}})
      .layer()
      .state({{.reward_mean = 100, .sigma = 5}})
      .state({{.reward_mean = 100, .sigma = 5}})
      .state({{.reward_mean = 3, .sigma = 5}})
      .build();
}

TEST(Presolve, DropsWhatNoPolicyReaches) {
  const Reduced reduced = reduce(with_unreachable_states());
  EXPECT_EQ(reduced.state_of, (std::vector<Index>{0, -1, -1, -1, 1}));
  EXPECT_EQ(reduced.problem.shape.states(), 2);
  EXPECT_EQ(reduced.problem.reward_mean, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(reduced.problem.initial, (std::vector<double>{1.0}));
}

TEST(Presolve, SettlesForcedPairs) {
  const Reduced reduced = reduce(with_unreachable_states());
  EXPECT_EQ(reduced.free, (std::vector<double>{1.0, 1.0, 0.0}));
  EXPECT_EQ(reduced.problem.sigma, (std::vector<double>{1.0, 1.0, 0.0}));
}

TEST(Presolve, SolutionsSayNothingOfUnreachableStates) {
  const Problem problem = with_unreachable_states();
  const Solution solution = solve(problem);
  test_support::check_solution(problem, solution);
  for (Index s : {1, 2, 3}) EXPECT_TRUE(std::isnan(solution.values[s])) << s;
  EXPECT_EQ(solution.occupancy[2], 0.0);
  EXPECT_EQ(solution.policy[2], 1.0);
}

// Three alike states of the base, one that differs, one that is also reached otherwise.
Problem with_alike_states() {
  const ActionSpec one{.reward_mean = 1, .sigma = 2};
  const ActionSpec two{.reward_mean = 1, .sigma = 3};
  const ActionSpec three{.reward_mean = 1, .sigma = 4};
  return ProblemBuilder({1.0})
      .layer()
      .state(
          {{.sigma = 1, .base_weight = 1.0}, {.sigma = 1, .next = {{4, 0.5}}, .base_weight = 0.5}})
      .layer({0.2, 0.2, 0.2, 0.2, 0.2})
      .state({one, two})
      .state({one, three})
      .state({one, two})
      .state({one, two})
      .state({one, two})
      .build();
}

TEST(Presolve, MergesExchangeableStates) {
  const Reduced reduced = reduce(with_alike_states());
  EXPECT_EQ(reduced.state_of, (std::vector<Index>{0, 1, 2, 1, 1, 3}));
  EXPECT_EQ(reduced.state_copies, (std::vector<double>{1, 3, 1, 1}));
  EXPECT_EQ(reduced.copies, (std::vector<double>{1, 1, 3, 3, 1, 1, 1, 1}));
  EXPECT_NEAR(reduced.problem.transitions.base[1], 0.6, 1e-15);
}

// Two of three actions are the same in everything, the third in all but sigma.
TEST(Presolve, MergesExchangeableActions) {
  const ActionSpec alike{.reward_mean = 1, .sigma = 2};
  const ActionSpec other{.reward_mean = 1, .sigma = 3};
  const Problem problem = ProblemBuilder({1.0}).layer().state({alike, other, alike}).build();
  const Reduced reduced = reduce(problem);
  EXPECT_EQ(reduced.pair_of, (std::vector<Index>{0, 1, 0}));
  EXPECT_EQ(reduced.copies, (std::vector<double>{2, 1}));
  const Solution solution = solve(problem);
  EXPECT_EQ(solution.policy[0], solution.policy[2]);
  EXPECT_NE(solution.policy[0], solution.policy[1]);
  test_support::check_solution(problem, solution);
}

TEST(Presolve, MergesMostOfAPosterior) {
  const Problem problem = posterior(12, 3);
  EXPECT_LT(reduce(problem).problem.shape.states(), problem.shape.states() / 2);
}

// The same optimum with every state by itself.
TEST(Presolve, MergingChangesNothing) {
  std::vector<Problem> problems = {with_alike_states(), posterior(6, 2), posterior(9, 8)};
  for (Problem& problem : problems) {
    ASSERT_LT(reduce(problem).problem.shape.states(), problem.shape.states());
    const Solution merged = solve(problem);
    const std::vector<double> uniform = uniform_policy(problem.shape);
    Newton<Vapor> newton;
    const ReducedSolution apart = newton.solve(not_reduced(problem), {uniform, 0.0}, {});
    EXPECT_EQ(merged.status, Status::kSolved);
    EXPECT_EQ(apart.status, Status::kSolved);
    EXPECT_NEAR(merged.value, apart.value, 2e-9 * std::max(1.0, std::abs(apart.value)));
    for (std::size_t p = 0; p < apart.occupancy.size(); ++p)
      EXPECT_NEAR(merged.occupancy[p], apart.occupancy[p], 1e-4);
  }
}

// A difference of 1e-12 in the rewards keeps the states apart and the value where it was.
TEST(Presolve, AlmostAlikeStatesHaveAlmostTheSameValue) {
  const Problem problem = posterior(8, 4);
  Problem perturbed = problem;
  RandomStream random(3);
  for (double& r : perturbed.reward_mean) r += 1e-12 * random.uniform();
  ASSERT_GT(reduce(perturbed).problem.shape.states(), reduce(problem).problem.shape.states());
  const Solution a = solve(problem);
  const Solution b = solve(perturbed);
  EXPECT_NEAR(a.value, b.value, 2e-9 * std::max(1.0, std::abs(a.value)));
  for (std::size_t p = 0; p < a.occupancy.size(); ++p)
    EXPECT_NEAR(a.occupancy[p], b.occupancy[p], 1e-4);
}

// States of the first layer that start alike and act alike are merged too, and their actions.
TEST(Presolve, MergesAlikeInitialStates) {
  const ActionSpec arm{.reward_mean = 0.5, .sigma = 1};
  const Problem problem =
      ProblemBuilder({0.5, 0.5}).layer().state({arm, arm}).state({arm, arm}).build();
  EXPECT_EQ(reduce(problem).copies, (std::vector<double>{4}));
  // Four equal pairs: value r + sigma sqrt(2 log 4).
  EXPECT_NEAR(solve(problem).value, 0.5 + std::sqrt(2.0 * std::log(4.0)), 1e-9);
}

TEST(Presolve, ExpandedPoliciesHaveTheExpandedOccupancies) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Problem problem = stress_problem(seed);
    const Reduced reduced = reduce(problem);
    const Shape& small = reduced.problem.shape;
    const std::vector<double> policy = test_support::random_policy(RandomStream(seed), small);
    std::vector<double> lambda(small.pairs()), mass(small.states());
    forward_flow(reduced.problem, policy, lambda, mass);
    std::vector<double> given_policy(problem.shape.pairs()), given_lambda(problem.shape.pairs());
    reduced.expand_policy(problem.shape, policy, given_policy);
    for (Index p = 0; p < small.pairs(); ++p) lambda[p] /= reduced.copies[p];
    reduced.expand_occupancy(lambda, given_lambda);
    std::vector<double> pushed(problem.shape.pairs()), given_mass(problem.shape.states());
    forward_flow(problem, given_policy, pushed, given_mass);
    for (Index p = 0; p < problem.shape.pairs(); ++p)
      ASSERT_NEAR(given_lambda[p], pushed[p], 1e-13) << seed;
    // And back again.
    std::vector<double> reduced_again(small.pairs());
    reduced.reduce_policy(problem.shape, given_policy, reduced_again);
    for (Index p = 0; p < small.pairs(); ++p) ASSERT_NEAR(reduced_again[p], policy[p], 1e-14);
  }
}

TEST(Presolve, ReachIsABoundOnEveryPolicysOccupancy) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Reduced reduced = reduce(stress_problem(seed));
    const Shape& small = reduced.problem.shape;
    std::vector<double> lambda(small.pairs()), mass(small.states());
    for (int i = 0; i < 10; ++i) {
      const RandomStream random = RandomStream(seed).split(i);
      forward_flow(reduced.problem, test_support::random_policy(random, small), lambda, mass);
      for (Index p = 0; p < small.pairs(); ++p)
        ASSERT_LE(lambda[p], reduced.reach[p] * (1.0 + 1e-12)) << seed;
    }
  }
}

// Past bug: a next state that was listed twice counted once.
TEST(Presolve, ReachAddsRepeatedNextStates) {
  const Problem problem =
      ProblemBuilder({1.0})
          .layer()
          .state({{.sigma = 1, .next = {{0, 0.5}, {0, 0.5}}}, {.next = {{1, 1.0}}}})
          .layer()
          .state({{.sigma = 1}, {.sigma = 1}})
          .state({{.sigma = 1}, {.sigma = 2}})
          .build();
  EXPECT_DOUBLE_EQ(reduce(problem).reach[2], 1.0);
}

TEST(Presolve, KeepsNothingOfTheProblemBefore) {
  Reduced reused;
  presolve(posterior(9, 8), reused);
  presolve(with_alike_states(), reused);
  const Reduced fresh = reduce(with_alike_states());
  EXPECT_EQ(reused.problem.shape, fresh.problem.shape);
  EXPECT_EQ(reused.copies, fresh.copies);
  EXPECT_EQ(reused.free, fresh.free);
  EXPECT_EQ(reused.reach, fresh.reach);
  EXPECT_EQ(reused.problem.sigma, fresh.problem.sigma);
  EXPECT_EQ(reused.problem.transitions.base, fresh.problem.transitions.base);
  EXPECT_EQ(reused.problem.transitions.probability, fresh.problem.transitions.probability);
}

}  // namespace
}  // namespace vapor
