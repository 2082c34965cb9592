#include "vapor/report/wording.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vapor {
namespace {

using testing::ElementsAre;

TEST(Wording, NumbersHaveFourDigitsAndWholeOnesAll) {
  EXPECT_EQ(number_text(126.349), "126.3");
  EXPECT_EQ(number_text(20000.0), "20000");
  EXPECT_EQ(number_text(12345.67), "12346");
  EXPECT_EQ(number_text(0.0), "0");
  EXPECT_EQ(number_text(1.23456e-9), "1.235e-09");
}

TEST(Wording, ANumberHasTheDecimalsOfItsError) {
  EXPECT_EQ(rounded_to_error(125.7512, 16.28), "126");
  EXPECT_EQ(error_text(16.28), "16");
  EXPECT_EQ(rounded_to_error(0.123456, 0.0042), "0.1235");
  EXPECT_EQ(error_text(0.0999), "0.10");
  EXPECT_EQ(rounded_to_error(3.14159, 0.0), "3.142");
  EXPECT_EQ(error_text(0.0), "0");
}

TEST(Wording, SeedsAreRanges) {
  EXPECT_EQ(seeds_text({103, 101, 7, 102, 101}), "7, 101-103");
  EXPECT_EQ(seeds_text({}), "");
}

TEST(Wording, WhatVariesInCommandsStandsInBraces) {
  std::vector<std::string> commands;
  for (const char* agent : {"vapor", "ucbvi"})
    for (const int depth : {20, 10})
      for (const int seed : {101, 102, 103})
        commands.push_back(
            fmt::format("vapor run --env deep_sea:depth={},stochastic=true --agent {} --seed {}",
                        depth, agent, seed));
  EXPECT_THAT(common_commands(commands),
              ElementsAre("vapor run --env deep_sea:depth={10,20},stochastic=true "
                          "--agent {vapor,ucbvi} --seed {101..103}"));
}

// A line stood for runs that nobody had made.
TEST(Wording, BracesNeverMeanACommandThatIsNotThere) {
  const std::vector<std::string> commands = {"run --env a --horizon 20 --seed 1",
                                             "run --env a --horizon 20 --seed 2",
                                             "run --env b --horizon 50 --seed 1"};
  EXPECT_THAT(common_commands(commands), ElementsAre("run --env a --horizon 20 --seed {1,2}",
                                                     "run --env b --horizon 50 --seed 1"));
}

TEST(Wording, EnvironmentsOfPythonKeepTheirCommandsApart) {
  std::vector<std::string> commands;
  for (const char* env : {"FrozenLake-v1", "CliffWalking-v1"})
    for (const char* agent : {"vapor", "thompson"})
      for (const int seed : {1, 2})
        commands.push_back(fmt::format("vapor.learn('{}', '{}', seed={})", env, agent, seed));
  EXPECT_THAT(common_commands(commands),
              ElementsAre("vapor.learn('FrozenLake-v1', '{vapor,thompson}', seed={1,2})",
                          "vapor.learn('CliffWalking-v1', '{vapor,thompson}', seed={1,2})"));
}

TEST(Wording, SpecsAreNamedByWhatNoOtherHas) {
  const std::vector<std::string> specs = {"tabular", "tabular:mass=1,transform=paper",
                                          "tabular:mass=1", "finite"};
  EXPECT_THAT(short_names(specs),
              ElementsAre("tabular", "transform=paper", "tabular:mass=1", "finite"));
}

TEST(Wording, AWordThatIsTheHeadOfAnotherIsWholeInBraces) {
  EXPECT_THAT(common_commands(std::vector<std::string>{"run lite", "run lite:c=1"}),
              ElementsAre("run {lite,lite:c=1}"));
  EXPECT_THAT(common_commands(std::vector<std::string>{"run a,b", "run b"}),
              ElementsAre("run {a,b,b}"));
}

TEST(Wording, CommandsOfOtherLengthsAreOtherLines) {
  EXPECT_THAT(common_commands(std::vector<std::string>{"run a", "run a --stop solved", "run b"}),
              ElementsAre("run {a,b}", "run a --stop solved"));
}

}  // namespace
}  // namespace vapor
