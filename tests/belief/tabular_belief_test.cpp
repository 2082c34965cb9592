#include "vapor/belief/tabular_belief.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <vector>

#include "tests/mdp/ragged_problem.h"
#include "vapor/core/error.h"
#include "vapor/env/deep_sea.h"
#include "vapor/mdp/policy.h"

namespace vapor {
namespace {

using test_support::dense_row;

// One state of two actions, then three states of one.
Shape fan() {
  Shape shape;
  shape.add_layer();
  shape.add_state(2);
  shape.add_layer();
  for (int s = 0; s < 3; ++s) shape.add_state(1);
  return shape;
}

TabularBelief fan_belief(const TabularBeliefSettings& settings = {}) {
  return TabularBelief(fan(), {1.0}, settings, reward_only());
}

TEST(TabularBelief, ThePriorIsUniformAndHasMeanZero) {
  const Problem problem = fan_belief().problem();
  for (double r : problem.reward_mean) EXPECT_EQ(r, 0.0);
  for (double sigma : problem.sigma) EXPECT_EQ(sigma, 1.0);
  for (Index p : {0, 1}) {
    const std::vector<double> row = dense_row(problem, 0, p);
    EXPECT_EQ(row[0], 0.0);
    for (Index s : {1, 2, 3}) EXPECT_DOUBLE_EQ(row[s], 1.0 / 3.0);
  }
}

// Rewards 2 and 5 for action 0, prior variance 4, noise 0.5: precision 1/4 + 2 / 0.5 = 4.25, mean
// (7 / 0.5) / 4.25.
TEST(TabularBelief, RewardsUpdateAsGaussiansDo) {
  TabularBelief belief = fan_belief({.repeat = 1.0, .prior_variance = 4.0, .noise_variance = 0.5});
  belief.update(
      {{.pair = 0, .reward = 2.0, .next_state = 1}, {.pair = 2, .reward = -1.0, .next_state = -1}});
  belief.update(
      {{.pair = 0, .reward = 5.0, .next_state = 3}, {.pair = 4, .reward = 0.0, .next_state = -1}});
  const Problem problem = belief.problem();
  EXPECT_DOUBLE_EQ(problem.reward_mean[0], 14.0 / 4.25);
  EXPECT_DOUBLE_EQ(problem.sigma[0], std::sqrt(1.0 / 4.25));
  EXPECT_EQ(problem.reward_mean[1], 0.0);
  EXPECT_DOUBLE_EQ(problem.sigma[1], 2.0);
  EXPECT_DOUBLE_EQ(problem.reward_mean[2], -2.0 / 2.25);
  EXPECT_DOUBLE_EQ(problem.sigma[2], std::sqrt(1.0 / 2.25));
  EXPECT_EQ(std::vector<double>(belief.visits().begin(), belief.visits().end()),
            (std::vector<double>{2, 0, 1, 0, 1}));
}

// Counted `repeat` times each: alpha = 1/3 + repeat n(s'), over a total of 1 + repeat n.
TEST(TabularBelief, TransitionsAreTheDirichletMean) {
  for (double repeat : {1.0, 100.0, 2.5}) {
    TabularBelief belief = fan_belief({.repeat = repeat});
    for (Index next : {1, 3, 3}) belief.update({{.pair = 0, .reward = 0.0, .next_state = next}});
    const Problem problem = belief.problem();
    const std::vector<double> row = dense_row(problem, 0, 0);
    const double total = 1.0 + 3.0 * repeat;
    EXPECT_NEAR(row[1], (1.0 / 3.0 + repeat) / total, 1e-15);
    EXPECT_NEAR(row[2], (1.0 / 3.0) / total, 1e-15);
    EXPECT_NEAR(row[3], (1.0 / 3.0 + 2.0 * repeat) / total, 1e-15);
    EXPECT_DOUBLE_EQ(problem.transitions.base_weight[0], 1.0 / total);
    EXPECT_DOUBLE_EQ(problem.transitions.base_weight[1], 1.0);
  }
}

// To count every transition m times is to see the episode m times.
TEST(TabularBelief, RepeatIsRepetition) {
  const Episode episode = {{.pair = 1, .reward = 0.7, .next_state = 2},
                           {.pair = 3, .reward = -0.1, .next_state = -1}};
  TabularBelief counted = fan_belief({.repeat = 5.0});
  counted.update(episode);
  TabularBelief repeated = fan_belief();
  for (int i = 0; i < 5; ++i) repeated.update(episode);
  const Problem a = counted.problem();
  const Problem b = repeated.problem();
  for (Index p = 0; p < a.shape.pairs(); ++p) {
    EXPECT_NEAR(a.reward_mean[p], b.reward_mean[p], 1e-15);
    EXPECT_DOUBLE_EQ(a.sigma[p], b.sigma[p]);
    for (Index s = 0; s < a.shape.states(); ++s)
      EXPECT_NEAR(dense_row(a, p < 2 ? 0 : 1, p)[s], dense_row(b, p < 2 ? 0 : 1, p)[s], 1e-15);
  }
}

TEST(TabularBelief, ItsProblemIsValidAndItsRowsSumToOne) {
  const Environment sea = deep_sea({.depth = 7, .mapping_seed = 1});
  TabularBelief belief(sea.shape(), {1.0}, {.repeat = 100.0}, paper_transform());
  RandomStream random(2);
  for (int episode = 0; episode < 30; ++episode) {
    Problem problem = belief.problem();
    for (Index l = 0; l + 1 < problem.shape.layers(); ++l)
      for (Index p : problem.shape.pairs_of_layer(l)) {
        double sum = 0.0;
        for (double x : dense_row(problem, l, p)) sum += x;
        ASSERT_NEAR(sum, 1.0, 1e-14);
      }
    EXPECT_NO_THROW(validate_and_normalise(problem));
    belief.update(play(sea, uniform_policy(sea.shape()), random));
  }
}

// Pairs of the last layer lead nowhere.
TEST(TabularBelief, TheLastLayerHasNoTransitions) {
  TabularBelief belief = fan_belief();
  belief.update(
      {{.pair = 0, .reward = 1, .next_state = 1}, {.pair = 2, .reward = 1, .next_state = -1}});
  const Problem problem = belief.problem();
  for (Index p : {2, 3, 4}) {
    EXPECT_EQ(problem.transitions.base_weight[p], 0.0);
    EXPECT_EQ(problem.transitions.begin[p], problem.transitions.begin[p + 1]);
  }
}

TEST(TabularBelief, TheTransformSeesWhatIsKnownOfEachPair) {
  std::vector<PairUncertainty> seen;
  TabularBelief belief(fan(), {1.0}, {.repeat = 10.0, .prior_variance = 2.0},
                       [&](const PairUncertainty& u) {
                         seen.push_back(u);
                         return 0.5 * seen.size();
                       });
  belief.update({{.pair = 1, .reward = 0, .next_state = 1}});
  const Problem problem = belief.problem();
  ASSERT_EQ(seen.size(), 5u);
  EXPECT_EQ(problem.sigma, (std::vector<double>{0.5, 1.0, 1.5, 2.0, 2.5}));
  EXPECT_EQ(seen[0].steps_left, 1);
  EXPECT_EQ(seen[2].steps_left, 0);
  EXPECT_DOUBLE_EQ(seen[0].reward_variance, 2.0);
  EXPECT_DOUBLE_EQ(seen[1].reward_variance, 1.0 / 10.5);
  EXPECT_DOUBLE_EQ(seen[0].dirichlet_mass, 1.0);
  EXPECT_DOUBLE_EQ(seen[1].dirichlet_mass, 11.0);
}

TEST(TabularBelief, BadSettingsAreNamed) {
  const auto blamed = [](const TabularBeliefSettings& settings) -> std::string {
    try {
      fan_belief(settings);
    } catch (const InputError& e) {
      return e.place();
    }
    return "";
  };
  for (double bad : {0.0, -1.0, double{NAN}, double{INFINITY}}) {
    EXPECT_EQ(blamed({.repeat = bad}), "repeat") << bad;
    EXPECT_EQ(blamed({.prior_variance = bad}), "prior_variance") << bad;
    EXPECT_EQ(blamed({.noise_variance = bad}), "noise_variance") << bad;
  }
  EXPECT_EQ(blamed({}), "");
}

}  // namespace
}  // namespace vapor
