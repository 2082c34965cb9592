#include "vapor/mdp/problem_builder.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>

#include "tests/mdp/ragged_problem.h"
#include "vapor/core/error.h"

namespace vapor {
namespace {

// Two states lead to two states, one action through the base.
Problem two_layer_problem() {
  return ProblemBuilder({0.25, 0.75})
      .layer()
      .state({{.reward_mean = 1.0, .sigma = 2.0, .next = {{1, 1.0}}}})
      .state({{.reward_mean = 3.0, .sigma = 4.0, .next = {{0, 0.5}}, .base_weight = 0.5},
              {.reward_mean = 5.0, .sigma = 6.0, .base_weight = 1.0}})
      .layer({0.2, 0.8})
      .state({{.reward_mean = 7.0, .sigma = 8.0}})
      .state({{.reward_mean = 9.0, .sigma = 0.0}})
      .build();
}

std::string message_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::string refusal(const std::function<void(Problem&)>& spoil) {
  Problem problem = two_layer_problem();
  spoil(problem);
  return message_of([&] { validate_and_normalise(problem); });
}

TEST(ProblemBuilder, LaysTablesOutByPairAndState) {
  const Problem problem = two_layer_problem();
  EXPECT_EQ(problem.shape.layers(), 2);
  EXPECT_EQ(problem.shape.states(), 4);
  EXPECT_EQ(problem.shape.pairs(), 5);
  EXPECT_EQ(problem.initial, (std::vector<double>{0.25, 0.75}));
  EXPECT_EQ(problem.reward_mean, (std::vector<double>{1, 3, 5, 7, 9}));
  EXPECT_EQ(problem.sigma, (std::vector<double>{2, 4, 6, 8, 0}));
  EXPECT_EQ(problem.transitions.begin, (std::vector<Offset>{0, 1, 2, 2, 2, 2}));
  EXPECT_EQ(problem.transitions.next_state, (std::vector<Index>{3, 2}));
  EXPECT_EQ(problem.transitions.probability, (std::vector<double>{1.0, 0.5}));
  EXPECT_EQ(problem.transitions.base_weight, (std::vector<double>{0, 0.5, 1, 0, 0}));
  EXPECT_EQ(problem.transitions.base, (std::vector<double>{0, 0, 0.2, 0.8}));
}

TEST(ProblemBuilder, BuildsTheSameProblemTwice) {
  ProblemBuilder builder({1.0});
  builder.layer().state({{.next = {{0, 1.0}}}}).layer().state({{.sigma = 1.0}});
  EXPECT_EQ(builder.build().transitions.next_state, builder.build().transitions.next_state);
}

TEST(ProblemBuilder, RefusesNextStatesOutsideTheNextLayer) {
  const auto with_next = [](Index next) {
    return message_of([&] {
      ProblemBuilder({1.0}).layer().state({{.next = {{next, 1.0}}}}).layer().state({{}}).build();
    });
  };
  EXPECT_EQ(with_next(0), "no error");
  EXPECT_EQ(with_next(1), "layers[0].next[0][0][0]: next state must be in 0..0, got 1");
  EXPECT_EQ(with_next(-1), "layers[0].next[0][0][0]: next state must be in 0..0, got -1");
  // Once added to the number of states this overflowed.
  EXPECT_EQ(with_next(std::numeric_limits<Index>::max()),
            "layers[0].next[0][0][0]: next state must be in 0..0, got 2147483647");
}

TEST(ProblemBuilder, RefusesABaseOfTheWrongLengthOrInTheFirstLayer) {
  EXPECT_EQ(message_of([] {
              ProblemBuilder({1.0})
                  .layer()
                  .state({{.base_weight = 1.0}})
                  .layer({0.5, 0.5})
                  .state({{}})
                  .build();
            }),
            "layers[0].base: must have 1 entries, got 2");
  EXPECT_EQ(message_of([] { ProblemBuilder({1.0}).layer({1.0}); }),
            "layer(): the first layer has no base, no transition leads to it");
}

TEST(ProblemBuilder, AStateNeedsALayer) {
  EXPECT_EQ(message_of([] { ProblemBuilder({1.0}).state({{}}); }),
            "layers: call layer() before state()");
}

TEST(Validation, NamesThePlace) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(refusal([](Problem&) {}), "no error");
  EXPECT_EQ(refusal([](Problem& p) { p.sigma[2] = -1.0; }),
            "layers[0].sigma[1][1]: must be >= 0, got -1");
  EXPECT_EQ(refusal([&](Problem& p) { p.sigma[3] = nan; }),
            "layers[1].sigma[0][0]: must be finite, got nan");
  EXPECT_EQ(refusal([&](Problem& p) { p.reward_mean[4] = -inf; }),
            "layers[1].reward_mean[1][0]: must be finite, got -inf");
  EXPECT_EQ(refusal([](Problem& p) { p.initial[1] = -0.75; }),
            "initial[1]: must be a probability >= 0, got -0.75");
  EXPECT_EQ(refusal([](Problem& p) { p.initial[1] = 0.5; }),
            "initial: probabilities must sum to 1, got 0.75");
  EXPECT_EQ(refusal([](Problem& p) { p.transitions.probability[0] = 0.75; }),
            "layers[0].next[0][0]: probabilities must sum to 1, got 0.75");
  EXPECT_EQ(refusal([](Problem& p) { p.transitions.base_weight[1] = 0.25; }),
            "layers[0].next[1][0]: probabilities and base_weight must sum to 1, got 0.75");
  EXPECT_EQ(refusal([](Problem& p) { p.transitions.base[2] = 0.5; }),
            "layers[0].base: probabilities must sum to 1, got 1.3");
  EXPECT_EQ(refusal([](Problem& p) { p.transitions.base[0] = 0.5; }),
            "base: must be 0 in the first layer");
  EXPECT_EQ(refusal([](Problem& p) { p.transitions.base_weight[3] = 0.5; }),
            "layers[1].base_weight[0][0]: must be 0 in the last layer");
  EXPECT_EQ(refusal([](Problem& p) { p.transitions.next_state[1] = 4; }),
            "layers[0].next[1][0][0]: next state must be in 0..1, got 2");
  EXPECT_EQ(refusal([](Problem& p) { p.transitions.next_state[1] = 1; }),
            "layers[0].next[1][0][0]: next state must be in 0..1, got -1");
}

TEST(Validation, NamesTheTableOfTheWrongSize) {
  EXPECT_EQ(refusal([](Problem& p) { p.sigma.pop_back(); }), "sigma: must have 5 entries, got 4");
  EXPECT_EQ(refusal([](Problem& p) { p.initial.push_back(0); }),
            "initial: must have 2 entries, got 3");
  EXPECT_EQ(refusal([](Problem& p) { p.transitions.begin[1] = 3; }),
            "transitions.begin: must start at 0 and never decrease");
  EXPECT_EQ(refusal([](Problem& p) { p.shape = Shape(); }), "layers: must have at least one layer");
  EXPECT_EQ(refusal([](Problem& p) { p.shape.add_layer(); }),
            "layers[2]: must have at least one state");
  EXPECT_EQ(refusal([](Problem& p) { p.shape.add_state(0); }),
            "layers[1].reward_mean[2]: must have at least one action");
}

TEST(Validation, ScalesDistributionsThatMissOneByLittle) {
  Problem problem = two_layer_problem();
  problem.transitions.probability[0] = 1.0 - 9e-10;
  problem.transitions.base_weight[1] = 0.5 + 9e-10;
  problem.initial = {0.25, 0.75 - 9e-10};
  problem.transitions.base[3] = 0.8 + 9e-10;
  validate_and_normalise(problem);
  EXPECT_EQ(problem.transitions.probability[0], 1.0);
  EXPECT_DOUBLE_EQ(problem.transitions.probability[1] + problem.transitions.base_weight[1], 1.0);
  EXPECT_LT(problem.transitions.probability[1], 0.5);
  EXPECT_DOUBLE_EQ(problem.initial[0] + problem.initial[1], 1.0);
  EXPECT_DOUBLE_EQ(problem.transitions.base[2] + problem.transitions.base[3], 1.0);
  EXPECT_NE(refusal([](Problem& p) { p.transitions.probability[0] = 1.0 - 2e-9; }), "no error");
}

// Otherwise a problem would change a little each time it is written and read.
TEST(Validation, ASecondCallChangesNothing) {
  const RandomStream random(1);
  for (int i = 0; i < 200; ++i) {
    Problem problem = test_support::ragged_problem(random.split(i), 4);
    const Problem before = problem;
    validate_and_normalise(problem);
    EXPECT_EQ(problem.initial, before.initial);
    EXPECT_EQ(problem.transitions.probability, before.transitions.probability);
    EXPECT_EQ(problem.transitions.base_weight, before.transitions.base_weight);
    EXPECT_EQ(problem.transitions.base, before.transitions.base);
  }
}

}  // namespace
}  // namespace vapor
