#include "vapor/belief/tabular_belief.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <utility>
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

TabularPrior fan_prior() { return {.shape = fan(), .initial = {1.0}}; }

TabularBelief fan_belief(double repeat = 1.0) {
  TabularPrior prior = fan_prior();
  prior.repeat = repeat;
  return TabularBelief(prior, reward_only());
}

TEST(TabularBelief, ThePriorIsUniformAndHasMeanZero) {
  TabularBelief belief = fan_belief();
  const Problem& problem = belief.problem();
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
  TabularPrior prior = fan_prior();
  prior.reward = GaussianRewards{.variance = {4.0}, .noise_variance = 0.5};
  TabularBelief belief(prior, reward_only());
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
    TabularBelief belief = fan_belief(repeat);
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
  TabularBelief counted = fan_belief(5.0);
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

// And, as long as sigma_hat has no part of the dynamics, to believe in an m-th of the mass and of
// the noise.
TEST(TabularBelief, RepeatIsLittleMassAndLittleNoise) {
  const Episode episode = {{.pair = 1, .reward = 0.7, .next_state = 2},
                           {.pair = 3, .reward = -0.1, .next_state = -1}};
  TabularBelief counted = fan_belief(100.0);
  TabularPrior prior = fan_prior();
  prior.reward = GaussianRewards{.noise_variance = 0.01};
  prior.dynamics = DirichletDynamics{0.01};
  TabularBelief precise(prior, reward_only());
  for (int i = 0; i < 2; ++i) counted.update(episode), precise.update(episode);
  const Problem a = counted.problem();
  const Problem b = precise.problem();
  for (Index p = 0; p < a.shape.pairs(); ++p) {
    EXPECT_NEAR(a.reward_mean[p], b.reward_mean[p], 1e-15);
    EXPECT_NEAR(a.sigma[p], b.sigma[p], 1e-15);
    for (Index s = 0; s < a.shape.states(); ++s)
      EXPECT_NEAR(dense_row(a, p < 2 ? 0 : 1, p)[s], dense_row(b, p < 2 ? 0 : 1, p)[s], 1e-15);
  }
}

TEST(TabularBelief, ItsProblemIsValidAndItsRowsSumToOne) {
  const Environment sea = deep_sea({.depth = 7, .mapping_seed = 1});
  TabularBelief belief({.shape = sea.shape(), .initial = {1.0}, .repeat = 100.0},
                       paper_transform());
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
  TabularPrior prior = fan_prior();
  prior.reward = GaussianRewards{.variance = {2.0}};
  prior.dynamics = DirichletDynamics{.mass = 3.0};
  prior.repeat = 10.0;
  TabularBelief belief(prior, {[&](const PairUncertainty& u) {
                         seen.push_back(u);
                         return 4.0;
                       }});
  ASSERT_EQ(seen.size(), 5u);
  EXPECT_EQ(seen[0].steps_left, 1);
  EXPECT_EQ(seen[2].steps_left, 0);
  EXPECT_DOUBLE_EQ(seen[0].reward_variance, 2.0);
  EXPECT_DOUBLE_EQ(seen[0].dirichlet_mass, 3.0);
  // An update asks again about what was visited, and about nothing else.
  belief.update({{.pair = 1, .reward = 0, .next_state = 1}});
  EXPECT_EQ(belief.problem().sigma, std::vector<double>(5, 2.0));
  ASSERT_EQ(seen.size(), 6u);
  EXPECT_DOUBLE_EQ(seen[5].reward_variance, 1.0 / 10.5);
  EXPECT_DOUBLE_EQ(seen[5].dirichlet_mass, 13.0);
}

// Prior means and variances of their own for each pair.
TEST(TabularBelief, GaussianPriorsMayDifferByPair) {
  TabularPrior prior = fan_prior();
  prior.reward = GaussianRewards{.mean = {1, 2, 3, 4, 5}, .variance = {1, 4, 9, 16, 25}};
  TabularBelief belief(prior, reward_only());
  EXPECT_EQ(belief.problem().sigma, (std::vector<double>{1, 2, 3, 4, 5}));
  EXPECT_EQ(belief.problem().reward_mean, (std::vector<double>{1, 2, 3, 4, 5}));
  belief.update({{.pair = 1, .reward = 10.0, .next_state = 1}});
  EXPECT_DOUBLE_EQ(belief.problem().reward_mean[1], (2.0 / 4.0 + 10.0) / 1.25);
}

// Beta(a, b) after h ones and t zeros: mean (a + h) / (a + b + h + t), proxy 1 / (4 (a+b+h+t + 1)).
TEST(TabularBelief, BernoulliRewardsUpdateABeta) {
  TabularPrior prior = fan_prior();
  prior.reward = BetaRewards{.a = {2.0}, .b = {3.0}};
  prior.repeat = 10.0;
  TabularBelief belief(prior, reward_only());
  for (double r : {1.0, 0.0, 1.0}) belief.update({{.pair = 0, .reward = r, .next_state = 1}});
  EXPECT_DOUBLE_EQ(belief.problem().reward_mean[0], 22.0 / 35.0);
  EXPECT_DOUBLE_EQ(belief.problem().sigma[0], std::sqrt(0.25 / 36.0));
  EXPECT_DOUBLE_EQ(belief.problem().reward_mean[1], 0.4);
  EXPECT_THROW(belief.update({{.pair = 0, .reward = 0.5, .next_state = 1}}), InputError);
}

TEST(TabularBelief, BetaPriorsMayDifferByPair) {
  TabularPrior prior = fan_prior();
  prior.reward = BetaRewards{.a = {1, 2, 3, 4, 5}, .b = {1.0}};
  TabularBelief belief(prior, reward_only());
  belief.update({{.pair = 1, .reward = 0.0, .next_state = 1}});
  EXPECT_EQ(belief.problem().reward_mean,
            (std::vector<double>{1.0 / 2, 2.0 / 4, 3.0 / 4, 4.0 / 5, 5.0 / 6}));
}

TEST(TabularBelief, KnownDynamicsStayAsTheyAre) {
  TabularPrior prior = fan_prior();
  Transitions P;
  P.begin = {0, 2, 3, 3, 3, 3};
  P.next_state = {1, 2, 3};
  P.probability = {0.25, 0.75, 1.0};
  P.base_weight.assign(5, 0.0);
  P.base.assign(4, 0.0);
  prior.dynamics = P;
  TabularBelief belief(prior, paper_transform());
  belief.update({{.pair = 0, .reward = 1.0, .next_state = 2}});
  EXPECT_EQ(belief.problem().transitions.probability, P.probability);
  EXPECT_EQ(belief.problem().transitions.next_state, P.next_state);
  EXPECT_DOUBLE_EQ(belief.problem().sigma[0], 3.6 * std::sqrt(0.5));
  P.probability[2] = 0.5;
  prior.dynamics = P;
  EXPECT_THROW(TabularBelief(prior, paper_transform()), InputError);
}

// Var(P'V) of the fan: p = (1/3 + counts) / mass, V the posterior means of the leaves.
TEST(TabularBelief, ValueVarianceIsThatOfTheDirichletAverage) {
  TabularBelief belief(fan_prior(), reward_only(0.0) + value_variance());
  EXPECT_EQ(belief.problem().sigma, std::vector<double>(5, 0.0));
  belief.update(
      {{.pair = 0, .reward = 0, .next_state = 2}, {.pair = 3, .reward = 8, .next_state = -1}});
  const double V[] = {0.0, 4.0, 0.0};
  const auto variance = [&](const std::vector<double>& alpha) {
    double mass = 0.0, first = 0.0, second = 0.0;
    for (int i = 0; i < 3; ++i) {
      mass += alpha[i];
      first += alpha[i] * V[i];
      second += alpha[i] * V[i] * V[i];
    }
    return (second / mass - first * first / mass / mass) / (mass + 1.0);
  };
  EXPECT_NEAR(belief.problem().sigma[0], std::sqrt(variance({1 / 3., 4 / 3., 1 / 3.})), 1e-14);
  EXPECT_NEAR(belief.problem().sigma[1], std::sqrt(variance({1 / 3., 1 / 3., 1 / 3.})), 1e-14);
  EXPECT_EQ(belief.problem().sigma[3], 0.0);
}

void expect_identical(const Problem& a, const Problem& b) {
  EXPECT_EQ(a.reward_mean, b.reward_mean);
  EXPECT_EQ(a.sigma, b.sigma);
  EXPECT_EQ(a.initial, b.initial);
  EXPECT_EQ(a.transitions.begin, b.transitions.begin);
  EXPECT_EQ(a.transitions.next_state, b.transitions.next_state);
  EXPECT_EQ(a.transitions.probability, b.transitions.probability);
  EXPECT_EQ(a.transitions.base_weight, b.transitions.base_weight);
  EXPECT_EQ(a.transitions.base, b.transitions.base);
}

// Random steps through a ragged shape: states with several successors.
Episode random_episode(const Shape& shape, RandomStream& random) {
  Episode episode;
  Index s = 0;
  for (Index l = 0; l < shape.layers(); ++l) {
    const Range pairs = shape.pairs_of(s);
    Step step{.pair = pairs.first() + random.index(pairs.size()), .reward = random.normal()};
    const bool last = l + 1 == shape.layers();
    if (!last) {
      const Range next = shape.states_of(l + 1);
      s = next.first() + std::min(random.index(next.size()), random.index(next.size()));
    }
    step.next_state = last ? -1 : s;
    episode.push_back(step);
  }
  return episode;
}

Shape ragged_shape() {
  Shape shape;
  for (Index states : {1, 4, 2, 6, 3}) {
    shape.add_layer();
    for (Index s = 0; s < states; ++s) shape.add_state(1 + (s + states) % 3);
  }
  return shape;
}

// The whole problem, straight from the definitions.
Problem rebuilt(const Shape& shape, const std::vector<Episode>& episodes, double repeat) {
  Problem problem;
  problem.shape = shape;
  problem.initial = {1.0};
  std::vector<double> n(shape.pairs()), sum(shape.pairs());
  std::vector<std::vector<std::pair<Index, double>>> next(shape.pairs());
  for (const Episode& episode : episodes)
    for (const Step& step : episode) {
      n[step.pair] += 1.0;
      sum[step.pair] += step.reward;
      if (step.next_state < 0) continue;
      auto& row = next[step.pair];
      auto found = std::find_if(row.begin(), row.end(),
                                [&](const auto& e) { return e.first == step.next_state; });
      if (found == row.end())
        row.emplace_back(step.next_state, 1.0);
      else
        found->second += 1.0;
    }
  Transitions& P = problem.transitions;
  P.base.assign(shape.states(), 0.0);
  for (Index l = 0; l < shape.layers(); ++l) {
    const bool last = l + 1 == shape.layers();
    if (l > 0)
      for (Index s : shape.states_of(l)) P.base[s] = 1.0 / shape.states_of(l).size();
    for (Index p : shape.pairs_of_layer(l)) {
      const double variance = 1.0 / (1.0 + repeat * n[p]);
      const double range = shape.layers() - 1 - l;
      problem.reward_mean.push_back(repeat * sum[p] * variance);
      problem.sigma.push_back(
          std::sqrt(3.6 * 3.6 * variance + range * range / (1.0 + repeat * n[p])));
      P.base_weight.push_back(last ? 0.0 : 1.0 / (1.0 + repeat * n[p]));
      for (const auto& [state, count] : next[p]) {
        P.next_state.push_back(state);
        P.probability.push_back(repeat * count / (1.0 + repeat * n[p]));
      }
      P.begin.push_back(static_cast<Offset>(P.next_state.size()));
    }
  }
  return problem;
}

// Whether the problem is asked for after every episode or rarely, it is that of all episodes, bit
// for bit and in the order in which successors were first seen.
TEST(TabularBelief, TheKeptProblemIsTheRebuiltOne) {
  for (int every : {1, 3, 17, 1000}) {
    TabularBelief belief({.shape = ragged_shape(), .initial = {1.0}, .repeat = 7.0},
                         paper_transform());
    RandomStream random(every);
    std::vector<Episode> episodes;
    for (int i = 1; i <= 120; ++i) {
      episodes.push_back(random_episode(ragged_shape(), random));
      belief.update(episodes.back());
      if (i % every == 0)
        expect_identical(belief.problem(), rebuilt(ragged_shape(), episodes, 7.0));
    }
    expect_identical(belief.problem(), rebuilt(ragged_shape(), episodes, 7.0));
  }
}

// Restored, a belief poses the same problem and goes on to the same bytes, for every kind of prior.
TEST(TabularBelief, ARestoredBeliefGoesOnAsIfUnbroken) {
  for (const SigmaTransform& transform : {paper_transform(), reward_only() + value_variance()}) {
    const TabularPrior prior{.shape = ragged_shape(), .initial = {1.0}, .repeat = 3.0};
    TabularBelief unbroken(prior, transform);
    RandomStream random(3);
    for (int i = 0; i < 15; ++i) unbroken.update(random_episode(ragged_shape(), random));
    Archive saved;
    unbroken.archive(saved);
    TabularBelief restored(prior, transform);
    restored.update(random_episode(ragged_shape(), random));  // to be forgotten
    Archive archive = Archive::restoring(saved.bytes());
    restored.archive(archive);
    archive.expect_end();
    expect_identical(restored.problem(), unbroken.problem());
    for (int i = 0; i < 15; ++i) {
      const Episode episode = random_episode(ragged_shape(), random);
      unbroken.update(episode);
      restored.update(episode);
    }
    expect_identical(restored.problem(), unbroken.problem());
    Archive again;
    Archive unbroken_again;
    restored.archive(again);
    unbroken.archive(unbroken_again);
    EXPECT_EQ(again.bytes(), unbroken_again.bytes());
    std::vector<double> a(prior.shape.pairs()), b(prior.shape.pairs());
    RandomStream x(5), y(5);
    EXPECT_EQ(unbroken.sample_optimal_policy(x, a), restored.sample_optimal_policy(y, b));
    EXPECT_EQ(a, b);
  }
}

TEST(TabularBelief, ACheckpointOfAnotherShapeIsRefused) {
  TabularBelief small = fan_belief();
  Archive saved;
  small.archive(saved);
  TabularBelief large({.shape = ragged_shape(), .initial = {1.0}}, paper_transform());
  Archive archive = Archive::restoring(saved.bytes());
  EXPECT_THROW(large.archive(archive), InputError);
}

// A refused episode leaves no trace.
TEST(TabularBelief, StepsThatDoNotFitAreRefusedWhole) {
  TabularBelief belief = fan_belief();
  const Problem before = belief.problem();
  const Step good{.pair = 0, .reward = 1.0, .next_state = 1};
  for (const Step& bad : {Step{.pair = 5, .reward = 0, .next_state = -1},
                          Step{.pair = -1, .reward = 0, .next_state = 1},
                          Step{.pair = 0, .reward = 0, .next_state = 0},
                          Step{.pair = 0, .reward = 0, .next_state = -1},
                          Step{.pair = 2, .reward = 0, .next_state = 1},
                          Step{.pair = 0, .reward = NAN, .next_state = 1}}) {
    EXPECT_THROW(belief.update({good, bad}), InputError);
    expect_identical(belief.problem(), before);
  }
}

TEST(TabularBelief, BadSettingsAreNamed) {
  const auto blamed = [](const std::function<void(TabularPrior&)>& spoil) -> std::string {
    TabularPrior prior = fan_prior();
    spoil(prior);
    try {
      TabularBelief(prior, reward_only());
    } catch (const InputError& e) {
      return e.place();
    }
    return "";
  };
  for (double bad : {0.0, -1.0, double{NAN}, double{INFINITY}}) {
    EXPECT_EQ(blamed([&](auto& p) { p.repeat = bad; }), "repeat");
    EXPECT_EQ(blamed([&](auto& p) { p.reward = GaussianRewards{.variance = {bad}}; }),
              "reward.variance[0]");
    EXPECT_EQ(blamed([&](auto& p) { p.reward = GaussianRewards{.noise_variance = bad}; }),
              "reward.noise_variance");
    EXPECT_EQ(blamed([&](auto& p) { p.reward = BetaRewards{.a = {bad}}; }), "reward.a[0]");
    EXPECT_EQ(blamed([&](auto& p) { p.dynamics = DirichletDynamics{bad}; }), "dynamics.mass");
  }
  EXPECT_EQ(blamed([](auto& p) { p.reward = GaussianRewards{.mean = {1, 2}}; }), "reward.mean");
  EXPECT_NE(blamed([](auto& p) { p.initial = {0.5}; }), "");
  EXPECT_EQ(blamed([](auto&) {}), "");
}

// Action 0 surely leads to state 2, action 1 is unknown.
TabularPrior half_known_fan() {
  TabularPrior prior = fan_prior();
  prior.certain_next = {2, -1, -1, -1, -1};
  return prior;
}

TEST(TabularBelief, ACertainSuccessorHasNoUncertainty) {
  TabularBelief belief(half_known_fan(), range_bound());
  for (int visits = 0; visits < 3; ++visits) {
    const Problem& problem = belief.problem();
    EXPECT_EQ(dense_row(problem, 0, 0), (std::vector<double>{0.0, 0.0, 1.0, 0.0}));
    EXPECT_EQ(problem.sigma[0], 0.0);
    EXPECT_EQ(problem.sigma[1], 1.0);  // (L - l)^2 / mass
    EXPECT_NEAR(dense_row(problem, 0, 1)[2], 1.0 / 3.0, 1e-15);
    belief.update({{.pair = 0, .reward = 0.0, .next_state = 2}});
  }
  EXPECT_THROW(belief.update({{.pair = 0, .reward = 0.0, .next_state = 1}}), InputError);
}

// Rewards are known to be 0, 5, 0 in the three states: a drawn MDP is worth 5 whatever else is
// drawn.
TEST(TabularBelief, ASampleTakesWhatIsCertain) {
  TabularPrior prior = half_known_fan();
  prior.reward = GaussianRewards{{0.0, 0.0, 0.0, 5.0, 0.0}, {1e-18}, 1.0};
  TabularBelief belief(prior, reward_only());
  RandomStream random(3);
  std::vector<double> policy(5);
  for (int i = 0; i < 20; ++i) {
    EXPECT_NEAR(belief.sample_optimal_policy(random, policy), 5.0, 1e-6);
    EXPECT_EQ(policy[0], 1.0);
  }
}

TEST(TabularBelief, ACertainSuccessorSurvivesACheckpoint) {
  TabularBelief belief(half_known_fan(), range_bound());
  belief.update({{.pair = 1, .reward = 1.0, .next_state = 3}});
  Archive saved;
  belief.archive(saved);
  TabularBelief restored(half_known_fan(), range_bound());
  Archive archive = Archive::restoring(saved.bytes());
  restored.archive(archive);
  EXPECT_EQ(restored.problem().transitions.probability, belief.problem().transitions.probability);
  EXPECT_EQ(restored.problem().sigma, belief.problem().sigma);
  EXPECT_EQ(dense_row(restored.problem(), 0, 0)[2], 1.0);
}

TEST(TabularBelief, CertainSuccessorsMustFit) {
  for (const std::vector<Index>& wrong :
       {std::vector<Index>{2}, {0, -1, -1, -1, -1}, {4, -1, -1, -1, -1}, {-1, -1, 1, -1, -1}}) {
    TabularPrior prior = fan_prior();
    prior.certain_next = wrong;
    EXPECT_THROW(TabularBelief(prior, reward_only()), InputError);
  }
}

}  // namespace
}  // namespace vapor
