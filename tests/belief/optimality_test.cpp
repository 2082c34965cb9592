#include "vapor/belief/optimality.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/belief/toy_models.h"
#include "vapor/belief/tabular_belief.h"
#include "vapor/core/error.h"
#include "vapor/mdp/policy.h"

namespace vapor {
namespace {

using test_support::chain;
using test_support::random_models;

// For known P, P(Gamma*) is an occupancy measure (Lemma 1).
TEST(Optimality, IsAnOccupancyMeasure) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    FiniteBelief belief(random_models(4, 3, RandomStream(seed)));
    RandomStream random(1);
    const Optimality o = belief.optimality(random, 0);
    EXPECT_LT(max_flow_residual(belief.problem(), o.occupancy), 1e-14);
  }
}

// Two arms N(m, 1) and N(0, 1): the first is the better one with probability Phi(m / sqrt 2), and
// the better one pays m Phi(m / sqrt 2) + sqrt 2 phi(m / sqrt 2).
TEST(Optimality, OfTwoGaussianArms) {
  Shape shape;
  shape.add_layer();
  shape.add_state(2);
  const double m = 0.7;
  TabularPrior prior{.shape = shape, .initial = {1.0}};
  prior.reward = GaussianRewards{.mean = {m, 0.0}};
  TabularBelief belief(prior, reward_only());
  RandomStream random(2);
  const Optimality o = belief.optimality(random, 20000);
  const double x = m / std::sqrt(2.0);
  const double p = 0.5 * std::erfc(-x / std::sqrt(2.0));
  EXPECT_NEAR(o.occupancy[0], p, 4.0 * o.standard_error[0]);
  EXPECT_NEAR(o.occupancy[0], o.marginal[0], 1e-12);
  EXPECT_NEAR(o.standard_error[0], std::sqrt(p * (1.0 - p) / 20000), 1e-4);
  const double value = m * p + std::sqrt(2.0) * std::exp(-x * x / 2.0) / std::sqrt(2.0 * M_PI);
  EXPECT_NEAR(o.value, value, 4.0 * o.value_standard_error);
}

// Known dynamics: MDPs of the belief itself, so a transform does not change them. Unknown ones: of
// the transformed belief, so it does.
TEST(Optimality, TransformedBeliefsOnlyIfTheDynamicsAreUnknown) {
  const Problem model = chain(3, 0.1, 1.0);
  TabularPrior prior{.shape = model.shape, .initial = {1.0}};
  const auto value = [&](const SigmaTransform& transform) {
    TabularBelief belief(prior, transform);
    RandomStream random(3);
    return belief.optimality(random, 200).value;
  };
  EXPECT_GT(value(reward_only(100.0)), 5.0 * value(reward_only()));
  prior.dynamics = model.transitions;
  EXPECT_EQ(value(reward_only(100.0)), value(reward_only()));
}

TEST(Optimality, TooFewSamplesAreRefused) {
  TabularBelief belief({.shape = chain(2, 0.1, 1.0).shape, .initial = {1.0}}, reward_only());
  RandomStream random(3);
  EXPECT_THROW(belief.optimality(random, 1), InputError);
}

}  // namespace
}  // namespace vapor
