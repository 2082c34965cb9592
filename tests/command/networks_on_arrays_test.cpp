// One program, of which whoever needs no networks on arrays loads no torch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/command/command_words.h"

namespace vapor {
namespace {

using test_support::Outcome;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class NetworksOnArrays : public test_support::CommandWordsTest {
 protected:
  // With a variable in its environment.
  Outcome vapor_where(const char* variable, const std::string& value, const Words& words) const {
    setenv(variable, value.c_str(), 1);
    const Outcome outcome = vapor(words);
    unsetenv(variable);
    return outcome;
  }
};

// The dynamic linker lists all that it would load, and runs nothing.
TEST_F(NetworksOnArrays, TheProgramLoadsNoTorch) {
  const std::string loaded = vapor_where("LD_TRACE_LOADED_OBJECTS", "1", {"--version"}).out;
  EXPECT_THAT(loaded, AllOf(HasSubstr("libc.so"), Not(HasSubstr("torch")), Not(HasSubstr("c10"))));
}

TEST_F(NetworksOnArrays, WithoutThemIndicesAreLearnedAndArraysAreRefusedInOneLine) {
  const auto train = [&](const std::string& env, const Words& how) {
    return vapor_where("VAPOR_TORCH_PART", path("nowhere.so"),
                       with({"train", "--env", env, "--quiet", "--out", path(env)}, how));
  };
  EXPECT_EQ(train("deep_sea", {"--agent", "vapor-lite:hidden=8", "--episodes", "5"}).exit_code, 0);
  const Outcome refused = train("catch", {"--frames", "100"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_EQ(refused.error_lines(), 1) << refused.err;
  EXPECT_THAT(refused.err, HasSubstr("install libtorch-dev"));
  EXPECT_FALSE(std::filesystem::exists(path("catch"))) << "a record was begun";
}

// The words of deep agents are their own, beside those of the others.
TEST_F(NetworksOnArrays, EachCommandCompletesItsOwnNames) {
  EXPECT_THAT(completions({"train", "--env", ""}), AllOf(Contains("deep_sea"), Contains("atari")));
  EXPECT_THAT(completions({"run", "--env", ""}),
              AllOf(Contains("deep_sea"), Not(Contains("atari"))));
  EXPECT_THAT(completions({"train", "--agent", ""}),
              AllOf(Contains("boot-dqn"), Not(Contains("thompson"))));
  EXPECT_THAT(completions({"run", "--agent", ""}),
              AllOf(Contains("thompson"), Not(Contains("boot-dqn"))));
  EXPECT_THAT(completions({"reproduce", "atari", "--agents", "ersac,dq"}),
              testing::ElementsAre("ersac,dqn"));
  EXPECT_THAT(completions({"list", ""}), AllOf(Contains("worlds"), Contains("deep-agents")));
}

}  // namespace
}  // namespace vapor
