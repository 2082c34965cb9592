#include "vapor/mdp/belief_json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <string>

#include "vapor/core/error.h"
#include "vapor/mdp/problem_file.h"

namespace vapor {

// Beliefs in place of sigmas.
namespace {

const char* const kWithBeliefs = R"({"format": "vapor-problem", "version": 1, "initial": [1],
  "layers": [{"reward_mean": [[0.5, 0.25, 1, 0.1, 2]],
              "sigma": [[0.5, null, null, null, null]],
              "belief": [[null, {"family": "beta", "alpha": 1, "beta": 3},
                          {"family": "gamma", "shape": 2, "scale": 0.5},
                          {"family": "bounded", "low": 0, "high": 1},
                          {"family": "mixture", "components": [
                            {"weight": 1, "mean": 0, "sigma": 2},
                            {"weight": 3, "mean": 1,
                             "belief": {"family": "samples", "values": [1, 2, 4]}}]}]]}]})";

Problem read_text(const std::string& text) {
  std::istringstream in(text);
  return read_problem(in);
}

std::string refusal_of(const std::string& what, const std::string& with) {
  std::string text = kWithBeliefs;
  text.replace(text.find(what), what.size(), with);
  try {
    read_text(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST(ProblemFileBeliefs, FamiliesInPlaceOfSigmas) {
  const Problem problem = read_text(kWithBeliefs);
  ASSERT_EQ(problem.family.size(), 5u);
  EXPECT_EQ(problem.family[0], nullptr);
  EXPECT_DOUBLE_EQ(problem.sigma[0], 0.5);
  EXPECT_TRUE(same_family(problem.family[1], beta_belief(1, 3).family));
  EXPECT_DOUBLE_EQ(problem.sigma[1], beta_belief(1, 3).sigma);
  EXPECT_DOUBLE_EQ(problem.reward_mean[2], 1.0);
  EXPECT_DOUBLE_EQ(problem.sigma[2], std::sqrt(2.0) * 0.5);
  EXPECT_DOUBLE_EQ(problem.family[3]->atom(), 0.1);
}

TEST(ProblemFileBeliefs, ReadBackToTheSame) {
  const Problem problem = read_text(kWithBeliefs);
  std::ostringstream out;
  write_problem(out, problem);
  const Problem again = read_text(out.str());
  EXPECT_EQ(problem.sigma, again.sigma);
  ASSERT_EQ(problem.family.size(), again.family.size());
  for (std::size_t p = 0; p < problem.family.size(); ++p)
    EXPECT_TRUE(same_family(problem.family[p], again.family[p])) << p;
}

TEST(ProblemFileBeliefs, RefusalsNameThePlace) {
  EXPECT_EQ(refusal_of("\"alpha\": 1", "\"alpha\": -1"),
            "layers[0].belief[0][1].alpha: must be between 0.01 and 1000000, got -1");
  EXPECT_EQ(refusal_of("\"alpha\": 1", "\"alfa\": 1"), "layers[0].belief[0][1].alpha: missing");
  EXPECT_EQ(refusal_of("\"alpha\": 1", "\"alpha\": 1, \"x\": 2"),
            "layers[0].belief[0][1]: unknown key \"x\"; known are family, alpha, beta, low, high, "
            "sigma");
  EXPECT_EQ(refusal_of("\"beta\", ", "\"cauchy\", "),
            "layers[0].belief[0][1].family: must be gaussian, beta, gamma, exponential, laplace, "
            "two_point, bounded, samples or mixture, got \"cauchy\"");
  EXPECT_EQ(refusal_of("[[0.5, null", "[[0.5, 1"),
            "layers[0].belief[0][1]: must be null, sigma is given");
  EXPECT_EQ(refusal_of("[[0.5, null", "[[null, null"),
            "layers[0].sigma[0][0]: must be a number, got null");
  EXPECT_EQ(refusal_of("\"belief\": [[null, ", "\"belief\": [[3, "),
            "layers[0].belief[0][0]: must be an object or null, got a number");
  EXPECT_EQ(refusal_of("[1, 2, 4]", "[[1], 2]"),
            "layers[0].belief[0][4].components[1].belief.values: must be a list of numbers");
  EXPECT_EQ(refusal_of("\"high\": 1", "\"high\": 0.05"),
            "layers[0].belief[0][3].mean: must be between 0 and 0.05, got 0.1");
}

TEST(ProblemFileBeliefs, AFunctionHasNoPlaceInAFile) {
  Problem problem = read_text(kWithBeliefs);
  set_belief(problem, 1, function_belief(0.0, {.values = [](double b) -> CumulantValues {
                                           return {0.5 * b * b, b, 1.0};
                                         }}));
  std::ostringstream out;
  EXPECT_THROW(write_problem(out, problem), InputError);
}

}  // namespace vapor
