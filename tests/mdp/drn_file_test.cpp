// Models in Storm's .drn: read as they are stated, refused with their line, made into problems.
#include "vapor/mdp/drn_file.h"

#include <gtest/gtest.h>

#include <sstream>

#include "vapor/core/error.h"

namespace vapor {
namespace {

const std::string kShop = R"(// A shop that may break down.
@type: MDP
@value_type: double
@parameters

@reward_models
sales cost
@nr_states
3
@nr_choices
4
@model
state 0 [0.5, 0] init open
	action serve [2, 1]
		0 : 0.75
		1 : 0.25
	action close [0, 0.25]
		2 : 1
state 1 [0, 1]
	action repair [0, 4]
		0 : 1/4
		1 : 3/4
state 2 [0, 0] closed
	action rest
		2 : 1
)";

ExplicitModel model_of(const std::string& text, const DrnSettings& settings = {}) {
  std::istringstream in(text);
  return read_drn(in, settings);
}

std::string refusal_of_drn(const std::string& text, const DrnSettings& settings = {}) {
  try {
    model_of(text, settings);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::string replaced(const std::string& piece, const std::string& by) {
  std::string text = kShop;
  const std::size_t at = text.find(piece);
  EXPECT_NE(at, std::string::npos) << piece;
  return text.replace(at, piece.size(), by);
}

TEST(DrnFile, IsReadAsItIsStated) {
  const ExplicitModel model = model_of(kShop);
  EXPECT_EQ(model.shape.states(), 3);
  EXPECT_EQ(model.shape.pairs_of(0).size(), 2);
  EXPECT_EQ(model.initial_states, (std::vector<Index>{0}));
  EXPECT_EQ(model.reward_names, (std::vector<std::string>{"sales", "cost"}));
  EXPECT_EQ(model.rewards[0], (std::vector<double>{2.5, 0.5, 0.0, 0.0}));
  EXPECT_EQ(model.rewards[1], (std::vector<double>{1.0, 0.25, 5.0, 0.0}));
  EXPECT_EQ(model.transitions.next_state, (std::vector<Index>{0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(model.transitions.probability, (std::vector<double>{0.75, 0.25, 1.0, 0.25, 0.75, 1.0}));
}

TEST(DrnFile, BecomesALayeredProblem) {
  const Problem problem = problem_of(
      model_of(kShop), {.reward = "cost", .minimise = true, .horizon = 3, .sigma_share = 0.5});
  EXPECT_FALSE(problem.stationary());
  EXPECT_EQ(problem.shape.layers(), 3);
  EXPECT_EQ(problem.shape.pairs(), 12);
  EXPECT_EQ(problem.reward_mean[2], -5.0);
  EXPECT_EQ(problem.sigma[2], 2.5);
  EXPECT_EQ(problem.sigma[3], 0.0);
  EXPECT_EQ(problem.transitions.next_state[0], 3);
  EXPECT_EQ(problem.transitions.begin[12], 12);
}

TEST(DrnFile, BecomesADiscountedProblem) {
  const Problem problem =
      problem_of(model_of(kShop), {.reward = "sales", .discount = 0.9, .sigma = 0.25});
  ASSERT_TRUE(problem.stationary());
  EXPECT_EQ(*problem.discount, 0.9);
  EXPECT_EQ(problem.reward_mean, (std::vector<double>{2.5, 0.5, 0.0, 0.0}));
  // The shop that is closed stays so and pays nothing: nothing is uncertain there.
  EXPECT_EQ(problem.sigma, (std::vector<double>{0.25, 0.25, 0.25, 0.0}));
  EXPECT_EQ(problem.initial, (std::vector<double>{1.0, 0.0, 0.0}));
}

TEST(DrnFile, WhatIsWrongIsNamedByItsLine) {
  EXPECT_EQ(refusal_of_drn(kShop), "no error");
  EXPECT_EQ(refusal_of_drn(""), "line 1: the file is empty");
  EXPECT_EQ(refusal_of_drn(replaced("MDP", "CTMC")),
            "line 2: the type must be MDP, DTMC or POMDP, got \"CTMC\"");
  EXPECT_EQ(refusal_of_drn(replaced("@parameters\n", "@parameters\np q")),
            "line 5: parameters have no values: the model must be instantiated");
  EXPECT_EQ(refusal_of_drn(replaced("sales cost", "sales sales")),
            "line 7: the reward model \"sales\" stands twice");
  EXPECT_EQ(refusal_of_drn(replaced("[2, 1]", "[2]")),
            "line 14: must have 2 rewards, one for each reward model, got 1");
  EXPECT_EQ(refusal_of_drn(replaced("[2, 1]", "[2, x]")),
            "line 14: a reward must be a number, got \"x\"");
  EXPECT_EQ(refusal_of_drn(replaced("0 : 0.75", "7 : 0.75")),
            "line 15: a target must be in 0..2, got 7");
  EXPECT_EQ(refusal_of_drn(replaced("0 : 0.75", "0 : [0.7, 0.8]")),
            "line 15: a probability must be a number, got \"[0.7, 0.8]\"");
  EXPECT_EQ(refusal_of_drn(replaced("0 : 0.75", "0 : nan")),
            "line 15: a probability must be a number, got \"nan\"");
  EXPECT_EQ(refusal_of_drn(replaced("0 : 0.75", "0 : 0.5")),
            "line 14: probabilities of an action must sum to 1, got 0.75");
  EXPECT_EQ(refusal_of_drn(replaced("1 : 0.25", "1 : -0.25")),
            "line 16: a probability must be >= 0, got -0.25");
  EXPECT_EQ(refusal_of_drn(replaced("state 1", "state 2")),
            "line 19: state 1 is expected here, got 2");
  EXPECT_EQ(refusal_of_drn(replaced("state 1 [0, 1]", "state 1 !3 [0, 1]")),
            "line 19: a rate belongs to continuous time");
  EXPECT_EQ(refusal_of_drn(replaced("\taction rest\n\t\t2 : 1\n", "")),
            "line 23: the state has no action");
  EXPECT_EQ(refusal_of_drn(replaced("@nr_states\n3", "@nr_states\n4")),
            "line 26: the file ends after 3 states, and @nr_states says 4");
  EXPECT_EQ(refusal_of_drn(replaced("@nr_choices\n4", "@nr_choices\n5")),
            "line 26: the file ends after 4 actions, and @nr_choices says 5");
  EXPECT_EQ(refusal_of_drn(replaced(" init", "")), "line 26: no state has the label init");
  EXPECT_EQ(refusal_of_drn(replaced("@model", "@Model")), "line 12: unknown key \"@Model\"");
}

TEST(DrnFile, APomdpIsReadOnlyIfObservationsAreIgnored) {
  const std::string text =
      "@type: POMDP\n@reward_models\nr\n@nr_states\n1\n@model\nstate 0 {4} [1] init\n"
      "\taction a [2]\n\t\t0 : 1\n";
  EXPECT_EQ(refusal_of_drn(text),
            "line 1: a POMDP is only partially observed; its MDP can be read if observations are "
            "ignored");
  EXPECT_EQ(model_of(text, {.ignore_observations = true}).rewards[0][0], 3.0);
}

TEST(DrnFile, SettingsThatDoNotFitAreNamed) {
  const ExplicitModel model = model_of(kShop);
  const auto message = [&](const ModelSettings& settings) {
    try {
      problem_of(model, settings);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(message({.horizon = 2}), "reward: is needed: the model has sales, cost");
  EXPECT_EQ(message({.reward = "profit", .horizon = 2}),
            "reward: there is no \"profit\"; the model has sales, cost");
  EXPECT_EQ(message({.reward = "cost"}), "horizon: is needed, or a discount, and not both");
  EXPECT_EQ(message({.reward = "cost", .horizon = 2, .discount = 0.5}),
            "horizon: is needed, or a discount, and not both");
  EXPECT_EQ(message({.reward = "cost", .discount = 1.0}),
            "discount: must be between 0 and 1, got 1");
  EXPECT_EQ(message({.reward = "cost", .horizon = 2, .sigma = -1.0}),
            "sigma: must be a finite number >= 0, got -1");
  EXPECT_EQ(message({.reward = "cost", .horizon = 2'000'000'000}),
            "horizon: 2000000000 layers of 4 pairs are too many");
}

}  // namespace
}  // namespace vapor
