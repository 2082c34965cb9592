// The methods against each other, and each of them stopped early.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/mdp/ragged_problem.h"
#include "tests/solver/solution_checks.h"
#include "vapor/core/error.h"
#include "vapor/core/random.h"
#include "vapor/mdp/random_problem.h"
#include "vapor/solver/solve.h"

namespace vapor {
namespace {

using test_support::check_solution;

Settings settings_of(Method method, double tolerance) {
  Settings settings;
  settings.method = method;
  settings.tolerance = tolerance;
  return settings;
}

// Forty problems: ragged ones with zero sigmas and forced pairs, and rectangular ones with sparse
// or base transitions.
std::vector<Problem> forty_problems() {
  std::vector<Problem> problems;
  for (int i = 0; i < 20; ++i)
    problems.push_back(test_support::ragged_problem(RandomStream(100 + i), 1 + i % 7));
  for (int i = 0; i < 20; ++i) {
    RandomProblemSettings settings;
    settings.layers = 2 + i % 6;
    settings.states = 1 + i;
    settings.actions = 2 + i % 3;
    settings.successors = std::min<Index>(3, settings.states);
    settings.base_weight = 0.25 * (i % 5);
    settings.sigma_min = i % 2 == 0 ? 0.5 : 0.01;
    settings.zero_sigma_share = i % 3 == 0 ? 0.2 : 0.0;
    problems.push_back(random_problem(settings, RandomStream(i)));
  }
  return problems;
}

// Both brackets hold the one optimum: neither lower bound exceeds the other's upper bound.
void brackets_overlap(const Solution& a, const Solution& b) {
  const double rounding = 1e-12 * std::max(1.0, std::abs(a.value));
  EXPECT_LE(a.value, b.upper_bound() + rounding);
  EXPECT_LE(b.value, a.upper_bound() + rounding);
}

TEST(Methods, AgreeWithinTheirCertifiedGaps) {
  int i = 0;
  for (const Problem& problem : forty_problems()) {
    SCOPED_TRACE(i++);
    const Solution newton = solve(problem, settings_of(Method::kNewton, 1e-9));
    EXPECT_EQ(newton.status, Status::kSolved);
    check_solution(problem, newton);
    for (const auto& [method, tolerance] :
         {std::pair(Method::kNewtonCg, 1e-8), std::pair(Method::kSaddlePoint, 1e-6)}) {
      SCOPED_TRACE(name_of(method));
      const Solution other = solve(problem, settings_of(method, tolerance));
      EXPECT_EQ(other.status, Status::kSolved) << other.relative_gap();
      EXPECT_LE(other.relative_gap(), tolerance);
      brackets_overlap(newton, other);
      check_solution(problem, other);
    }
  }
}

TEST(Methods, FrankWolfeBracketsNewton) {
  int i = 0;
  for (const Problem& problem : forty_problems()) {
    SCOPED_TRACE(i++);
    const Solution newton = solve(problem);
    const Solution other = solve(problem, settings_of(Method::kFrankWolfe, 1e-3));
    EXPECT_EQ(other.status, Status::kSolved) << other.relative_gap();
    brackets_overlap(newton, other);
    check_solution(problem, other);
  }
}

TEST(Methods, WeightedEntropyAgreesToo) {
  int i = 0;
  for (const Problem& problem : forty_problems()) {
    SCOPED_TRACE(i++);
    Settings settings = settings_of(Method::kNewton, 1e-9);
    settings.regulariser = RegulariserKind::kWeightedEntropy;
    const Solution newton = solve(problem, settings);
    EXPECT_EQ(newton.status, Status::kSolved);
    check_solution(problem, newton, RegulariserKind::kWeightedEntropy);
    for (const auto& [method, tolerance] :
         {std::pair(Method::kNewtonCg, 1e-8), std::pair(Method::kFrankWolfe, 1e-2)}) {
      SCOPED_TRACE(name_of(method));
      settings.method = method;
      settings.tolerance = tolerance;
      const Solution other = solve(problem, settings);
      EXPECT_EQ(other.status, Status::kSolved) << other.relative_gap();
      brackets_overlap(newton, other);
      check_solution(problem, other, RegulariserKind::kWeightedEntropy);
    }
  }
}

TEST(Methods, SaddlePointIsForVaporOnly) {
  Settings settings = settings_of(Method::kSaddlePoint, 1e-6);
  settings.regulariser = RegulariserKind::kWeightedEntropy;
  EXPECT_THROW(solve(forty_problems()[0], settings), InputError);
}

// newton falls back to conjugate gradients where its factor would not fit.
TEST(Methods, NewtonStaysBelowItsMemory) {
  for (const Problem& problem : forty_problems()) {
    Settings settings = settings_of(Method::kNewton, 1e-8);
    settings.max_bytes = 0.0;
    const Solution solution = solve(problem, settings);
    EXPECT_EQ(solution.status, Status::kSolved);
    brackets_overlap(solve(problem), solution);
  }
}

// A problem that no method solves in one iteration.
Problem hard_problem() {
  RandomProblemSettings settings;
  settings.layers = 6;
  settings.states = 8;
  settings.sigma_min = 1e-3;
  return random_problem(settings, RandomStream(7));
}

class StoppedMethod : public testing::TestWithParam<Method> {
 protected:
  // The bounds of an unfinished solve are as valid as any.
  static void check_stopped(const Settings& settings, Status expected) {
    const Problem problem = hard_problem();
    const Solution stopped = solve(problem, settings);
    EXPECT_EQ(stopped.status, expected) << name_of(stopped.status);
    EXPECT_GT(stopped.relative_gap(), settings.tolerance);
    check_solution(problem, stopped);
    brackets_overlap(solve(problem), stopped);
  }
};

TEST_P(StoppedMethod, ByItsIterationsKeepsValidBounds) {
  Settings settings = settings_of(GetParam(), 1e-12);
  settings.max_iterations = 1;
  check_stopped(settings, Status::kMaxIterations);
}

// The shortest limit there is has passed by the first look at the clock.
TEST_P(StoppedMethod, ByTheClockKeepsValidBounds) {
  Settings settings = settings_of(GetParam(), 1e-12);
  settings.max_seconds = 1e-300;
  check_stopped(settings, Status::kTimeLimit);
}

TEST_P(StoppedMethod, ByTheCallerKeepsValidBounds) {
  for (int stop_at : {0, 1, 2}) {
    SCOPED_TRACE(stop_at);
    Settings settings = settings_of(GetParam(), 1e-12);
    settings.progress = [&](const Progress& p) { return p.iteration < stop_at; };
    check_stopped(settings, Status::kInterrupted);
  }
}

// What a caller sees: iterations 0, 1, 2, ..., bounds that close in, and the last of them are what
// is returned, where they include their rounding.
TEST_P(StoppedMethod, ReportsItsProgress) {
  std::vector<Progress> seen;
  Settings settings = settings_of(GetParam(), 1e-3);
  settings.progress = [&](const Progress& p) {
    seen.push_back(p);
    return true;
  };
  const Solution solution = solve(hard_problem(), settings);
  EXPECT_EQ(solution.status, Status::kSolved);
  ASSERT_EQ(seen.size(), static_cast<std::size_t>(solution.iterations) + 1);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    EXPECT_EQ(seen[i].iteration, static_cast<int>(i));
    EXPECT_LE(seen[i].lower_bound, seen[i].upper_bound);
    const Progress& before = seen[i > 0 ? i - 1 : 0];
    EXPECT_LE(seen[i].upper_bound - seen[i].lower_bound,
              before.upper_bound - before.lower_bound + 1e-12);
    EXPECT_GE(seen[i].seconds, 0.0);
  }
  EXPECT_NEAR(seen.back().lower_bound, solution.value, 1e-12);
  EXPECT_NEAR(seen.back().upper_bound, solution.upper_bound(), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(All, StoppedMethod,
                         testing::ValuesIn(all_methods().begin(), all_methods().end()),
                         [](const auto& each) { return std::string(name_of(each.param)); });

}  // namespace
}  // namespace vapor
