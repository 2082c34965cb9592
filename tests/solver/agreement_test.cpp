// Newton against the stored answers of independent methods (tests/reference/README.md).
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/solver/solution_checks.h"
#include "vapor/mdp/problem_file.h"
#include "vapor/solver/solve.h"

namespace vapor {
namespace {

const std::string kFolder = VAPOR_SOURCE_DIR "/tests/reference/agreement/";

nlohmann::json stored_values() {
  std::ifstream in(kFolder + "values.json");
  return nlohmann::json::parse(in);
}

double relative(double a, double b) { return std::abs(a - b) / std::max(1.0, std::abs(b)); }

// Calls check(name, problem, what is stored) for the problems whose name begins with `prefix`, and
// returns how many there are.
template <typename Check>
int for_each_problem(const std::string& prefix, Check&& check) {
  int count = 0;
  const nlohmann::json values = stored_values();
  for (auto entry = values.begin(); entry != values.end(); ++entry) {
    const std::string& name = entry.key();
    const nlohmann::json& stored = entry.value();
    if (!name.starts_with(prefix)) continue;
    SCOPED_TRACE(name + ": " + std::string(stored["kind"]));
    check(read_problem_file(kFolder + name + ".json"), stored);
    ++count;
  }
  return count;
}

// [value, upper bound] lies within 1e-6 of the bracket of the dual in NumPy; and by itself it is
// narrow, feasible and honest.
void agrees_with_the_dual(const Problem& problem, const nlohmann::json& stored) {
  const Solution solution = solve(problem);
  EXPECT_EQ(solution.status, Status::kSolved);
  EXPECT_LE(solution.relative_gap(), 1e-9);
  EXPECT_LE(solution.flow_residual, 1e-12);
  EXPECT_LE(relative(solution.value, stored["dual"]["lower"]), 1e-6);
  EXPECT_LE(relative(solution.upper_bound(), stored["dual"]["upper"]), 1e-6);
  // Two brackets of one optimum overlap, up to the rounding of both.
  const double slack = 1e-11 * std::max(1.0, std::abs(solution.value));
  EXPECT_LE(solution.value, stored["dual"]["upper"].get<double>() + slack);
  EXPECT_GE(solution.upper_bound(), stored["dual"]["lower"].get<double>() - slack);
  test_support::check_solution(problem, solution);
}

TEST(Agreement, TheDualOn200RandomProblems) {
  EXPECT_EQ(for_each_problem("random-", agrees_with_the_dual), 200);
}

TEST(Agreement, TheDualOn36DeepSeaPosteriors) {
  EXPECT_EQ(for_each_problem("deep-sea-", agrees_with_the_dual), 36);
}

// Wherever a cone solver's own answer was found good (the presolved columns: nearly everywhere).
TEST(Agreement, ConeSolversWhereTheyAreRight) {
  std::map<std::string, int> agreeing;
  for_each_problem("", [&](const Problem& problem, const nlohmann::json& stored) {
    const double value = solve(problem).value;
    for (const char* solver : {"clarabel", "ecos", "clarabel_presolved", "ecos_presolved"}) {
      if (!stored.contains(solver)) continue;
      SCOPED_TRACE(solver);
      for (const char* claim : {"objective", "value"}) {
        if (!stored[solver][std::string(claim) + "_agrees"].get<bool>()) continue;
        EXPECT_LE(relative(value, stored[solver][claim]), 1e-6) << claim;
        ++agreeing[std::string(solver) + " " + claim];
      }
    }
  });
  EXPECT_GE(agreeing["clarabel objective"], 155 + 36);
  EXPECT_GE(agreeing["ecos objective"], 140 + 36);
  EXPECT_GE(agreeing["clarabel_presolved objective"], 200 + 36);
  EXPECT_GE(agreeing["clarabel_presolved value"], 200 + 36);
  EXPECT_GE(agreeing["ecos_presolved objective"], 198 + 36);
  EXPECT_GE(agreeing["ecos_presolved value"], 198 + 36);
}

TEST(Agreement, ALinearProgramWhereEverySigmaIsZero) {
  int count = 0;
  for_each_problem("random-", [&](const Problem& problem, const nlohmann::json& stored) {
    if (!stored.contains("linear_program")) return;
    const double expected = stored["linear_program"];
    const Solution solution = solve(problem);
    EXPECT_LE(relative(solution.value, expected), 1e-12);
    EXPECT_LE(relative(solution.upper_bound(), expected), 1e-12);
    ++count;
  });
  EXPECT_EQ(count, 40);
}

}  // namespace
}  // namespace vapor
