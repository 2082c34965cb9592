#include "vapor/solver/vapor_lite.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "tests/mdp/ragged_problem.h"
#include "tests/solver/solution_checks.h"
#include "vapor/core/error.h"
#include "vapor/mdp/backward_induction.h"
#include "vapor/mdp/policy.h"

namespace vapor {
namespace {

using test_support::ragged_problem;
using test_support::random_distribution;
using test_support::random_policy;
using Table = std::vector<double>;

// sum_a pi_a (q_a + sigma_a - sigma_a log pi_a)
double objective(const Table& q, const Table& sigma, const Table& pi) {
  double sum = 0.0;
  for (std::size_t a = 0; a < q.size(); ++a)
    if (pi[a] > 0.0) sum += pi[a] * (q[a] + sigma[a] - sigma[a] * std::log(pi[a]));
  return sum;
}

double maximise(const Table& q, const Table& sigma, Table& pi) {
  pi.assign(q.size(), 99.0);
  const double maximum = vapor_lite_maximiser(q, sigma, pi);
  double sum = 0.0;
  for (double p : pi) {
    EXPECT_GE(p, 0.0);
    sum += p;
  }
  EXPECT_NEAR(sum, 1.0, 1e-14);
  return maximum;
}

TEST(VaporLiteMaximiser, NoDistributionIsBetter) {
  RandomStream random(1);
  for (int i = 0; i < 300; ++i) {
    const Index actions = 2 + i % 3;
    Table q(actions), sigma(actions), pi;
    for (double& x : q) x = random.normal();
    for (double& x : sigma) x = random.index(4) == 0 ? 0.0 : std::pow(10.0, random.uniform(-2, 1));
    const double maximum = maximise(q, sigma, pi);
    EXPECT_NEAR(maximum, objective(q, sigma, pi), 1e-12 * (1.0 + std::abs(maximum))) << i;
    for (int k = 0; k < 200; ++k) {
      const Table other = random_distribution(random, actions);
      EXPECT_LE(objective(q, sigma, other), maximum + 1e-12) << i;
      // A small step from the maximiser towards it.
      Table near(actions);
      for (Index a = 0; a < actions; ++a) near[a] = 0.99 * pi[a] + 0.01 * other[a];
      EXPECT_LE(objective(q, sigma, near), maximum + 1e-12) << i;
    }
  }
}

TEST(VaporLiteMaximiser, TwoActionsAgainstAGrid) {
  RandomStream random(2);
  for (int i = 0; i < 50; ++i) {
    const Table q = {random.normal(), random.normal()};
    const Table sigma = {random.gamma(1.0), i % 5 == 0 ? 0.0 : random.gamma(1.0)};
    Table pi;
    const double maximum = maximise(q, sigma, pi);
    double best = -INFINITY;
    for (int k = 0; k <= 10000; ++k)
      best = std::max(best, objective(q, sigma, {k / 10000.0, 1.0 - k / 10000.0}));
    EXPECT_NEAR(maximum, best, 1e-4);
    EXPECT_GE(maximum, best - 1e-13);
  }
}

// Equal sigmas: a softmax of temperature sigma, and its log-sum-exp.
TEST(VaporLiteMaximiser, EqualSigmasGiveASoftmax) {
  const Table q = {0.3, -1.0, 2.0};
  const double sigma = 0.6;
  Table pi;
  const double maximum = maximise(q, {sigma, sigma, sigma}, pi);
  double sum = 0.0;
  for (double x : q) sum += std::exp(x / sigma);
  EXPECT_NEAR(maximum, sigma * (1.0 + std::log(sum)), 1e-14);
  for (std::size_t a = 0; a < q.size(); ++a)
    EXPECT_NEAR(pi[a], std::exp(q[a] / sigma) / sum, 1e-14);
}

TEST(VaporLiteMaximiser, WithoutSigmaTheFirstBestTakesAll) {
  Table pi;
  EXPECT_EQ(maximise({1.0, 3.0, 3.0}, {0.0, 0.0, 0.0}, pi), 3.0);
  EXPECT_EQ(pi, (Table{0.0, 1.0, 0.0}));
  EXPECT_EQ(maximise({-7.0}, {0.0}, pi), -7.0);
  EXPECT_EQ(pi, (Table{1.0}));
}

// One certain arm far above, and far below, one uncertain arm.
TEST(VaporLiteMaximiser, ACertainArmTakesWhatTheOthersLeave) {
  Table pi;
  const double maximum = maximise({5.0, 1.0}, {0.0, 2.0}, pi);
  EXPECT_NEAR(pi[1], std::exp((1.0 - 5.0) / 2.0), 1e-14);
  EXPECT_NEAR(maximum, 5.0 + 2.0 * pi[1], 1e-14);
  EXPECT_NEAR(maximise({-50.0, 1.0}, {0.0, 2.0}, pi), 3.0, 1e-13);
  EXPECT_EQ(pi[0], 0.0);
}

TEST(VaporLiteMaximiser, AnyScaleIsFinite) {
  Table pi;
  for (double scale : {1e-8, 1.0, 1e8})
    for (double other : {0.0, 1e-8, 1e8}) {
      const double maximum = maximise({scale, -scale, 0.0}, {scale, other, 0.0}, pi);
      EXPECT_TRUE(std::isfinite(maximum));
      EXPECT_NEAR(maximum, objective({scale, -scale, 0.0}, {scale, other, 0.0}, pi),
                  1e-12 * std::abs(maximum));
    }
}

// U(lambda, c) of appendix H, for the occupancy measure of a policy.
double U(const Problem& problem, const Table& policy, double c) {
  Table lambda(problem.shape.pairs()), mass(problem.shape.states());
  forward_flow(problem, policy, lambda, mass);
  double sum = 0.0;
  for (Index s = 0; s < problem.shape.states(); ++s)
    for (Index p : problem.shape.pairs_of(s))
      if (policy[p] > 0.0)
        sum += lambda[p] * (problem.reward_mean[p] + c * problem.sigma[p]) -
               mass[s] * c * problem.sigma[p] * policy[p] * std::log(policy[p]);
  return sum;
}

TEST(VaporLite, NoPolicyIsBetter) {
  for (int i = 0; i < 60; ++i) {
    const Problem problem = ragged_problem(RandomStream(i), 1 + i % 5);
    for (double c : {0.2, 1.0, 5.0}) {
      const VaporLiteSolution solution = solve_vapor_lite(problem, c);
      EXPECT_NEAR(solution.value, U(problem, solution.policy, c),
                  1e-12 * (1.0 + std::abs(solution.value)));
      for (int k = 0; k < 30; ++k) {
        const Table other = random_policy(RandomStream(i).split(k), problem.shape);
        EXPECT_LE(U(problem, other, c), solution.value + 1e-12) << i;
      }
    }
  }
}

TEST(VaporLite, ItsOccupancyIsItsPolicys) {
  const Problem problem = ragged_problem(RandomStream(3), 4);
  const VaporLiteSolution solution = solve_vapor_lite(problem);
  EXPECT_LT(max_flow_residual(problem, solution.occupancy), 1e-14);
  double value = 0.0;
  for (Index s : problem.shape.states_of(0)) value += problem.initial[s] * solution.V[s];
  EXPECT_EQ(solution.value, value);
}

TEST(VaporLite, WithoutSigmaIsBackwardInduction) {
  Problem problem = ragged_problem(RandomStream(4), 5);
  std::fill(problem.sigma.begin(), problem.sigma.end(), 0.0);
  const VaporLiteSolution solution = solve_vapor_lite(problem);
  const OptimalValues optimal = backward_induction(problem, problem.reward_mean);
  EXPECT_EQ(solution.policy, optimal.policy);
  EXPECT_EQ(solution.V, optimal.V);
}

// Lemma "vaporlite_upperbound": V(lambda) <= U(lambda, c_eta) + sqrt(2) sigma_max eta S, S the
// states of all layers, c_eta = sqrt(2) (1 + log 1 / eta).
TEST(VaporLite, ItsObjectiveBoundsVaporsAsTheLemmaSays) {
  for (int i = 0; i < 100; ++i) {
    const Problem problem = ragged_problem(RandomStream(i), 1 + i % 5);
    const double sigma_max = *std::max_element(problem.sigma.begin(), problem.sigma.end());
    const Table policy = random_policy(RandomStream(i).split("policy"), problem.shape);
    Table lambda(problem.shape.pairs()), mass(problem.shape.states());
    forward_flow(problem, policy, lambda, mass);
    const auto V =
        static_cast<double>(test_support::objective(RegulariserKind::kVapor, problem, lambda));
    for (double eta : {1e-4, 0.01, 0.3, 1.0}) {
      const double c = std::numbers::sqrt2 * (1.0 + std::log(1.0 / eta));
      EXPECT_LE(V, U(problem, policy, c) +
                       std::numbers::sqrt2 * sigma_max * eta * problem.shape.states() + 1e-12)
          << i << " " << eta;
    }
  }
}

TEST(VaporLite, ItsScheduleIsTheLemmas) {
  const Problem problem = ragged_problem(RandomStream(5), 3);
  const double S = problem.shape.states();
  EXPECT_DOUBLE_EQ(vapor_lite_scale(problem.shape, 7.0),
                   std::numbers::sqrt2 * (1.0 + std::log(S * 3.0 * 7.0)));
}

TEST(VaporLite, RefusesABadScale) {
  const Problem problem = ragged_problem(RandomStream(6), 2);
  for (double c : {0.0, -1.0, double{NAN}, double{INFINITY}})
    EXPECT_THROW(solve_vapor_lite(problem, c), InputError) << c;
}

}  // namespace
}  // namespace vapor
