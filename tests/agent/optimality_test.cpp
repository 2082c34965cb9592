#include "vapor/agent/optimality.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/agent/gaussian_belief.h"

namespace vapor {
namespace {

// Figure 1 with a Gaussian end: four chain states, action 1 goes right, action 0 leaves for a state
// that pays 0. Right is best everywhere in the chain or nowhere, each with probability 1/2.
Problem chain() {
  ProblemBuilder builder({1.0});
  builder.layer().state({{.next = {{0, 1.0}}}, {.next = {{1, 1.0}}}});
  for (int l = 1; l < 3; ++l) {
    builder.layer();
    builder.state({{.next = {{0, 1.0}}}, {.next = {{0, 1.0}}}});
    builder.state({{.next = {{0, 1.0}}}, {.next = {{1, 1.0}}}});
  }
  builder.layer().state({{}}).state({{.sigma = 1.0}});
  return builder.build();
}

std::vector<double> play_rule(const PolicyRule& rule) {
  test_support::GaussianBelief belief(chain());
  std::vector<double> policy(belief.shape().pairs());
  RandomStream random(4);
  rule(belief, 1, random, policy);
  return policy;
}

// Table 1: pairs 0, 1 are the start; 4, 5 and 8, 9 the chain states of layers 2 and 3.
TEST(MarginalOptimality, HesitatesAtEveryState) {
  const auto policy = play_rule(marginal_optimality_rule(4000));
  for (int right : {1, 5, 9}) EXPECT_NEAR(policy[right], 0.5, 0.04);
}

TEST(ConditionalOptimality, HesitatesOnceAndThenIsConsistent) {
  const auto policy = play_rule(conditional_optimality_rule(4000));
  EXPECT_NEAR(policy[1], 0.5, 0.04);
  for (int right : {5, 9}) EXPECT_NEAR(policy[right], 1.0, 1e-12);
}

}  // namespace
}  // namespace vapor
