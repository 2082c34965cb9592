// Seeded hard problems (stress_problems.h): all are to be solved, and whatever happens the answer
// is finite, feasible and honest.
#include <gtest/gtest.h>

#include <string>

#include "tests/solver/solution_checks.h"
#include "tests/solver/stress_problems.h"
#include "vapor/solver/solve.h"

namespace vapor {
namespace {

struct Tally {
  int solved = 0;
  std::string failures;  // seed, status and relative gap of each that was not
};

// Solves the problems of seeds first, ..., last - 1 at tolerance 1e-6.
Tally stress(std::uint64_t first, std::uint64_t last, RegulariserKind kind) {
  Settings settings;
  settings.tolerance = 1e-6;
  settings.regulariser = kind;
  Solver solver(settings);
  Tally tally;
  for (std::uint64_t seed = first; seed < last; ++seed) {
    SCOPED_TRACE("stress_problem(" + std::to_string(seed) + ")");
    const Problem problem = stress_problem(seed);
    const Solution solution = solver.solve(problem);
    test_support::check_solution(problem, solution, kind);
    if (testing::Test::HasFatalFailure()) return tally;
    if (solution.status == Status::kSolved) {
      EXPECT_LE(solution.relative_gap(), 1e-6);
      ++tally.solved;
    } else {
      EXPECT_TRUE(solution.status == Status::kStalled || solution.status == Status::kMaxIterations)
          << name_of(solution.status);
      tally.failures += std::to_string(seed) + " " + std::string(name_of(solution.status)) + " " +
                        std::to_string(solution.relative_gap()) + "\n";
    }
  }
  return tally;
}

TEST(Stress, EveryOneOf300ProblemsIsSolved) {
  const Tally tally = stress(0, 300, RegulariserKind::kVapor);
  EXPECT_EQ(tally.solved, 300) << tally.failures;
}

TEST(Stress, EveryOneOf100WeightedEntropyProblemsIsSolved) {
  const Tally tally = stress(0, 100, RegulariserKind::kWeightedEntropy);
  EXPECT_EQ(tally.solved, 100) << tally.failures;
}

TEST(Stress, LinearIsBackwardInductionWhateverTheSigmas) {
  const Tally tally = stress(0, 100, RegulariserKind::kLinear);
  EXPECT_EQ(tally.solved, 100) << tally.failures;
}

TEST(StressFull, AllButTenOfTenThousandProblemsAreSolved) {
  const Tally tally = stress(0, 10000, RegulariserKind::kVapor);
  EXPECT_GE(tally.solved, 9990) << tally.failures;
}

}  // namespace
}  // namespace vapor
