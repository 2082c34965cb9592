// Shell completion: by asking the command, and by a real bash.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/command/command_words.h"
#include "tests/command/terminal_session.h"

namespace vapor {
namespace {

using test_support::Outcome;
using test_support::TerminalSession;
using testing::AllOf;
using testing::Contains;
using testing::ContainsRegex;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class Completion : public test_support::CommandWordsTest {
 protected:
  std::string command_folder() const {
    return std::filesystem::path(VAPOR_COMMAND).parent_path().string();
  }

  std::string script(const std::string& shell) const {
    const Outcome outcome = vapor({"completion", shell});
    EXPECT_EQ(outcome.exit_code, 0);
    return outcome.out;
  }

  // What bash would offer at the end of the line, by the function that the script registers.
  Words offered_by_bash(const std::string& line) const {
    write("script", script("bash"));
    write("ask", R"bash(source ./script
function="$(complete -p "${1%% *}")"
function="${function#*-F }"
function="${function%% *}"
COMP_LINE="$1" COMP_POINT=${#1}
COMP_WORDBREAKS=$' \t\n"\'><=;|&(:'
"$function"
printf '%s\n' "${COMPREPLY[@]}" > offered
)bash");
    TerminalSession bash(
        {"bash", "--norc", "-c", "cd \"$0\" && source ./ask \"$1\"", folder_, line},
        {"TERM=dumb", "PATH=/usr/bin:/bin"});
    bash.shown();
    EXPECT_EQ(bash.exit_code(), 0);
    Words lines;
    std::istringstream text(test_support::contents(path("offered")));
    for (std::string each; std::getline(text, each);)
      if (!each.empty()) lines.push_back(each);
    return lines;
  }
};

TEST_F(Completion, SubcommandsAndTheirOptions) {
  EXPECT_THAT(completions({""}), AllOf(Contains("run"), Contains("solve"), Contains("completion")));
  EXPECT_THAT(completions({"sol"}), ElementsAre("solve"));
  EXPECT_THAT(completions({"generate", ""}), ElementsAre("random", "deep-sea"));
  EXPECT_THAT(completions({"reproduce", ""}),
              AllOf(Contains("deep-sea"), Contains("toy-chain"), Not(Contains("--help"))));
  EXPECT_THAT(completions({"run", "--stop"}), ElementsAre("--stop", "--stop-when-solved"));
  // What was given is not offered again.
  EXPECT_THAT(completions({"run", "--env", "deep_sea", "--e"}), ElementsAre("--episodes"));
  EXPECT_THAT(completions({"nonsense", ""}), IsEmpty());
}

TEST_F(Completion, TheValuesOfAnOption) {
  EXPECT_THAT(completions({"run", "--env", "d"}), ElementsAre("deep_sea"));
  EXPECT_THAT(completions({"run", "--env=d"}), ElementsAre("--env=deep_sea"));
  EXPECT_THAT(completions({"run", "--agent", "vapor"}),
              ElementsAre("vapor", "vapor-lite", "vapor-equal-temperature"));
  EXPECT_THAT(completions({"run", "--belief", ""}),
              ElementsAre("tabular", "paper", "contrast", "finite"));
  EXPECT_THAT(completions({"run", "--stop", ""}), ElementsAre("never", "solved", "covered"));
  EXPECT_THAT(completions({"solve", "--method", ""}),
              ElementsAre("newton", "newton_cg", "frank_wolfe", "saddle_point", "all"));
  EXPECT_THAT(completions({"solve", "--regulariser", "w"}), ElementsAre("weighted_entropy"));
  EXPECT_THAT(completions({"run", "--episodes", ""}), IsEmpty());
  EXPECT_THAT(completions({"solve", ""}), ElementsAre(":file"));
  EXPECT_THAT(completions({"solve", "--warm-start", ""}), ElementsAre(":file"));
  EXPECT_THAT(completions({"run", "--out", ""}), ElementsAre(":folder"));
}

TEST_F(Completion, TheSettingsOfASpec) {
  EXPECT_THAT(completions({"run", "--env", "deep_sea:d"}), ElementsAre("deep_sea:depth="));
  EXPECT_THAT(completions({"run", "--env", "deep_sea:depth=3,s"}),
              ElementsAre("deep_sea:depth=3,stochastic="));
  EXPECT_THAT(completions({"run", "--env", "deep_sea:stochastic="}),
              ElementsAre("deep_sea:stochastic=true", "deep_sea:stochastic=false"));
  EXPECT_THAT(completions({"run", "--env", "deep_sea:depth=3,"}),
              Not(Contains("deep_sea:depth=3,depth=")));
  EXPECT_THAT(completions({"reproduce", "deep-sea", "--agents", "vapor,thom"}),
              ElementsAre("vapor,thompson"));
  EXPECT_THAT(
      completions({"reproduce", "deep-sea", "--agents", "rlsvi,vapor-lite:c=2,"}),
      AllOf(Contains("rlsvi,vapor-lite:c=2,schedule="), Contains("rlsvi,vapor-lite:c=2,thompson")));
}

// Every name that is offered is one that the command takes.
TEST_F(Completion, WhatIsOfferedIsKnown) {
  for (const std::string& env : completions({"run", "--env", ""})) {
    EXPECT_EQ(vapor({"run", "--env", env, "--agent", "thompson", "--episodes", "1", "--out",
                     path(env), "--quiet"})
                  .exit_code,
              0)
        << env;
  }
}

TEST_F(Completion, BashCompletesWordsThatItSplits) {
  write("problem.json", "");
  EXPECT_THAT(offered_by_bash("vapor so"), ElementsAre("solve"));
  EXPECT_THAT(offered_by_bash("vapor run --env deep_sea:d"), ElementsAre("depth="));
  EXPECT_THAT(offered_by_bash("vapor run --env=riv"), ElementsAre("river_swim"));
  EXPECT_THAT(offered_by_bash("vapor run --env deep_sea:depth=3,stochastic=t"),
              ElementsAre("true"));
  EXPECT_THAT(offered_by_bash("vapor solve pro"), ElementsAre("problem.json"));
  EXPECT_THAT(offered_by_bash("vapor run --out "), Not(Contains("problem.json")));
}

// A person at the keys: Tab completes, Enter runs what stands there.
TEST_F(Completion, BashCompletesAtTheKeyboard) {
  write("script", script("bash"));
  TerminalSession bash({"bash", "--norc", "--noprofile", "-i"},
                       {"TERM=dumb", "PATH=" + command_folder() + ":/usr/bin:/bin",
                        "INPUTRC=/dev/null", "PS1=ready$ "});
  bash.shown_until("ready$ ");
  bash.type("source " + path("script") + "; printf 'lo%s\\n' aded\n");
  bash.shown_until("loaded");
  bash.type("vapor li\tenv\t\n");
  EXPECT_THAT(bash.shown_until("random_mdp"), HasSubstr("river_swim"));
  bash.type("exit\n");
  bash.shown();
}

TEST_F(Completion, TheScriptIsForTheNameThatTheUserTypes) {
  EXPECT_THAT(script("bash"), HasSubstr("complete -F _vapor_complete vapor\n"));
  const std::string run =
      TerminalSession({VAPOR_COMMAND, "completion", "bash"}, {"VAPOR_PROGRAM=./run", "TERM=dumb"})
          .shown();
  EXPECT_THAT(run, HasSubstr("complete -F _vapor_complete vapor ./run"));
  // ./run would build at every press of the key: the script asks the program itself.
  EXPECT_THAT(run, ContainsRegex("bin/vapor'? complete -- "));  // quoted where it must be
  for (const char* shell : {"zsh", "fish"})
    EXPECT_THAT(script(shell), AllOf(HasSubstr("complete -- "), Not(HasSubstr("@NAMES@")),
                                     Not(HasSubstr("@PROGRAM@"))))
        << shell;
  EXPECT_THAT(refusal({"completion", "tcsh"}), HasSubstr("bash, zsh, fish"));
}

}  // namespace
}  // namespace vapor
