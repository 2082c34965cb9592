#include "vapor/solver/k_learning.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/mdp/ragged_problem.h"
#include "vapor/mdp/backward_induction.h"

namespace vapor {
namespace {

using test_support::dense_row;
using test_support::ragged_problem;

Problem bandit(const std::vector<double>& mean, const std::vector<double>& sigma) {
  std::vector<ActionSpec> actions;
  for (std::size_t a = 0; a < mean.size(); ++a)
    actions.push_back({.reward_mean = mean[a], .sigma = sigma[a]});
  return ProblemBuilder({1.0}).layer().state(actions).build();
}

TEST(KLearning, SoftValuesAreTheirDefinition) {
  const double tau = 0.8;
  for (int i = 0; i < 50; ++i) {
    const Problem problem = ragged_problem(RandomStream(i), 1 + i % 5);
    const Shape& shape = problem.shape;
    const KLearningSolution k = soft_values(problem, tau).solution;
    double value = 0.0;
    for (Index l = 0; l < shape.layers(); ++l)
      for (Index s : shape.states_of(l)) {
        double sum = 0.0;
        for (Index p : shape.pairs_of(s)) {
          const std::vector<double> row = dense_row(problem, l, p);
          double K = problem.reward_mean[p] + problem.sigma[p] * problem.sigma[p] / (2.0 * tau);
          for (Index t = 0; t < shape.states(); ++t) K += row[t] * k.V[t];
          EXPECT_NEAR(k.K[p], K, 1e-13 * (1.0 + std::abs(K)));
          sum += std::exp(k.K[p] / tau);
        }
        EXPECT_NEAR(k.V[s], tau * std::log(sum), 1e-13 * (1.0 + std::abs(k.V[s])));
        for (Index p : shape.pairs_of(s))
          EXPECT_NEAR(k.policy[p], std::exp((k.K[p] - k.V[s]) / tau), 1e-13);
        if (l == 0) value += problem.initial[s] * k.V[s];
      }
    EXPECT_NEAR(k.value, value, 1e-14 * (1.0 + std::abs(value)));
  }
}

TEST(KLearning, DerivativeIsTheValues) {
  for (int i = 0; i < 50; ++i) {
    const Problem problem = ragged_problem(RandomStream(i), 1 + i % 5);
    for (double tau : {0.2, 1.0, 6.0}) {
      const double h = 1e-5 * tau;
      const double difference = (soft_values(problem, tau + h).solution.value -
                                 soft_values(problem, tau - h).solution.value) /
                                (2.0 * h);
      EXPECT_NEAR(soft_values(problem, tau).derivative(), difference,
                  1e-6 * (1.0 + std::abs(difference)))
          << i;
    }
  }
}

TEST(KLearning, TauMinimises) {
  for (int i = 0; i < 50; ++i) {
    Problem problem = ragged_problem(RandomStream(i), 1 + i % 5);
    problem.sigma[0] += 0.5;  // not all 0
    const KLearningSolution k = solve_k_learning(problem);
    ASSERT_GT(k.tau, 0.0);
    EXPECT_EQ(k.value, soft_values(problem, k.tau).solution.value);
    for (double factor : {1e-2, 0.5, 0.9, 0.99, 1.01, 1.1, 2.0, 100.0})
      EXPECT_GE(soft_values(problem, factor * k.tau).solution.value,
                k.value - 1e-12 * (1.0 + std::abs(k.value)))
          << i << " " << factor;
  }
}

// tau log A + sigma^2 / (2 tau) is smallest at tau = sigma / sqrt(2 log A).
TEST(KLearning, EqualArmsInClosedForm) {
  for (int A : {2, 3, 50})
    for (double sigma : {1e-8, 0.4, 1e8}) {
      const KLearningSolution k =
          solve_k_learning(bandit(std::vector<double>(A, 0.3), std::vector<double>(A, sigma)));
      const double root = std::sqrt(2.0 * std::log(A));
      EXPECT_NEAR(k.tau * root / sigma, 1.0, 1e-6);
      EXPECT_NEAR(k.value, 0.3 + sigma * root, 1e-12 * (0.3 + sigma * root));
      for (double pi : k.policy) EXPECT_NEAR(pi, 1.0 / A, 1e-15);
    }
}

TEST(KLearning, WithoutSigmaIsBackwardInduction) {
  Problem problem = ragged_problem(RandomStream(7), 5);
  std::fill(problem.sigma.begin(), problem.sigma.end(), 0.0);
  const KLearningSolution k = solve_k_learning(problem);
  const OptimalValues optimal = backward_induction(problem, problem.reward_mean);
  EXPECT_EQ(k.tau, 0.0);
  EXPECT_EQ(k.V, optimal.V);
  EXPECT_EQ(k.policy, optimal.policy);
}

// Where there is nothing to choose, no temperature is too high, and the value is the mean's.
TEST(KLearning, WithoutAChoiceIsTheMean) {
  const Problem problem = ProblemBuilder({1.0})
                              .layer()
                              .state({{.reward_mean = 2, .sigma = 3, .next = {{0, 1.0}}}})
                              .layer()
                              .state({{.reward_mean = -5, .sigma = 1}})
                              .build();
  const KLearningSolution k = solve_k_learning(problem);
  EXPECT_TRUE(std::isfinite(k.tau));
  EXPECT_NEAR(k.value, -3.0, 1e-9);
}

TEST(KLearning, ScalesWithRewardsAndSigmas) {
  const Problem problem = ragged_problem(RandomStream(8), 4);
  const KLearningSolution k = solve_k_learning(problem);
  for (double factor : {1e-6, 1e6}) {
    Problem scaled = problem;
    for (double& r : scaled.reward_mean) r *= factor;
    for (double& sigma : scaled.sigma) sigma *= factor;
    const KLearningSolution other = solve_k_learning(scaled);
    EXPECT_NEAR(other.value / factor, k.value, 1e-10 * std::abs(k.value));
    for (std::size_t p = 0; p < k.policy.size(); ++p)
      EXPECT_NEAR(other.policy[p], k.policy[p], 1e-5);
  }
}

TEST(KLearning, AWarmStartChangesNothing) {
  for (int i = 0; i < 20; ++i) {
    Problem problem = ragged_problem(RandomStream(i), 1 + i % 5);
    problem.sigma[0] += 0.5;
    const KLearningSolution cold = solve_k_learning(problem);
    for (double factor : {0.01, 0.9, 30.0}) {
      const KLearningSolution warm = solve_k_learning(problem, factor * cold.tau);
      EXPECT_NEAR(warm.value, cold.value, 1e-12 * (1.0 + std::abs(cold.value))) << i;
      for (std::size_t p = 0; p < cold.policy.size(); ++p)
        EXPECT_NEAR(warm.policy[p], cold.policy[p], 1e-5) << i;
    }
  }
}

// E max_a r_a of Gaussian arms, by sampling, is below the value.
TEST(KLearning, BoundsTheExpectedMaximum) {
  RandomStream random(9);
  for (int i = 0; i < 10; ++i) {
    std::vector<double> mean(2 + i % 4), sigma(mean.size());
    for (double& x : mean) x = random.normal();
    for (double& x : sigma) x = random.gamma(1.0);
    constexpr int kSamples = 20000;
    double sum = 0.0;
    for (int k = 0; k < kSamples; ++k) {
      double best = -INFINITY;
      for (std::size_t a = 0; a < mean.size(); ++a)
        best = std::max(best, mean[a] + sigma[a] * random.normal());
      sum += best;
    }
    EXPECT_GE(solve_k_learning(bandit(mean, sigma)).value, sum / kSamples);
  }
}

}  // namespace
}  // namespace vapor
