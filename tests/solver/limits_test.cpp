// What ends a solve from outside leaves bounds that are true, and what does not fit is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <sstream>
#include <vector>

#include "vapor/core/clock.h"
#include "vapor/core/error.h"
#include "vapor/mdp/problem_file.h"
#include "vapor/mdp/random_problem.h"
#include "vapor/solver/equal_temperature.h"
#include "vapor/solver/memory.h"
#include "vapor/solver/normal_equations.h"
#include "vapor/solver/solve.h"

namespace vapor {
namespace {

Problem problem_number(int seed) {
  RandomStream random(seed);
  RandomProblemSettings settings;
  settings.layers = 1 + static_cast<Index>(random.index(8));
  settings.states = 1 + static_cast<Index>(random.index(12));
  settings.successors = 1 + static_cast<Index>(random.index(settings.states));
  settings.base_weight = seed % 3 == 0 ? 0.3 : 0.0;
  settings.zero_sigma_share = seed % 4 == 0 ? 0.5 : 0.0;
  settings.sigma_min = seed % 5 == 0 ? 1e-6 : 0.1;
  return random_problem(settings, random.split("problem"));
}

// Bounds that include their own rounding: the two solves bracket one number.
void expect_one_optimum(const Solution& stopped, const Solution& whole) {
  EXPECT_LE(stopped.value, whole.upper_bound());
  EXPECT_GE(stopped.upper_bound(), whole.value);
  EXPECT_FALSE(std::isnan(stopped.gap));
}

TEST(TimeLimit, BoundsAreTrueWheneverItCuts) {
  int cut = 0;
  for (int seed = 1; seed <= 60; ++seed) {
    const Problem problem = problem_number(seed);
    for (const RegulariserKind regulariser : all_regularisers())
      for (const Method method : all_methods()) {
        if (method == Method::kSaddlePoint && regulariser != RegulariserKind::kVapor) continue;
        SCOPED_TRACE(testing::Message()
                     << seed << " " << name_of(method) << " " << name_of(regulariser));
        Settings settings;
        settings.regulariser = regulariser;
        const Solution whole = solve(problem, settings);
        settings.method = method;
        settings.tolerance = 1e-12;
        for (const double seconds : {1e-9, 2e-5, 1e-4}) {
          settings.max_seconds = seconds;
          const Solution stopped = solve(problem, settings);
          expect_one_optimum(stopped, whole);
          if (stopped.status == Status::kSolved) continue;
          if (stopped.status == Status::kTimeLimit) ++cut;
          EXPECT_GT(stopped.relative_gap(), settings.tolerance);
        }
      }
  }
  EXPECT_GT(cut, 100);
}

Deadline passed_deadline() { return {Clock::now() - std::chrono::seconds(1), 0.5}; }

// One factor of a large problem takes minutes, and so do its conjugate gradients: the clock is
// looked at inside them.
TEST(TimeLimit, EndsAFactorBetweenItsLayers) {
  const Problem problem = problem_number(4);
  const std::vector<double> theta(problem.shape.pairs(), 1.0);
  NormalEquations equations;
  equations.reset(problem, true, 1e9);
  EXPECT_TRUE(equations.factor(theta));
  equations.set_deadline(passed_deadline());
  EXPECT_FALSE(equations.factor(theta));
}

TEST(TimeLimit, EndsConjugateGradients) {
  const Problem problem =
      random_problem({.layers = 30, .states = 20, .actions = 3, .successors = 4}, RandomStream(3));
  const std::vector<double> theta(problem.shape.pairs(), 1.0);
  const std::vector<double> b(problem.shape.states(), 1.0);
  std::vector<double> x(b.size());
  NormalEquations equations;
  equations.reset(problem, false, 1e9);
  ASSERT_TRUE(equations.factor(theta));
  const LinearTolerance tolerance = {.relative = 1e-300, .max_iterations = 100};
  EXPECT_GT(equations.solve(b, x, tolerance), 16);
  equations.set_deadline(passed_deadline());
  EXPECT_EQ(equations.solve(b, x, tolerance), 16);
}

// The policy player of the game is a solve of its own; cut with the rest, its answer is worse than
// the one that it comes to.
TEST(TimeLimit, CutsTheSolvesOfTheSaddlePoint) {
  const Problem problem = problem_number(4);
  Settings settings;
  settings.method = Method::kSaddlePoint;
  settings.progress = [](const Progress&) { return false; };
  const Solution first_answer = solve(problem, settings);
  EXPECT_EQ(first_answer.status, Status::kInterrupted);
  settings.progress = {};
  settings.max_seconds = 1e-9;
  const Solution cut = solve(problem, settings);
  EXPECT_EQ(cut.status, Status::kTimeLimit);
  EXPECT_GT(cut.gap, 1.01 * first_answer.gap);
}

TEST(TimeLimit, IsOfAllInnerSolvesTogether) {
  const Problem problem = problem_number(7);
  const EqualTemperatureSolution whole = solve_equal_temperature(problem);
  EXPECT_EQ(whole.solution.status, Status::kSolved);
  const EqualTemperatureSolution cut = solve_equal_temperature(problem, {.max_seconds = 1e-9});
  EXPECT_EQ(cut.solution.status, Status::kTimeLimit);
  EXPECT_TRUE(std::isfinite(cut.solution.upper_bound()));
  EXPECT_GT(cut.tau, 0.0);
}

TEST(Deadline, PassesOnceItHas) {
  EXPECT_FALSE(Deadline().passed());
  EXPECT_FALSE(Deadline(Clock::now(), INFINITY).passed());
  EXPECT_FALSE(Deadline(Clock::now(), 1e300).passed());
  EXPECT_FALSE(Deadline(Clock::now(), 1000.0).passed());
  EXPECT_TRUE(Deadline(Clock::now() - std::chrono::seconds(1), 0.5).passed());
  EXPECT_TRUE(Deadline(Clock::now() - std::chrono::seconds(1), -5.0).passed());
}

TEST(MemoryLimit, NamesNeedAndLimit) {
  const Problem problem = problem_number(4);
  try {
    solve(problem, {.max_memory = 2000.0});
    FAIL();
  } catch (const InputError& refusal) {
    EXPECT_EQ(refusal.where().setting(), "max_memory");
    EXPECT_THAT(refusal.what(), testing::HasSubstr("2 kB are allowed"));
  }
}

// A factor that does not fit is done without, and a solve that fits is the same as without a limit.
TEST(MemoryLimit, NewtonDoesWithoutItsFactorFirst) {
  const Problem problem =
      random_problem({.layers = 3, .states = 300, .actions = 2, .successors = 3}, RandomStream(1));
  const Solution whole = solve(problem);
  EXPECT_EQ(whole.linear_iterations, 0);
  Settings settings;
  settings.max_memory = 3e6;  // the factor alone takes 8 * 3 * 300 * 300 bytes and more
  const Solution without = solve(problem, settings);
  EXPECT_EQ(without.status, Status::kSolved);
  EXPECT_GT(without.linear_iterations, 0);
  expect_one_optimum(without, whole);
  settings.max_memory = 1e9;
  EXPECT_EQ(solve(problem, settings).policy, whole.policy);
}

TEST(MemoryLimit, EndsTheReadingOfAFile) {
  std::ostringstream text;
  write_problem(text, problem_number(4));
  std::istringstream enough(text.str());
  EXPECT_NO_THROW(read_problem(enough, 1e6));
  std::string many = "{\"format\": \"vapor-problem\", \"version\": 1, \"initial\": [";
  for (int i = 0; i < 1000; ++i) many += "0,";
  std::istringstream in(many);
  try {
    read_problem(in, 1000.0);
    FAIL();
  } catch (const InputError& refusal) {
    EXPECT_THAT(refusal.what(), testing::HasSubstr("initial[40]: the problem takes more memory"));
  }
}

TEST(MemoryLimit, IsToldInUnits) {
  EXPECT_EQ(bytes_text(999.0), "999 bytes");
  EXPECT_EQ(bytes_text(1500.0), "1.5 kB");
  EXPECT_EQ(bytes_text(4e9), "4 GB");
}

}  // namespace
}  // namespace vapor
