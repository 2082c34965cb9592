#include "vapor/run/beliefs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "vapor/core/error.h"
#include "vapor/env/registry.h"
#include "vapor/mdp/policy.h"

namespace vapor {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Environment environment(const std::string& spec) {
  return make_environment(Spec("--env", spec), 3);
}

std::unique_ptr<Belief> belief(const std::string& spec, const Environment& about) {
  return make_belief(Spec("--belief", spec), about);
}

std::string complaint(const std::string& spec, const std::string& env) {
  try {
    belief(spec, environment(env));
  } catch (const InputError& e) {
    return e.what();
  }
  ADD_FAILURE() << "nothing was refused";
  return "";
}

Episode one_episode(const Environment& env) {
  RandomStream random(1);
  return play(env, uniform_policy(env.shape()), random);
}

TEST(Beliefs, EveryEnvironmentHasOneThatFits) {
  for (const EnvironmentKind& kind : environment_kinds()) {
    SCOPED_TRACE(kind.name);
    const Environment env = environment(kind.name);
    const std::unique_ptr<Belief> fitting = belief(default_belief(kind.name, env), env);
    EXPECT_EQ(fitting->shape(), env.shape());
    for (int t = 0; t < 3; ++t) fitting->update(one_episode(env));
    for (double sigma : fitting->problem().sigma) EXPECT_TRUE(std::isfinite(sigma));
  }
}

// What every belief promises about every environment that it takes. A new one gets this by its
// entry.
void expect_goes_on_from_a_checkpoint(const std::string& spec, const Environment& env) {
  const std::unique_ptr<Belief> first = belief(spec, env);
  const std::unique_ptr<Belief> second = belief(spec, env);
  RandomStream random(2);
  const auto episode = [&] { return play(env, uniform_policy(env.shape()), random); };
  for (int t = 0; t < 3; ++t) first->update(episode());
  Archive saved;
  first->archive(saved);
  Archive restoring = Archive::restoring(saved.bytes());
  second->archive(restoring);
  restoring.expect_end();
  const Episode next = episode();
  std::vector<double> policies[2];
  for (int i = 0; i < 2; ++i) {
    Belief& one = i == 0 ? *first : *second;
    one.update(next);
    policies[i].resize(env.shape().pairs());
    RandomStream draws(4);
    one.sample_optimal_policy(draws, policies[i]);
  }
  const Problem& a = first->problem();
  const Problem& b = second->problem();
  EXPECT_EQ(a.shape, env.shape());
  EXPECT_EQ(a.reward_mean, b.reward_mean);
  EXPECT_EQ(a.sigma, b.sigma);
  EXPECT_EQ(a.transitions.next_state, b.transitions.next_state);
  EXPECT_EQ(a.transitions.probability, b.transitions.probability);
  EXPECT_EQ(policies[0], policies[1]);
  for (Index s = 0; s < env.shape().states(); ++s) {
    double chosen = 0.0;
    for (Index p : env.shape().pairs_of(s)) chosen += policies[0][p];
    EXPECT_EQ(chosen, 1.0) << "state " << s;
  }
}

TEST(EveryBelief, GoesOnToTheSameBitsFromACheckpoint) {
  for (const BeliefKind& kind : belief_kinds()) {
    int taken = 0;
    for (const EnvironmentKind& about : environment_kinds()) {
      SCOPED_TRACE(kind.name + " about " + about.name);
      const Environment env = environment(about.name);
      try {
        belief(kind.name, env);
      } catch (const InputError&) {
        continue;
      }
      ++taken;
      expect_goes_on_from_a_checkpoint(kind.name, env);
    }
    EXPECT_GT(taken, 0) << kind.name << " takes no environment with its default settings";
  }
}

// Posterior variance of a mean reward after n visits: variance / (1 + m n).
TEST(Beliefs, VarianceScalesPriorAndNoiseAlike) {
  const Environment sea = environment("deep_sea:depth=4");
  const std::unique_ptr<Belief> known =
      belief("tabular:repeat=100,variance=0.03,transform=reward-only", sea);
  const Episode episode = one_episode(sea);
  EXPECT_DOUBLE_EQ(known->problem().sigma[episode[0].pair], std::sqrt(0.03));
  known->update(episode);
  EXPECT_NEAR(known->problem().sigma[episode[0].pair], std::sqrt(0.03 / 101.0), 1e-15);
  EXPECT_NEAR(known->problem().reward_mean[episode[3].pair], episode[3].reward * 100.0 / 101.0,
              1e-15);
}

// Layer 1 of 4, never visited: reward variance 1, Dirichlet mass 1, three layers left.
TEST(Beliefs, TransformsAreTheirFormulas) {
  const Environment sea = environment("deep_sea:depth=4");
  const auto variance = [&](const std::string& spec) {
    const double sigma = belief("tabular:" + spec, sea)->problem().sigma[0];
    return sigma * sigma;
  };
  EXPECT_NEAR(variance("transform=paper"), 3.6 * 3.6 + 9.0, 1e-12);
  EXPECT_NEAR(variance("transform=range"), 1.0 + 9.0, 1e-12);
  EXPECT_NEAR(variance("transform=range,mass=3"), 1.0 + 3.0, 1e-12);
  EXPECT_NEAR(variance("transform=reward-only"), 1.0, 1e-12);
  EXPECT_NEAR(variance("transform=dirichlet-variance"), 1.0, 1e-12) << "E V is 0 everywhere";
}

TEST(Beliefs, WhatTheEnvironmentPublishesIsKnown) {
  const Environment world = environment("grid_world:size=3,noise=0.5");
  const std::unique_ptr<Belief> fitting = belief("tabular", world);
  const Problem& problem = fitting->problem();
  EXPECT_EQ(problem.transitions.next_state, world.model.transitions.next_state);
  for (Index p = 0; p < problem.shape.pairs(); ++p)
    EXPECT_NEAR(problem.reward_mean[p], world.known.reward_mean[p], 1e-12);
  const Episode episode = one_episode(world);
  const double prior = world.known.reward_variance[episode[0].pair];
  EXPECT_NEAR(problem.sigma[episode[0].pair], std::sqrt(prior), 1e-12);
  fitting->update(episode);
  EXPECT_NEAR(fitting->problem().sigma[episode[0].pair],
              std::sqrt(1.0 / (1.0 / prior + 1.0 / 0.25)), 1e-12);
}

// +1 or -1 at the end of the chain with equal weights, whichever is true.
TEST(Beliefs, TheToyChainIsOneOfTwo) {
  for (const char* spec : {"toy_chain:sign=1", "toy_chain:sign=-1"}) {
    const Environment chain = environment(spec);
    const std::unique_ptr<Belief> pair = belief("finite", chain);
    for (Index goal : chain.goals) {
      EXPECT_EQ(pair->problem().reward_mean[goal], 0.0);
      EXPECT_NEAR(pair->problem().sigma[goal], 1.0, 1e-12);
    }
    std::vector<double> right(chain.shape().pairs(), 0.0);
    for (Index s = 0; s < chain.shape().states(); ++s)
      right[chain.shape().pairs_of(s).last() - 1] = 1.0;
    RandomStream random(1);
    pair->update(play(chain, right, random));
    for (Index goal : chain.goals)
      EXPECT_EQ(pair->problem().reward_mean[goal], chain.model.reward_mean[goal]);
  }
}

TEST(Beliefs, BadOnesAreRefusedByPlace) {
  EXPECT_THAT(complaint("tabluar", "deep_sea"),
              AllOf(HasSubstr("--belief"), HasSubstr("tabular?")));
  EXPECT_THAT(complaint("tabular:repaet=2", "deep_sea"), HasSubstr("repeat"));
  EXPECT_THAT(complaint("tabular:repeat=0", "deep_sea"), HasSubstr("tabular:repeat"));
  EXPECT_THAT(complaint("tabular:transform=none", "deep_sea"), HasSubstr("reward-only"));
  EXPECT_THAT(complaint("tabular:transform=known", "deep_sea"), HasSubstr("known"));
  EXPECT_THAT(complaint("tabular:mass=2", "grid_world"), HasSubstr("tabular:mass"));
  EXPECT_THAT(complaint("tabular:variance=2", "random_mdp"), HasSubstr("tabular:variance"));
  EXPECT_THAT(complaint("finite", "deep_sea"), HasSubstr("toy_chain"));
  EXPECT_THAT(complaint("finite", "grid_world:noise=0"), HasSubstr("toy_chain"));
  EXPECT_THAT(complaint("finite:x=1", "toy_chain"), HasSubstr("x"));
}

}  // namespace
}  // namespace vapor
