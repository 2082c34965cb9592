#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/command/run_command.h"
#include "vapor/core/version.h"

namespace vapor {
namespace {

using test_support::Outcome;
using testing::HasSubstr;

class Command : public test_support::CommandTest {};

TEST_F(Command, SaysItsVersion) {
  const Outcome outcome = vapor({"--version"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out, std::string("vapor ") + kVersion + "\n");
  EXPECT_EQ(outcome.err, "");
}

// All that a tour does is tested with its pages, in tests/browser/tour.test.mjs.
TEST_F(Command, TheTourRefusesAnOutThatIsAFile) {
  const std::string file = write("taken", "mine");
  const Outcome outcome = vapor({"tour", "--out", file});
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.error_lines(), 1) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr(file));
  EXPECT_EQ(test_support::contents(file), "mine");
}

TEST_F(Command, EveryHelpHasAnExample) {
  const std::vector<std::vector<std::string>> commands = {{},
                                                          {"solve"},
                                                          {"explain"},
                                                          {"generate"},
                                                          {"generate", "random"},
                                                          {"generate", "deep-sea"},
                                                          {"bench"},
                                                          {"bench", "solver"},
                                                          {"run"},
                                                          {"list"},
                                                          {"list", "envs"},
                                                          {"list", "agents"},
                                                          {"list", "beliefs"}};
  for (std::vector<std::string> command : commands) {
    SCOPED_TRACE(testing::PrintToString(command));
    std::string words = "vapor";
    for (const std::string& word : command) words += " " + word;
    command.push_back("--help");
    const Outcome outcome = vapor(command);
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_EQ(outcome.err, "");
    EXPECT_THAT(outcome.out, HasSubstr("xample"));
    EXPECT_THAT(outcome.out, HasSubstr("  vapor "));
  }
}

TEST_F(Command, UnknownWordsAreRefusedByName) {
  EXPECT_THAT(refusal({"slove"}), HasSubstr("slove"));
  EXPECT_THAT(refusal({"--slow"}), HasSubstr("--slow"));
  EXPECT_THAT(refusal({"solve", "--slow", "x.json"}), HasSubstr("--slow"));
  EXPECT_THAT(refusal({"solve", "x.json", "--method"}), HasSubstr("--method"));
  refusal({"solve"});
  refusal({"generate"});
  refusal({"generate", "nothing"});
  refusal({"generate", "random"});
  refusal({"solve", "generate"});
}

// /dev/full takes no byte.
TEST_F(Command, OutputThatCannotBeWrittenIsNoSuccess) {
  const std::string problem = path("problem.json");
  ASSERT_EQ(vapor({"generate", "random", "--out", problem}).exit_code, 0);
  EXPECT_NE(vapor({"solve", problem, "--json"}, "/dev/null", "/dev/full").exit_code, 0);
  EXPECT_NE(vapor({"generate", "random", "--out", "-"}, "/dev/null", "/dev/full").exit_code, 0);
  refusal({"generate", "random", "--out", "/dev/full"});
}

}  // namespace
}  // namespace vapor
