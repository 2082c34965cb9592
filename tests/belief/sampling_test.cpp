// The MDPs that Thompson sampling draws, against a sampler that draws them whole.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/belief/kolmogorov_smirnov.h"
#include "vapor/belief/tabular_belief.h"
#include "vapor/mdp/backward_induction.h"

namespace vapor {
namespace {

using test_support::kolmogorov_smirnov;

Shape layered(const std::vector<Index>& states, Index actions) {
  Shape shape;
  for (Index count : states) {
    shape.add_layer();
    for (Index s = 0; s < count; ++s) shape.add_state(actions);
  }
  return shape;
}

struct Observed {
  TabularPrior prior;
  std::vector<Episode> episodes;
};

// V* of an MDP drawn whole: every reward, and every row of P by a gamma for each next state.
double naive_value(const Observed& seen, RandomStream& random) {
  const Shape& shape = seen.prior.shape;
  const double m = seen.prior.repeat;
  const double mass = std::get<DirichletDynamics>(seen.prior.dynamics).mass;
  std::vector<double> n(shape.pairs()), sum(shape.pairs());
  std::vector<std::vector<double>> count(shape.pairs(), std::vector<double>(shape.states()));
  for (const Episode& episode : seen.episodes)
    for (const Step& step : episode) {
      n[step.pair] += m;
      sum[step.pair] += m * step.reward;
      if (step.next_state >= 0) count[step.pair][step.next_state] += m;
    }
  Problem drawn;
  drawn.shape = shape;
  drawn.initial = seen.prior.initial;
  std::vector<double> reward(shape.pairs());
  Transitions& P = drawn.transitions;
  P.base_weight.assign(shape.pairs(), 0.0);
  P.base.assign(shape.states(), 0.0);
  for (Index l = 0; l < shape.layers(); ++l)
    for (Index p : shape.pairs_of_layer(l)) {
      if (const auto* beta = std::get_if<BetaRewards>(&seen.prior.reward)) {
        const double x = random.gamma(beta->a[0] + sum[p]);
        reward[p] = x / (x + random.gamma(beta->b[0] + n[p] - sum[p]));
      } else {
        reward[p] = sum[p] / (1.0 + n[p]) + random.normal() / std::sqrt(1.0 + n[p]);
      }
      if (l + 1 < shape.layers()) {
        const Range next = shape.states_of(l + 1);
        std::vector<double> log_g;
        for (Index s : next) {
          const double alpha = mass / next.size() + count[p][s];
          log_g.push_back(std::log(random.gamma(alpha + 1.0)) +
                          std::log(1.0 - random.uniform()) / alpha);
        }
        const double largest = *std::max_element(log_g.begin(), log_g.end());
        double total = 0.0;
        for (double& g : log_g) total += (g = std::exp(g - largest));
        for (Index s : next) {
          P.next_state.push_back(s);
          P.probability.push_back(log_g[s - next.first()] / total);
        }
      }
      P.begin.push_back(static_cast<Offset>(P.next_state.size()));
    }
  return backward_induction(drawn, reward).V[0];
}

void expect_same_distribution(const Observed& seen) {
  TabularBelief belief(seen.prior, reward_only());
  for (const Episode& episode : seen.episodes) belief.update(episode);
  std::vector<double> policy(seen.prior.shape.pairs());
  RandomStream random(11);
  std::vector<double> ours(2500);
  std::vector<double> naive(2500);
  for (double& x : ours) x = belief.sample_optimal_policy(random, policy);
  for (double& x : naive) x = naive_value(seen, random);
  EXPECT_LT(kolmogorov_smirnov(ours, naive), 1.95);
}

std::vector<Episode> some_episodes() {
  return {{{.pair = 0, .reward = 1.0, .next_state = 3},
           {.pair = 6, .reward = 0.0, .next_state = 15},
           {.pair = 30, .reward = 1.0, .next_state = -1}},
          {{.pair = 0, .reward = 0.0, .next_state = 4},
           {.pair = 8, .reward = 1.0, .next_state = 15},
           {.pair = 31, .reward = 1.0, .next_state = -1}}};
}

TEST(Sampling, HasTheDistributionOfTheNaiveSampler) {
  TabularPrior prior{.shape = layered({1, 12, 15}, 2), .initial = {1.0}};
  expect_same_distribution({prior, {}});
  expect_same_distribution({prior, some_episodes()});
  prior.repeat = 10.0;
  prior.dynamics = DirichletDynamics{.mass = 4.0};
  expect_same_distribution({prior, some_episodes()});
  prior.reward = BetaRewards{.a = {0.5}, .b = {0.5}};
  expect_same_distribution({prior, some_episodes()});
}

// With m = 10000 a row that was seen once is that successor but for 1 / (m + 1), and a reward known
// but for 1 / sqrt(m + 1).
TEST(Sampling, ManyRepeatsLeaveTheObserved) {
  const Shape shape = layered({1, 20}, 1);
  TabularBelief belief({.shape = shape, .initial = {1.0}, .repeat = 10000.0}, reward_only());
  belief.update(
      {{.pair = 0, .reward = 2.0, .next_state = 7}, {.pair = 7, .reward = 5.0, .next_state = -1}});
  RandomStream random(2);
  std::vector<double> policy(shape.pairs());
  double mean = 0.0;
  double squares = 0.0;
  constexpr int kDraws = 20000;
  for (int i = 0; i < kDraws; ++i) {
    const double value = belief.sample_optimal_policy(random, policy);
    mean += value / kDraws;
    squares += (value - 7.0) * (value - 7.0) / kDraws;
  }
  // Var = Var r_0 + E Var(P'V) + Var r_7 and less than 0.01^2 for the rest.
  EXPECT_NEAR(mean, 7.0, 0.002);
  EXPECT_NEAR(squares, 2e-4, 2e-5);
}

// The mean of P'V is that of E P, its variance Var(P'V), whatever was seen: leaves without
// uncertainty of their own leave no other source.
TEST(Sampling, NextValuesHaveTheMomentsOfTheDirichlet) {
  const Shape shape = layered({1, 30}, 1);
  TabularPrior prior{.shape = shape, .initial = {1.0}, .repeat = 2.0};
  GaussianRewards sure;
  sure.mean.assign(shape.pairs(), 0.0);
  for (Index p = 1; p < shape.pairs(); ++p) sure.mean[p] = std::sin(p);
  sure.variance = {1e-24};
  prior.reward = sure;
  TabularBelief belief(prior, reward_only(0.0) + value_variance());
  RandomStream random(4);
  for (Index next : {5, 5, 9, 30, 5}) {
    belief.update({{.pair = 0, .reward = 0.0, .next_state = next}});
    const Problem& problem = belief.problem();
    const double mean = backward_induction(problem, problem.reward_mean).V[0];
    double first = 0.0;
    double second = 0.0;
    constexpr int kDraws = 40000;
    std::vector<double> policy(shape.pairs());
    for (int i = 0; i < kDraws; ++i) {
      const double value = belief.sample_optimal_policy(random, policy) - mean;
      first += value / kDraws;
      second += value * value / kDraws;
    }
    const double variance = problem.sigma[0] * problem.sigma[0];
    EXPECT_NEAR(first, 0.0, 5.0 * std::sqrt(variance / kDraws));
    EXPECT_NEAR(second / variance, 1.0, 0.06);
  }
}

// One action of every state, and the one that is optimal.
TEST(Sampling, ThePolicyIsDeterministicAndAttainsTheValue) {
  const Shape shape = layered({2, 3}, 3);
  TabularPrior prior{.shape = shape, .initial = {0.25, 0.75}};
  GaussianRewards sure;
  sure.mean.resize(shape.pairs());
  for (Index p = 0; p < shape.pairs(); ++p) sure.mean[p] = p % 3;
  sure.variance = {1e-20};
  prior.reward = sure;
  TabularBelief belief(prior, reward_only());
  RandomStream random(1);
  std::vector<double> policy(shape.pairs(), 7.0);
  EXPECT_NEAR(belief.sample_optimal_policy(random, policy), 4.0, 1e-8);
  for (Index p = 0; p < shape.pairs(); ++p) EXPECT_EQ(policy[p], p % 3 == 2 ? 1.0 : 0.0);
}

}  // namespace
}  // namespace vapor
