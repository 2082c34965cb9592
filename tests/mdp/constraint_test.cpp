#include "vapor/mdp/constraint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "vapor/mdp/problem_builder.h"
#include "vapor/mdp/problem_file.h"

namespace vapor {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Two layers: one state with two actions, then two states with one and two actions.
ProblemBuilder constrained_layers() {
  ProblemBuilder builder({1.0});
  builder.layer().state({{.next = {{0, 0.5}, {1, 0.5}}}, {.next = {{1, 1.0}}}});
  builder.layer().state({{.sigma = 1.0}}).state({{.sigma = 1.0}, {.reward_mean = 1.0}});
  return builder;
}

std::string constrained_file(const std::string& constraints) {
  return R"({"format": "vapor-problem", "version": 1, "initial": [1],
    "constraints": )" +
         constraints + R"(,
    "layers": [
      {"reward_mean": [[0, 0]], "sigma": [[1, 1]], "next": [[[[0, 0.5], [1, 0.5]], [[1, 1]]]]},
      {"reward_mean": [[0], [0, 1]], "sigma": [[1], [1, 0]]}]})";
}

Problem read_with(const std::string& constraints) {
  std::istringstream in(constrained_file(constraints));
  return read_problem(in);
}

std::string constraint_refusal(const std::string& constraints) {
  try {
    read_with(constraints);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Constraint, ShorthandsStandForTheirPairs) {
  const Problem problem =
      constrained_layers()
          .constraint({"pair", {{1, 1, 0, 2.0}}, Sense::kAtMost, 0.5})
          .constraint({"state", {{1, 1, std::nullopt, 3.0}}, Sense::kAtLeast, 0.25})
          .constraint({"layer", {{0, std::nullopt, std::nullopt, 1.0}}, Sense::kEqual, 1.0})
          .constraint({"cost", {}, Sense::kAtMost, 2.0, {1.0, 0.0, 0.0, 4.0, 0.0}})
          .build();
  EXPECT_THAT(problem.constraints[0].pair, ElementsAre(3));
  EXPECT_THAT(problem.constraints[1].pair, ElementsAre(3, 4));
  EXPECT_THAT(problem.constraints[2].pair, ElementsAre(0, 1));
  EXPECT_THAT(problem.constraints[3].pair, ElementsAre(0, 3));
  EXPECT_THAT(problem.constraints[3].coefficient, ElementsAre(1.0, 4.0));
  EXPECT_EQ(used_by(problem.constraints[3], std::vector<double>{0.5, 0, 0, 0.25, 0}), 1.5);
}

TEST(Constraint, FilesStateThemBeforeOrBehindTheLayersAndAddUp) {
  const Problem problem = read_with(R"([
    {"name": "a", "sense": "<=", "bound": 1, "terms": [[1, 1, 0, 2], [1, 1, 0, 1]],
     "states": [[1, 1, 5]], "layers": [[0, -1]], "cost": [[[0, 1]], [[0], [0, 7]]]}])");
  ASSERT_EQ(problem.constraints.size(), 1u);
  EXPECT_THAT(problem.constraints[0].pair, ElementsAre(0, 3, 4));  // -1 + 1 counts nothing
  EXPECT_THAT(problem.constraints[0].coefficient, ElementsAre(-1.0, 8.0, 12.0));
}

TEST(Constraint, WritingAndReadingChangesNothing) {
  const Problem problem =
      constrained_layers()
          .constraint(
              {"a \"quoted\" name", {{1, 1, 0, 0.1}, {0, 0, 1, -1e-17}}, Sense::kEqual, 1e-3})
          .constraint({"none", {}, Sense::kAtMost, 3.0})
          .build();
  std::stringstream file;
  write_problem(file, problem);
  EXPECT_EQ(read_problem(file).constraints, problem.constraints);
}

TEST(Constraint, WhatIsWrongIsSaidWithTheConstraint) {
  const auto one = [](const std::string& rest) { return "[{\"name\": \"x\", " + rest + "}]"; };
  EXPECT_EQ(constraint_refusal(one(R"("sense": "<", "bound": 1, "layers": [[0, 1]])")),
            "constraints[0] (\"x\").sense: must be one of <=, >=, =; got \"<\"");
  EXPECT_EQ(constraint_refusal(one(R"("sense": "<=", "bound": NaN, "layers": [[0, 1]])")),
            "constraints[0] (\"x\").bound: must be a finite number; JSON has no NaN or Infinity");
  EXPECT_EQ(constraint_refusal(one(R"("sense": "<=", "bound": 1, "terms": [[1, 2, 0, 1]])")),
            "constraints[0] (\"x\").terms[0]: state must be in 0..1, got 2");
  EXPECT_EQ(constraint_refusal(one(R"("sense": "<=", "bound": 1, "terms": [[1, 1, 2, 1]])")),
            "constraints[0] (\"x\").terms[0]: action must be in 0..1, got 2");
  EXPECT_EQ(
      constraint_refusal(one(R"("sense": "<=", "bound": 1, "states": [[0, 0, 1], [2, 0, 1]])")),
      "constraints[0] (\"x\").states[1]: layer must be in 0..1, got 2");
  EXPECT_EQ(constraint_refusal(one(R"("sense": "<=", "bound": 1, "states": [[0, 0.5, 1]])")),
            "constraints[0] (\"x\").states[0]: state must be a whole number, got 0.5");
  EXPECT_EQ(constraint_refusal(one(R"("sense": "<=", "bound": 1, "layers": [[0]])")),
            "constraints[0] (\"x\").layers[0]: must be [layer, coefficient], got a list of 1");
  EXPECT_EQ(constraint_refusal(one(R"("sense": "<=", "bound": 1, "cost": [[[0, 1]]])")),
            "constraints[0] (\"x\").cost: must have 2 entries, one a layer, got 1");
  EXPECT_EQ(constraint_refusal(one(R"("sense": "<=", "bound": 1, "cost": [[[0]], [[0], [0, 7]]])")),
            "constraints[0] (\"x\").cost[0][0]: must have 2 entries, one an action as in "
            "reward_mean, got 1");
  EXPECT_EQ(constraint_refusal(one(R"("sense": "<=", "bound": 1)")),
            "constraints[0] (\"x\").terms: missing, and so are states, layers and cost");
  EXPECT_EQ(constraint_refusal(one(R"("sense": "<=", "layers": [[0, 1]])")),
            "constraints[0] (\"x\").bound: missing");
  EXPECT_EQ(constraint_refusal(R"([{"sense": "<=", "bound": 1, "layers": [[0, 1]]}])"),
            "constraints[0].name: missing");
  EXPECT_THAT(constraint_refusal(one(R"("sense": "<=", "bound": 1, "layer": [[0, 1]])")),
              HasSubstr("constraints[0] (\"x\"): unknown key \"layer\"; known are name, terms"));
  EXPECT_EQ(constraint_refusal(one(R"("sense": "<=", "bound": 1e200, "layers": [[0, 1]])")),
            "constraints[0] (\"x\").bound: must be between -1e100 and 1e100, got 1e+200");
  EXPECT_EQ(constraint_refusal(R"([{"name": "x", "sense": "<=", "bound": 1, "layers": [[0, 1]]},
                        {"name": "x", "sense": "=", "bound": 1, "layers": [[0, 1]]}])"),
            "constraints[1] (\"x\").name: is the name of a constraint before it");
  EXPECT_EQ(constraint_refusal("[3]"), "constraints[0]: must be an object, got a number");
  EXPECT_EQ(constraint_refusal("{}"), "constraints: must be a list, got an object");
}

}  // namespace
}  // namespace vapor
