#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/command/run_command.h"
#include "vapor/mdp/problem_file.h"

namespace vapor {
namespace {

using nlohmann::json;
using test_support::contents;
using test_support::Outcome;
using testing::HasSubstr;

using Words = std::vector<std::string>;

class GenerateCommand : public test_support::CommandTest {
 protected:
  std::string generated(Words arguments) const {
    arguments.insert(arguments.begin(), "generate");
    arguments.insert(arguments.end(), {"--out", path("problem.json"), "--quiet"});
    const Outcome outcome = vapor(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.out + outcome.err, "");
    return contents(path("problem.json"));
  }
};

const Words kDeepSea = {"deep-sea", "--depth", "6", "--episodes", "12"};

TEST_F(GenerateCommand, TheSameSeedGivesTheSameBytes) {
  for (const Words& kind :
       {Words{"random"}, kDeepSea, with(kDeepSea, {"--behaviour", "uniform"})}) {
    const std::string first = generated(with(kind, {"--seed", "4"}));
    EXPECT_FALSE(first.empty());
    EXPECT_EQ(first, generated(with(kind, {"--seed", "4"})));
    EXPECT_NE(first, generated(with(kind, {"--seed", "5"})));
  }
}

TEST_F(GenerateCommand, StandardOutputGetsTheSameBytes) {
  const Outcome outcome = vapor({"generate", "random", "--seed", "4", "--out", "-"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out, generated({"random", "--seed", "4"}));
}

TEST_F(GenerateCommand, ARandomProblemIsWhatWasAskedFor) {
  std::istringstream text(generated({"random", "--layers", "3", "--states", "5", "--actions", "4",
                                     "--successors", "2", "--base-weight", "0.25", "--sigma-min",
                                     "2", "--sigma-max", "3", "--reward-scale", "0"}));
  const Problem problem = read_problem(text);
  EXPECT_EQ(problem.shape.layers(), 3);
  EXPECT_EQ(problem.shape.states(), 15);
  EXPECT_EQ(problem.shape.pairs(), 60);
  EXPECT_EQ(problem.transitions.next_state.size(), 2u * 40u);
  for (double sigma : problem.sigma) {
    EXPECT_GE(sigma, 2.0);
    EXPECT_LE(sigma, 3.0);
  }
  for (double r : problem.reward_mean) EXPECT_EQ(r, 0.0);
  for (Index p = 0; p < 40; ++p) EXPECT_NEAR(problem.transitions.base_weight[p], 0.25, 1e-12);
}

TEST_F(GenerateCommand, ADeepSeaPosteriorHasSeenItsEpisodes) {
  std::istringstream text(generated(with(kDeepSea, {"--repeat", "100"})));
  const Problem problem = read_problem(text);
  EXPECT_EQ(problem.shape.layers(), 6);
  EXPECT_EQ(problem.shape.states(), 21);
  // The first state's two actions share the 12 visits, each counted 100 times.
  const auto visits = [&](Index p) {
    return (1.0 / problem.transitions.base_weight[p] - 1.0) / 100;
  };
  EXPECT_NEAR(visits(0) + visits(1), 12.0, 1e-6);
}

TEST_F(GenerateCommand, SaysWhatItWrote) {
  const Outcome json_outcome =
      vapor({"generate", "random", "--layers", "2", "--json", "--out", path("p.json")});
  const json about = json::parse(json_outcome.out);
  EXPECT_EQ(about["layers"], 2);
  EXPECT_EQ(about["pairs"], 60);
  EXPECT_THAT(vapor({"generate", "random", "--out", path("p.json")}).out, HasSubstr("p.json"));
}

TEST_F(GenerateCommand, BadSettingsAreNamedAndNothingIsWritten) {
  const auto complaint = [&](const Words& arguments) {
    return refusal(with(with({"generate"}, arguments), {"--out", path("problem.json")}));
  };
  EXPECT_THAT(complaint({"random", "--layers", "0"}), HasSubstr("layers"));
  EXPECT_THAT(complaint({"random", "--layers", "many"}), HasSubstr("layers"));
  EXPECT_THAT(complaint({"random", "--layers", "2000000000"}), HasSubstr("layers"));
  EXPECT_THAT(complaint({"random", "--base-weight", "1.5"}), HasSubstr("base_weight"));
  EXPECT_THAT(complaint({"random", "--sigma-min", "nan"}), HasSubstr("sigma_min"));
  EXPECT_THAT(complaint({"random", "--sigma-min", "-1"}), HasSubstr("sigma_min"));
  EXPECT_THAT(complaint({"deep-sea", "--depth", "0"}), HasSubstr("depth"));
  EXPECT_THAT(complaint({"deep-sea", "--episodes", "-1"}), HasSubstr("episodes"));
  EXPECT_THAT(complaint({"deep-sea", "--repeat", "0"}), HasSubstr("repeat"));
  EXPECT_THAT(complaint({"deep-sea", "--transform", "none"}), HasSubstr("transform"));
  EXPECT_THAT(complaint({"deep-sea", "--behaviour", "none"}), HasSubstr("behaviour"));
  EXPECT_FALSE(test_support::fs::exists(path("problem.json")));
}

}  // namespace
}  // namespace vapor
