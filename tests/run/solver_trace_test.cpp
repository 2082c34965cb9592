#include "vapor/run/solver_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/record/temporary_folder.h"
#include "vapor/mdp/random_problem.h"
#include "vapor/record/trace_record.h"
#include "vapor/solver/solve.h"

namespace vapor {
namespace {

using testing::ElementsAre;

class SolverTrace : public test_support::FolderTest {
 protected:
  static Problem problem() {
    RandomProblemSettings settings;
    settings.layers = 5;
    settings.states = 6;
    settings.sigma_min = 1e-3;
    return random_problem(settings, RandomStream(1));
  }
};

// Bounds that hold, only ever get closer, and end where the solve says it ended.
TEST_F(SolverTrace, BoundsCloseOnTheOptimum) {
  const double optimum = solve(problem()).value;
  const Settings settings = {.tolerance = 1e-3};
  const auto solutions = trace_methods(
      problem(), "random.json", methods_for(problem(), settings.regulariser), settings, path("t"));
  ASSERT_EQ(solutions.size(), 4u);
  for (const MethodSolution& made : solutions) {
    SCOPED_TRACE(name_of(made.method));
    EXPECT_EQ(made.trace, path("t") + "/" + std::string(name_of(made.method)));
    const TraceRecord record = read_trace(made.trace);
    EXPECT_TRUE(record.run.finished);
    EXPECT_EQ(record.run.definition["method"], name_of(made.method));
    const NumberTable& trace = record.trace;
    ASSERT_EQ(trace.rows(), static_cast<std::size_t>(made.solution.iterations) + 1);
    for (std::size_t i = 0; i < trace.rows(); ++i) {
      EXPECT_EQ(trace.column("iteration")[i], static_cast<double>(i));
      EXPECT_LE(trace.column("lower_bound")[i], optimum + 1e-8);
      EXPECT_GE(trace.column("upper_bound")[i], optimum - 1e-8);
      if (i == 0) continue;
      EXPECT_GE(trace.column("seconds")[i], trace.column("seconds")[i - 1]);
      EXPECT_GE(trace.column("lower_bound")[i], trace.column("lower_bound")[i - 1]);
      EXPECT_LE(trace.column("upper_bound")[i], trace.column("upper_bound")[i - 1]);
    }
    EXPECT_GE(trace.rows(), 2u);
    // The best bounds may come from different iterations, which only makes them closer.
    EXPECT_LE(trace.column("upper_bound").back() - trace.column("lower_bound").back(),
              made.solution.gap + 1e-8);
  }
}

TEST_F(SolverTrace, WithoutAFolderNothingIsWritten) {
  const auto methods = std::vector{Method::kNewton};
  const auto solutions = trace_methods(problem(), "p", methods, {}, "");
  EXPECT_EQ(solutions[0].solution.value, solve(problem()).value);
  EXPECT_EQ(solutions[0].trace, "");
}

TEST_F(SolverTrace, AProblemWithoutIterationsHasOneRow) {
  const Settings settings = {.regulariser = RegulariserKind::kLinear};
  trace_methods(problem(), "p", std::vector{Method::kNewton}, settings, path("t"));
  const TraceRecord record = read_trace(path("t/newton"));
  EXPECT_EQ(record.trace.rows(), 1u);
  EXPECT_NEAR(record.trace.column("lower_bound")[0], record.trace.column("upper_bound")[0], 1e-9);
}

TEST_F(SolverTrace, TheGameIsForVaporAlone) {
  EXPECT_THAT(methods_for(problem(), RegulariserKind::kWeightedEntropy),
              ElementsAre(Method::kNewton, Method::kNewtonCg, Method::kFrankWolfe));
}

TEST_F(SolverTrace, TheCallersProgressFunctionStopsIt) {
  int calls = 0;
  Settings settings;
  settings.progress = [&](const Progress&) { return ++calls < 3; };
  const auto solutions =
      trace_methods(problem(), "p", std::vector{Method::kNewton}, settings, path("t"));
  EXPECT_EQ(solutions[0].solution.status, Status::kInterrupted);
  EXPECT_EQ(read_trace(path("t/newton")).trace.rows(), 3u);
}

}  // namespace
}  // namespace vapor
