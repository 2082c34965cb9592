// The rivals of constrained MDPs, by numbers worked by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "tests/agent/gaussian_belief.h"
#include "vapor/agent/dope.h"
#include "vapor/agent/opt_cmdp.h"
#include "vapor/agent/optpess_lp.h"
#include "vapor/agent/safe_psrl.h"
#include "vapor/agent/vapor_budget.h"

namespace vapor {
namespace {

TEST(BudgetAgents, HaveTheWidthsOfTheirPapers) {
  // 2 sqrt(.25 .75 3 / 4) + 14 3 / (3 4) = .75 + 3.5
  EXPECT_DOUBLE_EQ(bernstein_width(0.25, 4.0, 3.0), 4.25);
  Shape ring;
  for (int l = 0; l < 6; ++l) {
    ring.add_layer();
    for (int s = 0; s < 3; ++s) ring.add_state(2);
  }
  EXPECT_NEAR(log_term(ring, 100'000, 0.01), std::log(7.2e8), 1e-12);
  std::vector<double> low(2), high(2);
  const auto tenth = [](double, double) { return 0.1; };
  EXPECT_DOUBLE_EQ(confidence_row(std::vector{3.0, 1.0}, tenth, low, high), 0.2);
  EXPECT_EQ(low, (std::vector{0.75 - 0.1, 0.25 - 0.1}));
  EXPECT_EQ(high, (std::vector{0.75 + 0.1, 0.25 + 0.1}));
  EXPECT_EQ(confidence_row(std::vector{0.0, 0.0}, tenth, low, high), 2.0);
  EXPECT_EQ(low, (std::vector{0.0, 0.0}));
  EXPECT_EQ(high, (std::vector{1.0, 1.0}));
}

// Arms of costs 0, .5, 1 under a budget of .75, of which nothing but the reward is unknown.
struct Arms {
  Shape shape;
  Cost cost = {.of_pair = {0.0, 0.5, 1.0}, .budget = 0.75, .baseline = {1.0, 0.0, 0.0}};

  Arms() {
    shape.add_layer();
    shape.add_state(3);
  }

  BudgetAgent agent(BudgetAgent::Rule rule) const {
    return {shape, {1.0}, {}, cost, std::move(rule)};
  }
};

std::vector<double> policy_of(Agent& agent) {
  const std::span<const double> policy = agent.policy(RandomStream(1));
  return {policy.begin(), policy.end()};
}

void pays(Agent& agent, Index arm, double reward, double cost) {
  agent.observe({{.pair = arm, .reward = reward, .next_state = -1, .cost = cost}});
}

// An untried arm pays 1. The first is free; it turns out to pay 0. The second pays .6, and then the
// program mixes it with the third.
TEST(BudgetAgents, TryWhatTheyDoNotKnowWithinTheBudget) {
  const std::vector<BudgetAgent::Rule> rules = {opt_cmdp_rule({}), optpess_lp_rule({}),
                                                dope_rule({})};
  for (const BudgetAgent::Rule& rule : rules) {
    BudgetAgent agent = Arms().agent(rule);
    EXPECT_EQ(policy_of(agent), (std::vector{1.0, 0.0, 0.0}));
    pays(agent, 0, 0.0, 0.0);
    EXPECT_EQ(policy_of(agent), (std::vector{0.0, 1.0, 0.0}));
    pays(agent, 1, 0.6, 0.5);
    const std::vector<double> mixed = policy_of(agent);
    EXPECT_NEAR(mixed[1], 0.5, 1e-12);
    EXPECT_NEAR(mixed[2], 0.5, 1e-12);
  }
}

// y = 0, .75, .5, .25, 0 before episodes 1 to 5, and y / sqrt(k) is the price of arm 0, which pays
// 1 and costs 1 beside one that pays .9 for nothing.
TEST(BudgetAgents, SafePsrlRaisesItsMultiplierByWhatItPaysTooMuch) {
  Shape shape;
  shape.add_layer();
  shape.add_state(2);
  const Cost cost = {.of_pair = {1.0, 0.0}, .budget = 0.25, .baseline = {}};
  BudgetAgent agent(shape, {1.0}, {}, cost, safe_psrl_rule({.pessimism = 0.0}));
  std::string taken;
  for (int k = 0; k < 5; ++k) {
    const Index arm = policy_of(agent)[0] == 1.0 ? 0 : 1;
    taken += arm == 0 ? 'a' : 'b';
    pays(agent, arm, arm == 0 ? 1.0 : 0.9, cost.of_pair[arm]);
  }
  EXPECT_EQ(taken, "abbba");
}

// Two steps: a lever whose two settings lead to the good state (pays 1, costs 1) three times of
// four and once of four, four visits each.
struct Levers {
  Problem model = ProblemBuilder({1.0})
                      .layer()
                      .state({{.next = {{0, 0.75}, {1, 0.25}}}, {.next = {{0, 0.25}, {1, 0.75}}}})
                      .layer()
                      .state({{.reward_mean = 1.0}})
                      .state({{.reward_mean = 0.0}})
                      .build();
  Cost cost = {.of_pair = {0.0, 0.0, 1.0, 0.0},
               .budget = 0.5,
               .baseline = {0.0, 1.0, 1.0, 1.0},
               .baseline_cost = 0.25};

  BudgetAgent taught(BudgetAgent::Rule rule) const {
    BudgetAgent agent(model.shape, {1.0}, {}, cost, std::move(rule));
    for (int i = 0; i < 8; ++i) {
      const Index lever = i / 4;
      const bool good = lever == 0 ? i % 4 != 0 : i % 4 == 0;
      agent.observe({{.pair = lever, .reward = 0.0, .next_state = good ? 1 : 2},
                     {.pair = good ? 2 : 3,
                      .reward = good ? 1.0 : 0.0,
                      .next_state = -1,
                      .cost = good ? 1.0 : 0.0}});
    }
    return agent;
  }
};

// Without widths all three solve the empirical program: half of .75 and half of .25 is .5.
TEST(BudgetAgents, WithoutWidthsTheySolveTheEmpiricalProgram) {
  for (const BudgetAgent::Rule& rule :
       {opt_cmdp_rule({.scale = 0.0}), optpess_lp_rule({.scale = 0.0}),
        dope_rule({.scale = 0.0})}) {
    BudgetAgent agent = Levers().taught(rule);
    const std::vector<double> policy = policy_of(agent);
    EXPECT_NEAR(policy[0], 0.5, 1e-12);
    EXPECT_NEAR(policy[1], 0.5, 1e-12);
  }
}

// beta = scale min(1, ...), 1 after four visits: B = 2 scale of each lever, 2 2 scale of the budget
// for the first step, and none for the last, where nothing follows.
TEST(BudgetAgents, DopePaysForItsWidthsAndThenPlaysTheBaseline) {
  const Levers levers;
  // .25 left of the budget above .25: 4 scale = .125 leaves .375 for the cost itself. The intervals
  // are .75 +- scale and .25 +- scale, wide enough on either side: any lever can be what it wants,
  // between .25 - scale and .75 + scale, and the optimum is .375 whatever is pulled.
  BudgetAgent some = levers.taught(dope_rule({.scale = 1.0 / 32.0}));
  const std::vector<double> policy = policy_of(some);
  const double p = policy[0];
  EXPECT_LE(p * (0.75 - 1.0 / 32.0) + (1.0 - p) * (0.25 - 1.0 / 32.0), 0.375 + 1e-12);
  EXPECT_GE(p * (0.75 + 1.0 / 32.0) + (1.0 - p) * (0.25 + 1.0 / 32.0), 0.375 - 1e-12);
  BudgetAgent wide = levers.taught(dope_rule({}));
  EXPECT_EQ(policy_of(wide), levers.cost.baseline);
}

// c + S L beta with beta = scale sqrt(iota / 4), in the first step: the baseline costs
// .25 + 4 beta, which must stay below the middle of .25 and .5.
TEST(BudgetAgents, OptPessLpPlaysTheBaselineWhileThatMightCostTooMuch) {
  const Levers levers;
  const double iota = std::log(2.0) + log_term(levers.model.shape, 100'000, 0.01);
  const double at_the_middle = 0.125 / 4.0 / std::sqrt(iota / 4.0);
  BudgetAgent wide = levers.taught(optpess_lp_rule({.scale = 1.01 * at_the_middle}));
  EXPECT_EQ(policy_of(wide), levers.cost.baseline);
  BudgetAgent narrow = levers.taught(optpess_lp_rule({.scale = 0.99 * at_the_middle}));
  EXPECT_NE(policy_of(narrow), levers.cost.baseline);
}

TEST(VaporBudget, BelievesCostsByHand) {
  const CostBelief none = cost_belief(0.0, 0.0, 0.0, 2.0);
  EXPECT_DOUBLE_EQ(none.mean, 1.0);
  EXPECT_DOUBLE_EQ(none.variance, 1.0);
  const CostBelief once = cost_belief(1.0, 0.0, 0.0, 1.0);
  EXPECT_NEAR(once.mean, 0.005 / 1.01, 1e-15);
  EXPECT_NEAR(once.variance, (0.0025 + 0.00125 / 1.01) / (1.5 * 1.01), 1e-15);
  const CostBelief twice = cost_belief(2.0, 1.0, 1.0, 1.0);  // 0 and 1
  EXPECT_NEAR(twice.mean, 0.5, 1e-15);
  EXPECT_NEAR(twice.variance, (0.0025 + 0.25) / (2.0 * 2.01), 1e-15);
}

// Arms of equal belief, one of which costs 1: half of the budget, half of the policy, and a price.
TEST(VaporBudget, KeepsToItsBudgetAndSaysWhatItIsWorth) {
  const Cost cost = {.of_pair = {0.0, 1.0}, .budget = 0.2, .baseline = {}};
  VaporBudgetAgent agent(
      test_support::ignorant_belief(test_support::bandit({1.0, 0.0}, {1.0, 1.0})), cost,
      {.budget = 0.2});
  const std::vector<double> policy = policy_of(agent);
  EXPECT_LE(policy[1], 0.2);
  EXPECT_NEAR(policy[1], 0.2, 1e-6);
  ASSERT_EQ(agent.solution()->constraints.size(), 1u);
  EXPECT_GT(agent.solution()->constraints[0].price, 0.1);
  EXPECT_FALSE(agent.fell_back());
}

// Every arm costs more than the budget: the cheapest is played, or the baseline if there is one.
TEST(VaporBudget, FallsBackWhereNothingKeepsToTheBudget) {
  const auto belief = [] {
    return test_support::ignorant_belief(test_support::bandit({1.0, 0.0, 0.5}, {1.0, 1.0, 1.0}));
  };
  Cost cost = {.of_pair = {0.9, 0.5, 0.7}, .budget = 0.2, .baseline = {}};
  VaporBudgetAgent alone(belief(), cost, {.budget = 0.2});
  EXPECT_EQ(policy_of(alone), (std::vector{0.0, 1.0, 0.0}));
  EXPECT_TRUE(alone.fell_back());
  EXPECT_EQ(alone.solution(), nullptr);
  cost.baseline = {0.0, 0.0, 1.0};
  VaporBudgetAgent guided(belief(), cost, {.budget = 0.2});
  EXPECT_EQ(policy_of(guided), cost.baseline);
}

// A lever that was never pulled: P has the posterior of mass 1, so that P V, V = 0 or 1, has the
// variance (1/2 - 1/4) / 2, and the constraint counts k times its root.
TEST(VaporBudget, CountsTheDeviationOfWhatFollows) {
  const Levers levers;
  VaporBudgetAgent agent(test_support::ignorant_belief(levers.model), levers.cost,
                         {.budget = 2.0, .k = 2.0});
  policy_of(agent);
  EXPECT_NEAR(agent.counted_cost()[0], 2.0 * std::sqrt(0.125), 1e-12);
  EXPECT_NEAR(agent.counted_cost()[2], 1.0, 1e-12);
}

}  // namespace
}  // namespace vapor
