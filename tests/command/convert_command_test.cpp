// vapor convert: models become problem files that vapor solve reads, and what is wrong is named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/command/run_command.h"
#include "vapor/mdp/problem_file.h"

namespace vapor {
namespace {

using test_support::Outcome;
using testing::HasSubstr;

class ConvertCommand : public test_support::CommandTest {
 protected:
  std::string model(const std::string& name) const {
    return VAPOR_SOURCE_DIR "/tests/fuzz/corpus/drn/" + name;
  }
  nlohmann::json solved(const std::vector<std::string>& options) const {
    std::vector<std::string> words = {"convert", "--quiet", "--out", path("problem.json")};
    words.insert(words.end(), options.begin(), options.end());
    const Outcome outcome = vapor(words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return nlohmann::json::parse(vapor({"solve", path("problem.json"), "--json"}).out);
  }
};

// A step pays 1 and is the last with probability 1/3.
TEST_F(ConvertCommand, AChainHasTheValueOfItsSteps) {
  const nlohmann::json discounted = solved({model("good-dtmc"), "--discount", "0.5"});
  // V = 1 + 0.5 (2/3) V.
  EXPECT_NEAR(discounted["discounted_return"], 1.0 / (1.0 - 0.666667 / 2.0), 1e-9);
  EXPECT_NEAR(discounted["value"], 0.5 / (1.0 - 0.666667 / 2.0), 1e-9);
  EXPECT_EQ(discounted["discount"], 0.5);
  const nlohmann::json layered = solved({model("good-dtmc"), "--horizon", "2"});
  EXPECT_NEAR(layered["value"], 1.666667, 1e-12);
  EXPECT_FALSE(layered.contains("discount"));
}

TEST_F(ConvertCommand, AModelOfTwoRewardsTakesANameAndSigma) {
  const nlohmann::json sales =
      solved({model("good-mdp"), "--reward", "sales", "--horizon", "5", "--sigma", "0.5"});
  EXPECT_EQ(sales["status"], "solved");
  const nlohmann::json cost = solved({model("good-mdp"), "--reward", "cost", "--minimise",
                                      "--discount", "0.9", "--sigma-share", "0.1"});
  EXPECT_EQ(cost["status"], "solved");
  const nlohmann::json observed =
      solved({model("good-pomdp"), "--discount", "0.9", "--ignore-observations"});
  EXPECT_NEAR(observed["value"], -1.5e-3, 1e-12);
}

TEST_F(ConvertCommand, WhatIsWrongIsNamedAndNothingIsWritten) {
  const auto refusal = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "convert");
    words.insert(words.end(), {"--out", path("none.json")});
    const Outcome outcome = vapor(words);
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_FALSE(std::filesystem::exists(path("none.json")));
    return outcome.err;
  };
  EXPECT_THAT(refusal({model("a-target-too-large"), "--horizon", "2"}),
              HasSubstr("a-target-too-large: line 11: a target must be in 0..1, got 7\n"));
  EXPECT_THAT(refusal({model("good-mdp"), "--horizon", "2"}),
              HasSubstr("--reward: is needed: the model has sales, cost"));
  EXPECT_THAT(refusal({model("good-mdp"), "--reward", "sales"}),
              HasSubstr("--horizon: is needed, or a discount, and not both"));
  EXPECT_THAT(refusal({model("good-mdp"), "--reward", "sales", "--discount", "2"}),
              HasSubstr("--discount: must be between 0 and 1, got 2"));
  EXPECT_THAT(refusal({path("missing.drn"), "--horizon", "2"}), HasSubstr("cannot be read"));
}

}  // namespace
}  // namespace vapor
