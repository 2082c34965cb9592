// Help, and what is said about a mistake.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/command/command_words.h"
#include "tests/command/terminal_session.h"

namespace vapor {
namespace {

using test_support::Outcome;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Help : public test_support::CommandWordsTest {
 protected:
  // Every subcommand and those above them.
  std::vector<Words> all_commands() const {
    std::vector<Words> all = {{}};
    for (const Words& words : subcommands())
      for (std::size_t n = 1; n <= words.size(); ++n)
        if (const Words part(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(n));
            std::ranges::find(all, part) == all.end())
          all.push_back(part);
    return all;
  }
};

TEST_F(Help, HasExamplesAndFitsATerminal) {
  EXPECT_GE(all_commands().size(), 20u);
  for (const Words& words : all_commands()) {
    SCOPED_TRACE(testing::PrintToString(words));
    const Outcome outcome = vapor(with(words, {"--help"}));
    EXPECT_EQ(outcome.exit_code, 0);
    std::string name = "vapor";
    for (const std::string& word : words) name += " " + word;
    EXPECT_THAT(outcome.out, AllOf(HasSubstr("Usage: " + name), HasSubstr("xample"),
                                   HasSubstr("  " + name.substr(0, name.rfind(' ')))));
    std::istringstream text(outcome.out);
    for (std::string line; std::getline(text, line);) EXPECT_LE(line.size(), 100u) << line;
  }
}

// docs/command.md shows the help of most subcommands: as it is now.
TEST_F(Help, TheDocumentationShowsIt) {
  const std::string text = test_support::contents(VAPOR_SOURCE_DIR "/docs/command.md");
  int shown = 0;
  const std::string begin = "```\n$ vapor ";
  for (std::size_t at = text.find(begin); at != std::string::npos;
       at = text.find(begin, at + begin.size())) {
    const std::size_t line = at + begin.size();
    const std::size_t end = text.find('\n', line);
    std::istringstream command(text.substr(line, end - line));
    Words words;
    for (std::string word; command >> word;) words.push_back(word);
    if (words.back() != "--help") continue;
    EXPECT_EQ(text.substr(end + 1, text.find("```", end) - end - 1), vapor(words).out);
    ++shown;
  }
  EXPECT_GE(shown, 10);
}

TEST_F(Help, SaysTheDefaults) {
  EXPECT_THAT(vapor({"run", "--help"}).out,
              AllOf(HasSubstr("Episodes of each run (default: 1000)"), HasSubstr("(required)")));
  EXPECT_THAT(vapor({"reproduce", "deep-sea", "--help"}).out,
              HasSubstr("(default: 10; with --quick 4)"));
}

TEST_F(Help, CallsTheProgramByItsName) {
  test_support::TerminalSession session({VAPOR_COMMAND, "solve", "--help"},
                                        {"VAPOR_PROGRAM=./run"});
  EXPECT_THAT(session.shown(),
              AllOf(HasSubstr("Usage: ./run solve"), HasSubstr("  ./run solve problem.json"),
                    Not(HasSubstr("  vapor solve"))));
}

TEST_F(Help, AMistypedWordGetsASuggestionAndTheHelpToRead) {
  struct Mistake {
    Words words;
    std::string suggestion, help;
  };
  const std::vector<Mistake> mistakes = {
      {{"slove"}, "solve", "vapor"},
      {{"generate", "deepsea"}, "deep-sea", "vapor generate"},
      {{"reproduce", "deep-see"}, "deep-sea", "vapor reproduce"},
      {{"run", "--episods", "3"}, "--episodes", "vapor run"},
      {{"run", "--evn=deep_sea", "--agent", "vapor"}, "--env", "vapor run"},
      {{"reproduce", "regret", "--agent", "vapor"}, "--agents", "vapor reproduce regret"},
      {{"run", "--env", "deep_see", "--agent", "vapor"}, "deep_sea", "vapor run"},
      {{"run", "--env", "deep_sea:dept=3", "--agent", "vapor"}, "depth", "vapor run"},
      {{"run", "--env", "deep_sea", "--agent", "thomson"}, "thompson", "vapor run"},
      {{"run", "--env", "deep_sea", "--agent", "vapor", "--belief", "tabluar"},
       "tabular",
       "vapor run"},
      {{"run", "--env", "deep_sea", "--agent", "vapor", "--stop", "covred"},
       "covered",
       "vapor run"},
      {{"solve", "x.json", "--method", "newtn"}, "newton", "vapor solve"},
      {{"solve", "x.json", "--regulariser", "vapour"}, "vapor", "vapor solve"},
      {{"reproduce", "four-rooms", "--agents", "max-entropy,max-entropi"},
       "max-entropy",
       "vapor reproduce four-rooms"},
      {{"reproduce", "deep-sea", "--setting", "contras"}, "contrast", "vapor reproduce deep-sea"},
  };
  for (const Mistake& mistake : mistakes) {
    SCOPED_TRACE(testing::PrintToString(mistake.words));
    EXPECT_THAT(refusal(mistake.words), AllOf(HasSubstr("did you mean " + mistake.suggestion + "?"),
                                              HasSubstr("see " + mistake.help + " --help\n")));
  }
}

TEST_F(Help, WhatIsMissingIsNamedWithTheHelpToRead) {
  EXPECT_THAT(refusal({"generate"}), HasSubstr("see vapor generate --help"));
  EXPECT_THAT(refusal({"run"}), AllOf(HasSubstr("--env"), HasSubstr("see vapor run --help")));
  EXPECT_THAT(refusal({"solve"}), HasSubstr("see vapor solve --help"));
}

TEST_F(Help, NumbersAreDecimalAndRangesShort) {
  const Words run = {"run", "--env", "toy_chain", "--agent", "thompson", "--out", path("runs")};
  EXPECT_THAT(vapor(with(run, {"--episodes", "010", "--json"})).out,
              HasSubstr("\"episodes\": 10,"));
  for (const char* wrong : {"0x10", "1e3", "3.5", "ten", "", "-1", "99999999999999999999"}) {
    SCOPED_TRACE(wrong);
    const std::string line = refusal(with(run, {"--checkpoint-every", wrong}));
    EXPECT_THAT(line, HasSubstr("--checkpoint-every"));
    EXPECT_LE(line.size(), 120u) << line;
  }
}

TEST_F(Help, ContradictionsAreRefused) {
  const Words run = {"run", "--env", "deep_sea", "--agent", "vapor", "--out", path("runs")};
  EXPECT_THAT(refusal(with(run, {"--stop", "never", "--stop-when-solved"})),
              HasSubstr("contradicts --stop never"));
  EXPECT_FALSE(test_support::fs::exists(path("runs")));
}

// A comma before key=value belongs to the settings of the agent before it.
TEST_F(Help, AListOfAgentsHoldsTheirSettings) {
  const Outcome outcome =
      vapor({"reproduce", "deep-sea", "--quick", "--depths", "4", "--seeds", "1", "--setting",
             "contrast", "--agents", "vapor-lite:c=2,schedule=false,thompson,ucbvi:scale=0.5",
             "--episodes", "50", "--out", path("out"), "--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* agent :
       {"\"vapor-lite:c=2,schedule=false\"", "\"thompson\"", "\"ucbvi:scale=0.5\""})
    EXPECT_THAT(outcome.out, HasSubstr(agent));
  EXPECT_THAT(refusal({"reproduce", "deep-sea", "--agents", "vapor,c=2"}), HasSubstr("--agents"));
  EXPECT_THAT(refusal({"reproduce", "deep-sea", "--agents", "vapor,"}), HasSubstr("--agents"));
}

}  // namespace
}  // namespace vapor
