#include "vapor/solver/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "vapor/core/error.h"
#include "vapor/solver/solution.h"
#include "vapor/solver/solve.h"

namespace vapor {
namespace {

using testing::HasSubstr;

// The place that validate() blames after `change`, or "" if it finds nothing.
std::string blamed(const std::function<void(Settings&)>& change) {
  Settings settings;
  change(settings);
  try {
    validate(settings);
  } catch (const InputError& e) {
    return e.place();
  }
  return "";
}

TEST(Settings, TheDefaultsAreGood) {
  EXPECT_EQ(blamed([](Settings&) {}), "");
  EXPECT_EQ(Settings().tolerance, 1e-9);
}

TEST(Settings, TheBadFieldIsNamed) {
  for (double tolerance : {0.0, -1e-9, 1.0, double{NAN}, double{INFINITY}})
    EXPECT_EQ(blamed([&](Settings& s) { s.tolerance = tolerance; }), "tolerance") << tolerance;
  EXPECT_EQ(blamed([](Settings& s) { s.max_iterations = -1; }), "max_iterations");
  for (double seconds : {0.0, -1.0, double{NAN}})
    EXPECT_EQ(blamed([&](Settings& s) { s.max_seconds = seconds; }), "max_seconds") << seconds;
  for (double bytes : {-1.0, double{NAN}})
    EXPECT_EQ(blamed([&](Settings& s) { s.max_bytes = bytes; }), "max_bytes") << bytes;
  for (double bytes : {0.0, -1.0, double{NAN}})
    EXPECT_EQ(blamed([&](Settings& s) { s.max_memory = bytes; }), "max_memory") << bytes;
}

TEST(Settings, TheEndsOfTheRangesAreGood) {
  EXPECT_EQ(blamed([](Settings& s) { s.tolerance = 1e-15; }), "");
  EXPECT_EQ(blamed([](Settings& s) { s.max_bytes = 0.0; }), "");
  EXPECT_EQ(blamed([](Settings& s) { s.max_seconds = INFINITY; }), "");
}

TEST(Settings, ASolverRefusesBadOnes) {
  Settings settings;
  settings.tolerance = 0.0;
  EXPECT_THROW(Solver{settings}, InputError);
}

TEST(Settings, NamesAndBack) {
  EXPECT_EQ(all_methods().size(), 4u);
  for (Method method : all_methods()) EXPECT_EQ(method_of(name_of(method)), method);
  for (RegulariserKind kind : all_regularisers()) EXPECT_EQ(regulariser_of(name_of(kind)), kind);
}

TEST(Settings, AnUnknownNameIsAnsweredWithTheKnownOnes) {
  try {
    method_of("simplex");
    FAIL();
  } catch (const InputError& e) {
    EXPECT_EQ(e.place(), "method");
    EXPECT_THAT(e.what(), HasSubstr("newton, newton_cg, frank_wolfe, saddle_point"));
    EXPECT_THAT(e.what(), HasSubstr("\"simplex\""));
  }
  EXPECT_THROW(regulariser_of(""), InputError);
  EXPECT_THROW(method_of("Newton"), InputError);
}

TEST(Status, EveryOneHasItsName) {
  EXPECT_EQ(name_of(Status::kSolved), "solved");
  EXPECT_EQ(name_of(Status::kStalled), "stalled");
  EXPECT_EQ(name_of(Status::kMaxIterations), "max_iterations");
  EXPECT_EQ(name_of(Status::kTimeLimit), "time_limit");
  EXPECT_EQ(name_of(Status::kInterrupted), "interrupted");
}

TEST(Solution, TheRelativeGapIsRelativeToOneAtLeast) {
  Solution solution;
  solution.gap = 2.0;
  solution.value = 0.1;
  EXPECT_EQ(solution.relative_gap(), 2.0);
  solution.value = -8.0;
  EXPECT_EQ(solution.relative_gap(), 0.25);
  EXPECT_EQ(solution.upper_bound(), -6.0);
}

}  // namespace
}  // namespace vapor
