// What people see on a terminal, and what programs see elsewhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/command/run_command.h"
#include "tests/command/terminal_session.h"

namespace vapor {
namespace {

using test_support::contents;
using test_support::OnTerminal;
using test_support::TerminalSession;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

using Words = std::vector<std::string>;

class Terminal : public test_support::CommandTest {
 protected:
  static std::string shown(const Words& arguments, const Words& variables,
                           OnTerminal streams = OnTerminal::kBoth,
                           const std::string& other = "/dev/null") {
    Words words = {VAPOR_COMMAND};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return TerminalSession(words, variables, streams, other).shown();
  }
  Words run(int seeds) const {
    return {"run", "--env",   "deep_sea:depth=5",    "--agent", "vapor",     "--episodes",
            "30",  "--seeds", std::to_string(seeds), "--out",   path("runs")};
  }
};

const Words kList = {"list", "envs"};

TEST_F(Terminal, ColourIsForTerminalsThatWantIt) {
  EXPECT_THAT(shown(kList, {"TERM=xterm"}), HasSubstr("\033[1m"));
  EXPECT_THAT(shown(kList, {"TERM=xterm", "NO_COLOR=1"}), Not(HasSubstr("\033")));
  // The convention says: present and not an empty string.
  EXPECT_THAT(shown(kList, {"TERM=xterm", "NO_COLOR="}), HasSubstr("\033[1m"));
  EXPECT_THAT(shown(kList, {"TERM=dumb"}), Not(HasSubstr("\033")));
  EXPECT_THAT(shown(kList, {}), AllOf(HasSubstr("deep_sea"), Not(HasSubstr("\033"))));
}

TEST_F(Terminal, EachStreamDecidesForItself) {
  const Words wrong = {"run", "--episods", "3"};
  EXPECT_THAT(shown(wrong, {"TERM=xterm"}), HasSubstr("\033[1;31mvapor:\033[0m"));
  EXPECT_THAT(shown(wrong, {"TERM=xterm", "NO_COLOR=1"}), Not(HasSubstr("\033")));
  shown(wrong, {"TERM=xterm"}, OnTerminal::kOut, path("err"));
  EXPECT_THAT(contents(path("err")), testing::StartsWith("vapor: --episods"));
  shown(kList, {"TERM=xterm"}, OnTerminal::kErr, path("out"));
  EXPECT_THAT(contents(path("out")), AllOf(HasSubstr("deep_sea"), Not(HasSubstr("\033"))));
}

// It waits for the bar however long the machine takes to show it.
TEST_F(Terminal, ALongRunShowsABarWithTheTimeLeft) {
  Words words = {VAPOR_COMMAND, "run",     "--env", "deep_sea:depth=30", "--agent", "vapor",
                 "--episodes",  "1000000", "--out", path("runs")};
  TerminalSession session(words, {"TERM=xterm"});
  EXPECT_THAT(
      session.shown_until(" left"),
      AllOf(HasSubstr("\r\033[K[...."), HasSubstr("of 1,000,000 episodes"), HasSubstr("%")));
}

TEST_F(Terminal, MeansHaveTheirErrorInTheCharactersOfTheLocale) {
  EXPECT_THAT(shown(run(3), {"LANG=en_GB.UTF-8"}), HasSubstr(" ± "));
  EXPECT_THAT(shown(run(3), {"LANG=en_GB.UTF-8", "LC_ALL=C"}),
              AllOf(HasSubstr(" +- "), Not(HasSubstr("±"))));
  EXPECT_THAT(shown(run(3), {}), HasSubstr(" +- "));
  EXPECT_THAT(shown(run(3), {"LC_CTYPE=C.utf8"}), HasSubstr(" ± "));
}

// The columns of a table end on one character, whatever bytes it takes.
TEST_F(Terminal, TablesAreAligned) {
  const std::string out = shown({"reproduce", "grid-world", "--quick", "--size", "3", "--samples",
                                 "20", "--seeds", "3", "--out", path("out")},
                                {"LANG=C.UTF-8"});
  const std::size_t begin = out.find("shared  the same");
  std::istringstream table(out.substr(out.find("grid-world"), begin - out.find("grid-world")));
  std::string line;
  std::getline(table, line);  // the title
  std::size_t width = 0;
  int lines = 0;
  while (std::getline(table, line)) {
    if (line.size() < 20) continue;
    const auto columns = static_cast<std::size_t>(std::count_if(
        line.begin(), line.end(), [](char c) { return (c & 0xc0) != 0x80 && c != '\r'; }));
    if (width == 0) width = columns;
    EXPECT_EQ(columns, width) << line;
    EXPECT_LE(columns, 100u) << line;
    ++lines;
  }
  EXPECT_EQ(lines, 9);
}

}  // namespace
}  // namespace vapor
