// Counts of all layers as one, and ends of episodes.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <vector>

#include "tests/belief/kolmogorov_smirnov.h"
#include "vapor/belief/tabular_belief.h"
#include "vapor/env/registry.h"
#include "vapor/env/stationary_pair.h"
#include "vapor/mdp/backward_induction.h"
#include "vapor/mdp/policy.h"

namespace vapor {
namespace {

Environment river() { return make_environment(Spec("env", "river_swim:states=4,horizon=5"), 1); }

TabularPrior river_prior(const Environment& env, bool pooled) {
  TabularPrior prior{.shape = env.shape(), .initial = env.model.initial};
  prior.places = places_of(env);
  prior.places.stationary = pooled;
  return prior;
}

std::vector<Episode> river_episodes(const Environment& env, int count) {
  RandomStream random(5);
  std::vector<Episode> episodes;
  for (int i = 0; i < count; ++i)
    episodes.push_back(play(env, uniform_policy(env.shape()), random));
  return episodes;
}

// Each pair has the visits, rewards and successors of its place in all layers, added up.
TEST(PooledBelief, IsTheSumOverLayers) {
  const Environment env = river();
  const Shape& shape = env.shape();
  const std::vector<Index> number = stationary_pair(env);
  TabularBelief pooled(river_prior(env, true), reward_only());
  std::map<Index, double> visits, rewards, transitions;
  std::map<std::pair<Index, Index>, double> successors;  // pair number, next cell
  for (const Episode& episode : river_episodes(env, 20)) {
    pooled.update(episode);
    for (const Step& step : episode) {
      visits[number[step.pair]] += 1.0;
      rewards[number[step.pair]] += step.reward;
      if (step.next_state < 0) continue;
      transitions[number[step.pair]] += 1.0;
      successors[{number[step.pair], env.cells[step.next_state].column}] += 1.0;
    }
  }
  const Problem& problem = pooled.problem();
  for (Index l = 0; l < shape.layers(); ++l)
    for (Index p : shape.pairs_of_layer(l)) {
      const Index q = number[p];
      EXPECT_NEAR(problem.reward_mean[p], rewards[q] / (1.0 + visits[q]), 1e-15);
      EXPECT_NEAR(problem.sigma[p], 1.0 / std::sqrt(1.0 + visits[q]), 1e-15);
      if (l + 1 == shape.layers()) continue;
      const Transitions& P = problem.transitions;
      EXPECT_NEAR(P.base_weight[p], 1.0 / (1.0 + transitions[q]), 1e-15);
      double sum = P.base_weight[p];
      for (Offset k = P.begin[p]; k < P.begin[p + 1]; ++k) {
        const Index next = P.next_state[k];
        EXPECT_TRUE(next >= shape.states_of(l + 1).first() && next < shape.states_of(l + 1).last());
        const double seen = successors[{q, env.cells[next].column}];
        EXPECT_NEAR(P.probability[k], seen / (1.0 + transitions[q]), 1e-15);
        sum += P.probability[k];
      }
      EXPECT_NEAR(sum, 1.0, 1e-12);
    }
}

// V* of an MDP whose rewards and rows are drawn once for every place and action.
double stationary_value(const Environment& env, const std::vector<Episode>& episodes,
                        RandomStream& random) {
  const std::vector<Index> number = stationary_pair(env);
  const Index S = env.columns, pairs = 2 * S;
  std::vector<double> n(pairs), sum(pairs);
  std::vector<std::vector<double>> row(pairs, std::vector<double>(S, 1.0 / S));
  for (const Episode& episode : episodes)
    for (const Step& step : episode) {
      n[number[step.pair]] += 1.0;
      sum[number[step.pair]] += step.reward;
      if (step.next_state >= 0) row[number[step.pair]][env.cells[step.next_state].column] += 1.0;
    }
  std::vector<double> reward(pairs), V(S, 0.0), next_V(S);
  for (Index q = 0; q < pairs; ++q) {
    reward[q] = (sum[q] + std::sqrt(1.0 + n[q]) * random.normal()) / (1.0 + n[q]);
    double total = 0.0;
    for (double& x : row[q]) total += x = random.gamma(x);
    for (double& x : row[q]) x /= total;
  }
  for (Index l = 0; l < env.shape().layers(); ++l) {
    for (Index s = 0; s < S; ++s) {
      next_V[s] = -1e300;
      for (Index q : {2 * s, 2 * s + 1}) {
        double Q = reward[q];
        for (Index t = 0; l > 0 && t < S; ++t) Q += row[q][t] * V[t];
        next_V[s] = std::max(next_V[s], Q);
      }
    }
    V = next_V;
  }
  return 0.5 * (V[1] + V[2]);
}

// A river drawn by layers would average its luck away over them.
TEST(PooledBelief, ASampledMdpIsOneRiver) {
  const Environment env = river();
  const std::vector<Episode> episodes = river_episodes(env, 2);
  TabularBelief pooled(river_prior(env, true), reward_only());
  TabularBelief layered(river_prior(env, false), reward_only());
  for (const Episode& episode : episodes) {
    pooled.update(episode);
    layered.update(episode);
  }
  RandomStream random(9);
  std::vector<double> policy(env.shape().pairs()), drawn, expected, by_layer;
  for (int i = 0; i < 4000; ++i) {
    drawn.push_back(pooled.sample_optimal_policy(random, policy));
    by_layer.push_back(layered.sample_optimal_policy(random, policy));
    expected.push_back(stationary_value(env, episodes, random));
  }
  EXPECT_LT(test_support::kolmogorov_smirnov(drawn, expected), 1.95);
  EXPECT_GT(test_support::kolmogorov_smirnov(by_layer, expected), 1.95);
}

TEST(PooledBelief, RestoredItGoesOnAsIfUnbroken) {
  const Environment env = river();
  TabularPrior prior = river_prior(env, true);
  prior.reward = NormalGammaRewards{};
  TabularBelief unbroken(prior, reward_only());
  const std::vector<Episode> episodes = river_episodes(env, 6);
  for (int i = 0; i < 3; ++i) unbroken.update(episodes[i]);
  Archive saved;
  unbroken.archive(saved);
  TabularBelief restored(prior, reward_only());
  Archive archive = Archive::restoring(saved.bytes());
  restored.archive(archive);
  archive.expect_end();
  for (int i = 3; i < 6; ++i) {
    unbroken.update(episodes[i]);
    restored.update(episodes[i]);
  }
  EXPECT_EQ(restored.problem().sigma, unbroken.problem().sigma);
  EXPECT_EQ(restored.problem().reward_mean, unbroken.problem().reward_mean);
  EXPECT_EQ(restored.problem().transitions.probability, unbroken.problem().transitions.probability);
}

// One state and its end a layer, two layers.
TEST(Ends, AnEndPaysNothingForCertainAndStays) {
  Shape shape;
  for (int l = 0; l < 2; ++l) {
    shape.add_layer();
    shape.add_state(2);
    if (l > 0) shape.add_state(1);
  }
  shape.add_layer();
  shape.add_state(2);
  shape.add_state(1);
  TabularPrior prior{.shape = shape, .initial = {1.0}, .reward = NormalGammaRewards{}};
  prior.places.is_end = {0, 0, 1, 0, 1};
  TabularBelief belief(prior, paper_transform());
  const Index end = shape.pairs_of(2).first();
  const Problem& problem = belief.problem();
  EXPECT_EQ(problem.reward_mean[end], 0.0);
  EXPECT_EQ(problem.sigma[end], 0.0);
  EXPECT_EQ(problem.transitions.base_weight[end], 0.0);
  EXPECT_EQ(problem.transitions.next_state[problem.transitions.begin[end]], 4);
  EXPECT_NO_THROW(belief.update({{.pair = end, .reward = 0.0, .next_state = 4}}));
  EXPECT_THROW(belief.update({{.pair = end, .reward = 1.0, .next_state = 4}}), InputError);
}

}  // namespace
}  // namespace vapor
