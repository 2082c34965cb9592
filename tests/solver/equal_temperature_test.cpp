#include "vapor/solver/equal_temperature.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/mdp/ragged_problem.h"
#include "tests/solver/solution_checks.h"
#include "vapor/solver/k_learning.h"
#include "vapor/solver/solve.h"

namespace vapor {
namespace {

using test_support::ragged_problem;

// max over lambda of lambda' (E r + sigma^2 / (2 tau)) + tau H(lambda), as a problem.
Problem inner_problem(const Problem& problem, double tau) {
  Problem inner = problem;
  for (std::size_t p = 0; p < inner.sigma.size(); ++p) {
    inner.reward_mean[p] += problem.sigma[p] * problem.sigma[p] / (2.0 * tau);
    inner.sigma[p] = tau;
  }
  return inner;
}

// Ragged problems with a choice in every state and some uncertainty.
std::vector<Problem> problems() {
  std::vector<Problem> result;
  for (std::uint64_t seed = 0; result.size() < 25; ++seed) {
    Problem problem = ragged_problem(RandomStream(seed), 1 + seed % 5);
    const double largest = *std::max_element(problem.sigma.begin(), problem.sigma.end());
    if (largest > 0.1 && problem.shape.pairs() > problem.shape.states())
      result.push_back(std::move(problem));
  }
  return result;
}

TEST(EqualTemperature, IsNoBetterThanVaporsOwnTemperatures) {
  for (const Problem& problem : problems()) {
    const EqualTemperatureSolution equal = solve_equal_temperature(problem);
    EXPECT_EQ(equal.solution.status, Status::kSolved);
    EXPECT_GE(equal.solution.upper_bound(), solve(problem).value - 1e-9);
  }
}

TEST(EqualTemperature, ItsCertificateIsOfTheInnerProblem) {
  for (const Problem& problem : problems()) {
    const EqualTemperatureSolution equal = solve_equal_temperature(problem);
    test_support::check_solution(inner_problem(problem, equal.tau), equal.solution,
                                 RegulariserKind::kWeightedEntropy);
    for (double tau : equal.solution.temperature) EXPECT_EQ(tau, equal.tau);
  }
}

TEST(EqualTemperature, OtherTemperaturesGiveMore) {
  Settings settings;
  settings.regulariser = RegulariserKind::kWeightedEntropy;
  for (const Problem& problem : problems()) {
    const EqualTemperatureSolution equal = solve_equal_temperature(problem);
    for (double factor : {0.1, 0.8, 0.97, 1.03, 1.25, 10.0}) {
      const Solution other = solve(inner_problem(problem, factor * equal.tau), settings);
      EXPECT_GE(other.upper_bound(),
                equal.solution.value - 1e-8 * std::max(1.0, std::abs(equal.solution.value)))
          << factor;
    }
  }
}

// At the minimum over tau the entropy of lambda is lambda' sigma^2 / (2 tau^2).
TEST(EqualTemperature, EntropyAndOptimismBalance) {
  for (const Problem& problem : problems()) {
    const EqualTemperatureSolution equal = solve_equal_temperature(problem);
    double entropy = 0.0;
    double optimism = 0.0;
    for (std::size_t p = 0; p < problem.sigma.size(); ++p) {
      const double lambda = equal.solution.occupancy[p];
      if (lambda <= 0.0) continue;
      const double ratio = problem.sigma[p] / equal.tau;
      entropy -= lambda * std::log(lambda);
      optimism += 0.5 * lambda * ratio * ratio;
    }
    EXPECT_NEAR(entropy, optimism, 1e-3 * (1.0 + entropy));
  }
}

// In a bandit the occupancy is the policy, and the two entropies are one.
TEST(EqualTemperature, OfABanditIsKLearning) {
  RandomStream random(1);
  for (int i = 0; i < 20; ++i) {
    std::vector<ActionSpec> arms(2 + i % 4);
    for (ActionSpec& arm : arms) arm = {.reward_mean = random.normal(), .sigma = random.gamma(1.0)};
    const Problem problem = ProblemBuilder({1.0}).layer().state(arms).build();
    const EqualTemperatureSolution equal = solve_equal_temperature(problem);
    const KLearningSolution k = solve_k_learning(problem);
    EXPECT_NEAR(equal.solution.value, k.value, 1e-7 * std::max(1.0, std::abs(k.value))) << i;
    EXPECT_NEAR(equal.tau / k.tau, 1.0, 1e-2) << i;
    for (std::size_t a = 0; a < arms.size(); ++a)
      EXPECT_NEAR(equal.solution.policy[a], k.policy[a], 1e-2) << i;
  }
}

// Whatever it begins with, the value is the minimum over tau to within the tolerance.
TEST(EqualTemperature, AWarmStartAndALooseToleranceFindTheSameMinimum) {
  for (const Problem& problem : problems()) {
    const EqualTemperatureSolution exact = solve_equal_temperature(problem);
    const double scale = std::max(1.0, std::abs(exact.solution.value));
    EqualTemperatureSolution other = exact;
    other.tau *= 7.0;
    const EqualTemperatureSolution warm = solve_equal_temperature(problem, {}, &other);
    EXPECT_NEAR(warm.solution.value, exact.solution.value, 1e-7 * scale);
    const EqualTemperatureSolution loose = solve_equal_temperature(problem, {.tolerance = 1e-2});
    EXPECT_NEAR(loose.solution.value, exact.solution.value, 2e-2 * scale);
  }
}

TEST(EqualTemperature, WithoutSigmaIsAPlainMdp) {
  Problem problem = ragged_problem(RandomStream(2), 4);
  std::fill(problem.sigma.begin(), problem.sigma.end(), 0.0);
  const EqualTemperatureSolution equal = solve_equal_temperature(problem);
  EXPECT_EQ(equal.tau, 0.0);
  EXPECT_EQ(equal.solution.value, solve(problem).value);
}

TEST(EqualTemperature, WithoutAChoiceIsTheMean) {
  const Problem problem = ProblemBuilder({1.0})
                              .layer()
                              .state({{.reward_mean = 2, .sigma = 3, .next = {{0, 1.0}}}})
                              .layer()
                              .state({{.reward_mean = -5, .sigma = 1}})
                              .build();
  const EqualTemperatureSolution equal = solve_equal_temperature(problem);
  EXPECT_TRUE(std::isfinite(equal.tau));
  EXPECT_NEAR(equal.solution.value, -3.0, 1e-9);
}

}  // namespace
}  // namespace vapor
