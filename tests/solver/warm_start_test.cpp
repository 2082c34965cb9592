#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/mdp/ragged_problem.h"
#include "tests/solver/solution_checks.h"
#include "tests/solver/stress_problems.h"
#include "vapor/belief/tabular_belief.h"
#include "vapor/core/error.h"
#include "vapor/env/deep_sea.h"
#include "vapor/mdp/policy.h"
#include "vapor/solver/solve.h"

namespace vapor {
namespace {

using test_support::check_solution;

void same_optimum(const Solution& a, const Solution& b) {
  const double rounding = 1e-12 * std::max(1.0, std::abs(a.value));
  EXPECT_LE(a.value, b.upper_bound() + rounding);
  EXPECT_LE(b.value, a.upper_bound() + rounding);
}

// All weight on one action of each state: the first, or the last.
std::vector<double> deterministic_policy(const Shape& shape, bool first) {
  std::vector<double> policy(shape.pairs(), 0.0);
  for (Index s = 0; s < shape.states(); ++s)
    policy[first ? shape.pairs_of(s).first() : shape.pairs_of(s).last() - 1] = 1.0;
  return policy;
}

TEST(WarmStart, FromTheSolutionOfAChangedProblemGivesTheSameOptimum) {
  const RandomStream streams(1);
  for (int i = 0; i < 50; ++i) {
    RandomStream random = streams.split(i);
    const Problem before = test_support::ragged_problem(random, 1 + i % 6);
    Problem after = before;
    for (double& r : after.reward_mean) r += 0.1 * random.normal();
    for (double& sigma : after.sigma) sigma *= 1.0 + 0.2 * random.uniform();
    const Solution warm = solve(after, {}, solve(before).policy);
    const Solution cold = solve(after);
    EXPECT_EQ(warm.status, Status::kSolved) << i;
    same_optimum(warm, cold);
    check_solution(after, warm);
  }
}

// Under a loose tolerance a policy that is still good enough is certified as it is; under a strict
// one, and where it is not, the problem is solved.
TEST(WarmStart, APolicyThatIsStillGoodEnoughIsCertifiedAsItIs) {
  int untouched = 0;
  for (int i = 0; i < 50; ++i) {
    RandomStream random = RandomStream(2).split(i);
    const Problem before = test_support::ragged_problem(random, 1 + i % 6);
    Problem after = before;
    for (double& r : after.reward_mean) r += 1e-3 * random.normal();
    const Solution exact = solve(after);
    Settings loose;
    loose.tolerance = 1e-2;
    const Solution warm = solve(after, loose, solve(before).policy);
    EXPECT_EQ(warm.status, Status::kSolved) << i;
    EXPECT_LE(warm.gap, 1e-2 * std::max(1.0, std::abs(warm.value))) << i;
    same_optimum(warm, exact);
    untouched += warm.iterations == 0 ? 1 : 0;
  }
  EXPECT_GT(untouched, 40);
}

// The policy of the optimum of another problem altogether, all of it in the wrong place.
TEST(WarmStart, FromNonsenseGivesTheSameOptimum) {
  Settings settings;
  settings.tolerance = 1e-6;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem = stress_problem(seed);
    const Solution cold = solve(problem, settings);
    for (bool first : {true, false}) {
      const Solution warm = solve(problem, settings, deterministic_policy(problem.shape, first));
      EXPECT_EQ(warm.status, Status::kSolved) << warm.relative_gap();
      same_optimum(warm, cold);
    }
  }
}

TEST(WarmStart, EveryMethodTakesOne) {
  const Problem problem = test_support::ragged_problem(RandomStream(5), 5);
  const Solution cold = solve(problem);
  for (Method method : all_methods()) {
    SCOPED_TRACE(name_of(method));
    Settings settings;
    settings.method = method;
    settings.tolerance = 1e-3;
    const Solution warm = solve(problem, settings, deterministic_policy(problem.shape, true));
    EXPECT_EQ(warm.status, Status::kSolved);
    same_optimum(warm, cold);
    check_solution(problem, warm);
  }
}

// A learning run: every episode's problem from the last episode's policy, with one solver.
TEST(WarmStart, ALearningRunStaysAtTheOptimum) {
  const Environment sea = deep_sea({.depth = 8, .mapping_seed = 1});
  TabularBelief belief({.shape = sea.shape(), .initial = {1.0}, .repeat = 10000.0},
                       reward_only(0.03));
  RandomStream random(2);
  Solver solver;
  Solution warm;
  for (int episode = 0; episode < 40; ++episode) {
    SCOPED_TRACE(episode);
    const Problem problem = belief.problem();
    warm = solver.solve(problem, warm.policy);
    EXPECT_EQ(warm.status, Status::kSolved);
    same_optimum(warm, solve(problem));
    belief.update(play(sea, warm.policy, random));
  }
}

int median_of(std::vector<int> counts) {
  std::ranges::sort(counts);
  return counts[counts.size() / 2];
}

// Depth 20 at high contrast, all episodes from one solver's own solutions: from `start` it takes
// fewer iterations than from the policy of the optimum, and not more than from the uniform one.
TEST(WarmStart, FromTheWayToTheLastOptimumIsFasterThanFromTheOptimum) {
  const Environment sea = deep_sea({.depth = 20, .mapping_seed = 1});
  TabularBelief belief({.shape = sea.shape(), .initial = {1.0}, .repeat = 10000.0},
                       reward_only(0.03));
  RandomStream random(2);
  Solver solver;
  Solution last;
  std::vector<int> from_start, from_policy, cold;
  for (int episode = 0; episode < 60; ++episode) {
    SCOPED_TRACE(episode);
    const Problem problem = belief.problem();
    const Solution next = solver.solve(problem, last);
    EXPECT_EQ(next.status, Status::kSolved);
    check_solution(problem, next);
    EXPECT_NEAR(next.start[0] + next.start[1], 1.0, 1e-12);
    if (episode >= 20) {
      EXPECT_NE(next.start, next.policy);
      const Solution uniform = solver.solve(problem);
      same_optimum(next, uniform);
      from_start.push_back(next.iterations);
      from_policy.push_back(solver.solve(problem, last.policy).iterations);
      cold.push_back(uniform.iterations);
    }
    last = next;
    belief.update(play(sea, last.policy, random));
  }
  EXPECT_LT(median_of(from_start), median_of(from_policy));
  EXPECT_LE(median_of(from_start), median_of(cold));
  EXPECT_LE(*std::ranges::max_element(from_start), 20);
}

// Where the policy is still good enough the way to it is handed on.
TEST(WarmStart, AStartOutlivesASolutionThatIsStillGoodEnough) {
  const Problem problem = test_support::ragged_problem(RandomStream(5), 5);
  const Solution first = solve(problem);
  Settings loose;
  loose.tolerance = 1e-3;
  const Solution again = solve(problem, loose, first);
  EXPECT_EQ(again.iterations, 0);
  EXPECT_EQ(again.start, first.start);
}

// A pair that a constraint forbids has none of the start either.
TEST(WarmStart, AStartKeepsClearOfForbiddenPairs) {
  const auto problem = [](double mean) {
    return ProblemBuilder({1.0})
        .layer()
        .state({{.reward_mean = mean, .sigma = 1}, {.sigma = 0.5}, {.sigma = 2}})
        .constraint({"never", {{0, 0, 2}}, Sense::kAtMost, 0.0})
        .build();
  };
  const Solution first = solve(problem(0.1));
  ASSERT_EQ(first.start.size(), 3u);
  EXPECT_EQ(first.start[2], 0.0);
  const Solution next = solve(problem(0.3), {}, first);
  EXPECT_EQ(next.status, Status::kSolved);
  EXPECT_EQ(next.policy[2], 0.0);
  same_optimum(next, solve(problem(0.3)));
}

// One solver for problems of all shapes gives the bytes that a new one does.
TEST(WarmStart, ASolverForgetsTheProblemBefore) {
  Solver solver;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Problem problem = stress_problem(seed);
    const Solution reused = solver.solve(problem);
    const Solution fresh = solve(problem);
    EXPECT_EQ(reused.value, fresh.value) << seed;
    EXPECT_EQ(reused.gap, fresh.gap) << seed;
    EXPECT_EQ(reused.iterations, fresh.iterations) << seed;
    EXPECT_EQ(reused.policy, fresh.policy) << seed;
  }
}

std::string refusal(const Problem& problem, const std::vector<double>& warm_start) {
  try {
    solve(problem, {}, warm_start);
  } catch (const InputError& e) {
    EXPECT_EQ(e.place(), "warm_start");
    return e.what();
  }
  ADD_FAILURE() << "was accepted";
  return "";
}

TEST(WarmStart, WhatIsNotAPolicyIsRefused) {
  const Problem problem =
      ProblemBuilder({1.0}).layer().state({{.sigma = 1}, {.sigma = 1}, {.sigma = 1}}).build();
  EXPECT_THAT(refusal(problem, {0.5, 0.5}), testing::HasSubstr("3 entries"));
  EXPECT_THAT(refusal(problem, {0.5, 0.7, -0.2}), testing::HasSubstr("-0.2"));
  EXPECT_THAT(refusal(problem, {0.5, 0.25, NAN}), testing::HasSubstr("nan"));
  EXPECT_THAT(refusal(problem, {0.5, INFINITY, 0.0}), testing::HasSubstr("inf"));
  EXPECT_THAT(refusal(problem, {0.5, 0.25, 0.125}), testing::HasSubstr("0.875"));
  EXPECT_NO_THROW(solve(problem, {}, std::vector<double>{0.5, 0.25, 0.25}));
  Solution damaged;
  damaged.policy = {0.5, 0.25, 0.25};
  damaged.start = {0.5, 0.5};
  EXPECT_THROW(solve(problem, {}, damaged), InputError);
}

}  // namespace
}  // namespace vapor
