#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/command/run_command.h"

namespace vapor {
namespace {

using nlohmann::json;
using test_support::Outcome;
using testing::HasSubstr;
namespace fs = test_support::fs;

class ReproduceToyChain : public test_support::CommandTest {
 protected:
  std::vector<std::string> command(const std::vector<std::string>& more) const {
    std::vector<std::string> words = {"reproduce", "toy-chain", "--quick", "--out", path("out")};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
};

TEST_F(ReproduceToyChain, OneObjectOfJson) {
  const Outcome outcome = vapor(command({"--lengths", "4,6", "--repetitions", "3", "--json"}));
  EXPECT_EQ(outcome.exit_code, 0);
  const json answer = json::parse(outcome.out);
  EXPECT_EQ(answer["experiment"], "toy-chain");
  for (const char* rows : {"rows", "one_action_rows"}) {
    ASSERT_EQ(answer[rows].size(), 2u * 8u);
    for (const json& row : answer[rows])
      for (const char* key : {"agent", "L", "episodes", "pi_s1", "pi_sl"})
        EXPECT_TRUE(row.contains(key)) << key;
  }
  EXPECT_EQ(answer["rows"][0]["agent"], "bayes-optimal");
  EXPECT_EQ(answer["rows"][0]["episodes"], 1.0);
  EXPECT_EQ(json::parse(test_support::contents(path("out/findings.json"))), answer);
}

TEST_F(ReproduceToyChain, ATableForPeople) {
  const Outcome outcome = vapor(command({"--lengths", "3", "--repetitions", "3"}));
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("conditional-optimality"));
  EXPECT_THAT(outcome.out, HasSubstr("(0.5, 0.5)"));
}

TEST_F(ReproduceToyChain, BadLengthsAreRefusedAndNothingIsWritten) {
  for (const char* lengths : {"1", "5,x", "5,,6", "-3", "1001", "5.5", "99999999999"})
    EXPECT_THAT(refusal(command({"--lengths", lengths})), HasSubstr("--lengths")) << lengths;
  EXPECT_THAT(refusal(command({"--repetitions", "0"})), HasSubstr("--repetitions"));
  EXPECT_FALSE(fs::exists(path("out")));
}

TEST_F(ReproduceToyChain, SoAreBadOptionsOfRegret) {
  const auto regret = [&](const std::string& option, const std::string& value) {
    return refusal({"reproduce", "regret", "--quick", "--out", path("out"), option, value});
  };
  EXPECT_THAT(regret("--dynamics", "some"), HasSubstr("--dynamics"));
  EXPECT_THAT(regret("--agents", "vapr"), HasSubstr("did you mean vapor?"));
  EXPECT_THAT(regret("--seeds", "0"), HasSubstr("--seeds"));
  EXPECT_THAT(regret("--first-seed", "-1"), HasSubstr("--first-seed"));
  EXPECT_THAT(regret("--episodes", "0"), HasSubstr("--episodes"));
  EXPECT_FALSE(fs::exists(path("out")));
}

}  // namespace
}  // namespace vapor
