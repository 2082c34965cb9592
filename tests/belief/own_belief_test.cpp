#include "vapor/belief/own_belief.h"

#include <gtest/gtest.h>

#include "vapor/mdp/problem_builder.h"

namespace vapor {
namespace {

Problem two_arms(double first, double second) {
  return ProblemBuilder({1.0})
      .layer()
      .state({{.reward_mean = first, .sigma = 1.0}, {.reward_mean = second, .sigma = 1.0}})
      .build();
}

// The mean reward of the first arm is the number of episodes.
struct CountingModel {
  double episodes = 0.0;

  Problem problem() const { return two_arms(episodes, 2.5); }
  void update(const Episode&) { episodes += 1.0; }
  Problem sample(RandomStream&) const { return problem(); }
  void archive(Archive& archive) { archive(episodes); }
};

TEST(OwnBelief, ItsProblemFollowsItsUpdates) {
  const std::unique_ptr<Belief> belief = own_belief(CountingModel{});
  std::vector<double> policy(2);
  RandomStream random(1);
  EXPECT_DOUBLE_EQ(belief->sample_optimal_policy(random, policy), 2.5);
  EXPECT_EQ(policy, (std::vector<double>{0.0, 1.0}));
  for (int i = 0; i < 3; ++i) belief->update({});
  EXPECT_DOUBLE_EQ(belief->problem().reward_mean[0], 3.0);
  EXPECT_DOUBLE_EQ(belief->sample_optimal_policy(random, policy), 3.0);
  Archive saved;
  belief->archive(saved);
  belief->update({});
  Archive back = Archive::restoring(saved.bytes());
  belief->archive(back);
  EXPECT_DOUBLE_EQ(belief->problem().reward_mean[0], 3.0);
}

// Changes its size, or forgets that a sigma is >= 0, after the first episode.
struct BrokenModel {
  bool grows = false;
  bool was_updated = false;

  Problem problem() const {
    if (!was_updated) return two_arms(0.0, 0.0);
    if (grows) return ProblemBuilder({1.0}).layer().state({{.sigma = 1.0}}).build();
    Problem problem = two_arms(0.0, 0.0);
    problem.sigma[1] = -1.0;
    return problem;
  }
  void update(const Episode&) { was_updated = true; }
};

TEST(OwnBelief, WhatIsWrongWithItIsSaid) {
  for (const bool grows : {true, false}) {
    const std::unique_ptr<Belief> belief = own_belief(BrokenModel{.grows = grows});
    belief->update({});
    for (int i = 0; i < 2; ++i) EXPECT_THROW(belief->problem(), InputError);
  }
  const std::unique_ptr<Belief> belief = own_belief(BrokenModel{});
  RandomStream random(1);
  std::vector<double> policy(2);
  EXPECT_THROW(belief->sample_optimal_policy(random, policy), InputError);
  Archive archive;
  EXPECT_THROW(belief->archive(archive), InputError);
}

}  // namespace
}  // namespace vapor
