#include "vapor/solver/solution_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/mdp/ragged_problem.h"
#include "vapor/core/error.h"
#include "vapor/solver/solve.h"

namespace vapor {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

class SolutionFile : public testing::Test {
 protected:
  SolutionFile() { fs::create_directories(folder_); }
  ~SolutionFile() override { fs::remove_all(folder_); }

  void write(const std::string& text) const { std::ofstream(path_) << text; }

  json written(const Shape& shape, const Solution& solution) const {
    write_solution_file(path_, shape, solution, Method::kNewton);
    std::ifstream in(path_);
    return json::parse(in);
  }

  // What read_policy says about the text, which must name the file.
  std::string refusal(const std::string& text) const {
    write(text);
    try {
      read_policy(path_, shape_);
    } catch (const InputError& e) {
      EXPECT_THAT(e.what(), HasSubstr(path_));
      EXPECT_THAT(e.what(), testing::Not(HasSubstr("\n")));
      return e.what();
    }
    ADD_FAILURE() << "was accepted: " << text.substr(0, 200);
    return "";
  }

  const fs::path folder_ =
      fs::path(testing::TempDir()) / ("vapor_solution_" + std::to_string(getpid()));
  const std::string path_ = folder_ / "solution.json";
  // Two layers: one state of two actions, two states of one.
  const Problem problem_ = ProblemBuilder({1.0})
                               .layer()
                               .state({{.sigma = 1, .next = {{0, 1.0}}}, {.next = {{0, 1.0}}}})
                               .layer()
                               .state({{.reward_mean = 1, .sigma = 2}})
                               .state({{.sigma = 1}})
                               .build();
  const Shape& shape_ = problem_.shape;
};

TEST_F(SolutionFile, PoliciesComeBackToTheBit) {
  for (int i = 0; i < 20; ++i) {
    const Problem problem = test_support::ragged_problem(RandomStream(i), 1 + i % 5);
    const Solution solution = solve(problem);
    write_solution_file(path_, problem.shape, solution, Method::kNewton);
    EXPECT_EQ(read_policy(path_, problem.shape), solution.policy);
  }
}

TEST_F(SolutionFile, HoldsTheCertificateAndTheTables) {
  const Problem problem = test_support::ragged_problem(RandomStream(30), 3);
  const Solution solution = solve(problem);
  const json file = written(problem.shape, solution);
  EXPECT_EQ(file["format"], "vapor-solution");
  EXPECT_EQ(file["version"], 1);
  EXPECT_EQ(file["status"], "solved");
  EXPECT_EQ(file["method"], "newton");
  EXPECT_EQ(file["value"].get<double>(), solution.value);
  EXPECT_EQ(file["upper_bound"].get<double>(), solution.upper_bound());
  EXPECT_EQ(file["gap"].get<double>(), solution.gap);
  EXPECT_EQ(file["iterations"].get<int>(), solution.iterations);
  for (const char* table : {"occupancy", "policy", "temperature", "values"}) {
    ASSERT_EQ(file[table].size(), 3u) << table;
    for (Index l = 0; l < 3; ++l)
      EXPECT_EQ(file[table][l].size(), static_cast<std::size_t>(problem.shape.states_of(l).size()));
  }
  for (Index l = 0; l < 3; ++l) {
    const Range states = problem.shape.states_of(l);
    for (Index s : states)
      for (Index p : problem.shape.pairs_of(s))
        EXPECT_EQ(file["occupancy"][l][s - states.first()][p - problem.shape.pairs_of(s).first()]
                      .get<double>(),
                  solution.occupancy[p]);
  }
}

// No temperature without sigma, an infinite one where lambda = 1, no value where nothing arrives.
TEST_F(SolutionFile, WhatDoesNotExistIsNull) {
  const json file = written(shape_, solve(problem_));
  EXPECT_TRUE(file["temperature"][0][0][0].is_number());
  EXPECT_TRUE(file["temperature"][0][0][1].is_null());
  EXPECT_TRUE(file["temperature"][1][0][0].is_null());
  EXPECT_TRUE(file["values"][1][0].is_number());
  EXPECT_TRUE(file["values"][1][1].is_null());
}

TEST_F(SolutionFile, ACertificateHasNoNaN) {
  Solution solution;
  solution.gap = std::numeric_limits<double>::infinity();
  solution.dual_residual = std::numeric_limits<double>::quiet_NaN();
  const json parsed = json::parse("{" + certificate_json(solution, Method::kNewtonCg) + "}");
  EXPECT_TRUE(parsed["gap"].is_null());
  EXPECT_TRUE(parsed["dual_residual"].is_null());
  EXPECT_EQ(parsed["method"], "newton_cg");
}

const std::string kHead = R"({"format": "vapor-solution", "version": 1, "policy": )";

TEST_F(SolutionFile, AGoodFileByHandIsRead) {
  write(kHead + "[[[0.25, 0.75]], [[1], [1.0]]]}");
  EXPECT_EQ(read_policy(path_, shape_), (std::vector<double>{0.25, 0.75, 1.0, 1.0}));
}

TEST_F(SolutionFile, WrongShapesNameThePlace) {
  EXPECT_THAT(refusal(kHead + "[[[0.5, 0.5]]]}"), HasSubstr("policy: must have 2 entries, got 1"));
  EXPECT_THAT(refusal(kHead + "[[[0.5, 0.5]], [[1.0]]]}"), HasSubstr("policy[1]: must have 2"));
  EXPECT_THAT(refusal(kHead + "[[[0.5, 0.25, 0.25]], [[1.0], [1.0]]]}"),
              HasSubstr("policy[0][0]: must have 2 entries, got 3"));
  EXPECT_THAT(refusal(kHead + "[[[0.5, 0.5]], [[1.0], []]]}"), HasSubstr("policy[1][1]"));
  EXPECT_THAT(refusal(kHead + "[[0.5, 0.5], [1.0, 1.0]]}"), HasSubstr("policy[0]"));
  EXPECT_THAT(refusal(kHead + "0.5}"), HasSubstr("policy: must be a list"));
}

TEST_F(SolutionFile, WhatIsNotANumberNamesThePlace) {
  EXPECT_THAT(refusal(kHead + R"([[["0.5", 0.5]], [[1.0], [1.0]]]})"), HasSubstr("policy[0][0]"));
  EXPECT_THAT(refusal(kHead + "[[[null, 0.5]], [[1.0], [1.0]]]}"), HasSubstr("policy[0][0]"));
}

TEST_F(SolutionFile, OtherFormatsAndVersionsAreRefused) {
  EXPECT_THAT(refusal(R"({"format": "vapor-problem", "version": 1})"), HasSubstr("format"));
  EXPECT_THAT(refusal(R"({"version": 1, "policy": []})"), HasSubstr("format"));
  EXPECT_THAT(refusal(R"({"format": "vapor-solution", "version": 2, "policy": []})"),
              HasSubstr("version"));
  EXPECT_THAT(refusal(R"({"format": "vapor-solution", "version": 1})"),
              HasSubstr("policy: is missing"));
}

TEST_F(SolutionFile, WhatIsNotJsonIsRefused) {
  refusal("");
  refusal("hello");
  refusal("[1, 2, 3]");
  refusal("null");
  refusal(kHead + "[[[0.25, 0.75]], [[1], [1.");
  refusal(kHead + "[[[0.25, 0.75]], [[1], [1.0]]]} and more");
  refusal(std::string("\xff\xfe\x00\x01", 4));
}

TEST_F(SolutionFile, DeepBracketsAndHugeFilesAreRefused) {
  refusal(std::string(500000, '['));
  refusal(kHead + std::string(400000, '[') + std::string(400000, ']') + "}");
  refusal(R"({"a": )" + std::string(900000, '[') + "}");
  refusal(std::string(3000000, ' '));
}

TEST_F(SolutionFile, WhatIsNotAFileIsRefused) {
  EXPECT_THROW(read_policy(folder_ / "missing.json", shape_), InputError);
  EXPECT_THROW(read_policy(folder_, shape_), InputError);
}

TEST_F(SolutionFile, AFolderThatDoesNotExistIsRefused) {
  EXPECT_THROW(
      write_solution_file(folder_ / "no" / "such.json", shape_, solve(problem_), Method::kNewton),
      InputError);
}

}  // namespace
}  // namespace vapor
