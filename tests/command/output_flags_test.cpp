// --json and --quiet of every subcommand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/command/command_words.h"

namespace vapor {
namespace {

using nlohmann::json;
using test_support::Outcome;
using testing::Contains;

using Words = std::vector<std::string>;

class OutputFlags : public test_support::CommandWordsTest {
 protected:
  // A short form of every subcommand that does something, and a key of its JSON.
  struct Row {
    Words words;
    std::string key;
  };
  std::vector<Row> rows() const {
    const std::string problem = path("problem.json");
    const auto reproduce = [this](const std::string& name, const Words& more) {
      return with({"reproduce", name, "--quick", "--out", path(name)}, more);
    };
    return {
        {{"list", "envs"}, "envs"},
        {{"list", "agents"}, "agents"},
        {{"list", "beliefs"}, "beliefs"},
        {{"generate", "random", "--out", problem}, "pairs"},
        {{"generate", "deep-sea", "--depth", "5", "--episodes", "3", "--out", problem}, "pairs"},
        {{"solve", problem}, "status"},
        {{"solve", problem, problem}, "solutions"},
        {{"solve", problem, "--method", "all", "--tol", "0.1", "--trace", path("tr")}, "solutions"},
        {{"bench", "solver", "--depths", "5", "--growth-depths", "5", "--no-peers"}, "cold"},
        {{"run", "--env", "deep_sea:depth=5", "--agent", "vapor", "--episodes", "5", "--out",
          path("runs")},
         "aggregate"},
        {reproduce("toy-chain", {"--lengths", "3", "--repetitions", "2"}), "command"},
        {reproduce("deep-sea", {"--depths", "4", "--seeds", "1", "--agents", "vapor"}), "command"},
        {reproduce("grid-world", {"--size", "3", "--samples", "20", "--seeds", "1"}), "command"},
        {reproduce("four-rooms", {"--sizes", "5", "--seeds", "1", "--agents", "max-entropy"}),
         "command"},
        {reproduce("regret", {"--episodes", "3", "--seeds", "1", "--agents", "vapor"}), "command"},
    };
  }
};

TEST_F(OutputFlags, EverySubcommandHasBoth) {
  for (const Words& words : subcommands()) {
    if (words[0] == "completion") continue;
    SCOPED_TRACE(testing::PrintToString(words));
    EXPECT_THAT(completions(with(words, {"--"})), Contains("--json"));
    EXPECT_THAT(completions(with(words, {"--"})), Contains("--quiet"));
  }
}

TEST_F(OutputFlags, JsonIsOneObjectAndQuietIsNothing) {
  for (const Row& row : rows()) {
    SCOPED_TRACE(testing::PrintToString(row.words));
    const Outcome people = vapor(row.words);
    EXPECT_EQ(people.exit_code, 0) << people.err;
    EXPECT_NE(people.out, "");
    const Outcome quiet = vapor(with(row.words, {"--quiet"}));
    EXPECT_EQ(quiet.exit_code, 0);
    EXPECT_EQ(quiet.out + quiet.err, "");
    for (const Words& flags : {Words{"--json"}, Words{"--json", "--quiet"}}) {
      const Outcome outcome = vapor(with(row.words, flags));
      EXPECT_EQ(outcome.exit_code, 0);
      const json answer = json::parse(outcome.out, nullptr, /*allow_exceptions=*/false);
      ASSERT_TRUE(answer.is_object()) << outcome.out;
      EXPECT_TRUE(answer.contains(row.key)) << row.key;
    }
  }
}

TEST_F(OutputFlags, FindingsSayWhichCommandMadeThem) {
  const Words words = {"reproduce", "toy-chain", "--quick",   "--lengths", "3,4", "--repetitions",
                       "2",         "--out",     path("out"), "--threads", "1",   "--json"};
  const json findings = json::parse(vapor(words).out);
  EXPECT_EQ(findings["format"], "vapor-findings");
  EXPECT_EQ(findings["format_version"], 1);
  EXPECT_EQ(findings["command"], "vapor reproduce toy-chain --quick --lengths 3,4 --repetitions 2");
  EXPECT_EQ(json::parse(test_support::contents(path("out/findings.json"))), findings);
  // It is the command that reproduces them.
  Words again = {"reproduce",     "toy-chain", "--quick", "--lengths",   "3,4",
                 "--repetitions", "2",         "--out",   path("again"), "--json"};
  EXPECT_EQ(json::parse(vapor(again).out), findings);
}

}  // namespace
}  // namespace vapor
