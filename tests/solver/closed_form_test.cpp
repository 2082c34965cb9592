// Problems whose answer is known without a solver.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "tests/mdp/ragged_problem.h"
#include "tests/solver/solution_checks.h"
#include "vapor/core/random.h"
#include "vapor/mdp/backward_induction.h"
#include "vapor/mdp/problem_builder.h"
#include "vapor/solver/solve.h"

namespace vapor {
namespace {

using test_support::ragged_problem;

constexpr double kTolerance = 1e-9;  // of the default settings, relative

double allowed(double value) { return kTolerance * std::max(1.0, std::abs(value)); }

struct Arm {
  double mean;
  double sigma;
};

Problem bandit(const std::vector<Arm>& arms) {
  std::vector<ActionSpec> actions;
  for (const Arm& arm : arms) actions.push_back({.reward_mean = arm.mean, .sigma = arm.sigma});
  return ProblemBuilder({1.0}).layer().state(actions).build();
}

struct BanditAnswer {
  double value = 0.0;
  std::vector<double> lambda;
};

// lambda_a(V) = exp(-w^2 / 2), w the positive root of w^2 + ((r_a - V) / sigma_a) w = 1; V is where
// they sum to 1, found by bisection.
BanditAnswer bandit_answer(const std::vector<Arm>& arms) {
  const auto lambda = [](const Arm& arm, double V) {
    const double x = (arm.mean - V) / arm.sigma;
    const double w =
        x > 0.0 ? 2.0 / (x + std::sqrt(x * x + 4.0)) : (std::sqrt(x * x + 4.0) - x) / 2;
    return std::exp(-0.5 * w * w);
  };
  const auto sum = [&](double V) {
    double total = 0.0;
    for (const Arm& arm : arms) total += lambda(arm, V);
    return total;
  };
  double low = -1.0;
  double high = 1.0;
  while (sum(low) < 1.0) low *= 2.0;
  while (sum(high) > 1.0) high *= 2.0;
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    (sum(middle) > 1.0 ? low : high) = middle;
  }
  BanditAnswer answer;
  for (const Arm& arm : arms) {
    answer.lambda.push_back(lambda(arm, low));
    const double l = answer.lambda.back();
    if (l > 0.0) answer.value += l * (arm.mean + arm.sigma * std::sqrt(-2.0 * std::log(l)));
  }
  return answer;
}

std::vector<Arm> random_arms(RandomStream& random, Index count, double log10_range) {
  std::vector<Arm> arms(count);
  for (Arm& arm : arms)
    arm = {random.normal(), std::pow(10.0, random.uniform(-log10_range, log10_range))};
  return arms;
}

TEST(ClosedForm, AllSigmasZeroIsBackwardInduction) {
  const RandomStream random(11);
  for (int i = 0; i < 100; ++i) {
    Problem problem = ragged_problem(random.split(i), 1 + i % 6);
    std::fill(problem.sigma.begin(), problem.sigma.end(), 0.0);
    const OptimalValues optimal = backward_induction(problem, problem.reward_mean);
    double expected = 0.0;
    for (Index s : problem.shape.states_of(0)) expected += problem.initial[s] * optimal.V[s];
    for (Method method : all_methods()) {
      SCOPED_TRACE(name_of(method));
      Settings settings;
      settings.method = method;
      const Solution solution = solve(problem, settings);
      EXPECT_EQ(solution.status, Status::kSolved);
      EXPECT_NEAR(solution.value, expected, 1e-13 * std::max(1.0, std::abs(expected)));
      EXPECT_NEAR(solution.gap, 0.0, 1e-13 * std::max(1.0, std::abs(expected)));
    }
  }
}

TEST(ClosedForm, TiesOfAPlainMdpGoToTheFirstAction) {
  const Solution solution = solve(bandit({{1.0, 0.0}, {2.0, 0.0}, {2.0, 0.0}}));
  EXPECT_EQ(solution.policy, (std::vector<double>{0.0, 1.0, 0.0}));
}

TEST(ClosedForm, EqualArmsAreUniformWithValueOfTheMaximumsBound) {
  for (Index actions : {1, 2, 3, 10, 1000}) {
    for (double sigma : {1e-8, 0.3, 1.0, 1e8}) {
      SCOPED_TRACE(testing::Message() << actions << " arms of sigma " << sigma);
      const Solution solution = solve(bandit(std::vector<Arm>(actions, {0.7, sigma})));
      const double expected = 0.7 + sigma * std::sqrt(2.0 * std::log(actions));
      EXPECT_NEAR(solution.value, expected, allowed(expected));
      EXPECT_EQ(solution.status, Status::kSolved);
      for (double pi : solution.policy) EXPECT_NEAR(pi, 1.0 / actions, 1e-6 / actions);
    }
  }
}

TEST(ClosedForm, ABanditIsOneScalarRoot) {
  RandomStream random(12);
  for (int i = 0; i < 200; ++i) {
    const std::vector<Arm> arms = random_arms(random, 2 + i % 9, i % 4);
    const BanditAnswer expected = bandit_answer(arms);
    const Solution solution = solve(bandit(arms));
    SCOPED_TRACE(i);
    EXPECT_EQ(solution.status, Status::kSolved);
    EXPECT_NEAR(solution.value, expected.value, allowed(expected.value));
    EXPECT_GE(solution.upper_bound(), expected.value - 1e-12 * std::max(1.0, expected.value));
    // The gap is quadratic in the error of lambda.
    for (std::size_t a = 0; a < arms.size(); ++a)
      EXPECT_NEAR(solution.policy[a], expected.lambda[a], 2e-3);
  }
}

// One state a layer, the next whatever is done: layer l is a bandit of its own.
TEST(ClosedForm, AChainOfBanditsAddsUp) {
  RandomStream random(13);
  for (int i = 0; i < 20; ++i) {
    const Index layers = 1 + 4 * i;
    ProblemBuilder builder({1.0});
    double expected = 0.0;
    for (Index l = 0; l < layers; ++l) {
      const std::vector<Arm> arms = random_arms(random, 2 + random.index(4), 1.0);
      expected += bandit_answer(arms).value;
      std::vector<ActionSpec> actions;
      for (const Arm& arm : arms) {
        ActionSpec action{.reward_mean = arm.mean, .sigma = arm.sigma};
        if (l + 1 < layers) action.next = {{0, 1.0}};
        actions.push_back(action);
      }
      builder.layer().state(actions);
    }
    const Solution solution = solve(builder.build());
    EXPECT_NEAR(solution.value, expected, allowed(expected)) << layers;
  }
}

TEST(ClosedForm, AShiftOfALayersRewardsShiftsTheValue) {
  const RandomStream random(14);
  for (int i = 0; i < 50; ++i) {
    const Problem problem = ragged_problem(random.split(i), 4);
    Problem shifted = problem;
    for (Index p : problem.shape.pairs_of_layer(i % 4)) shifted.reward_mean[p] += 3.25;
    const double value = solve(problem).value;
    EXPECT_NEAR(solve(shifted).value, value + 3.25, allowed(value) + allowed(value + 3.25));
  }
}

TEST(ClosedForm, ScalingRewardsAndSigmasScalesTheValue) {
  const RandomStream random(15);
  Settings settings;
  settings.tolerance = 1e-11;
  for (int i = 0; i < 50; ++i) {
    const Problem problem = ragged_problem(random.split(i), 4);
    const double value = solve(problem, settings).value;
    for (double k : {1e-3, 7.0, 1e6}) {
      Problem scaled = problem;
      for (double& r : scaled.reward_mean) r *= k;
      for (double& sigma : scaled.sigma) sigma *= k;
      const Solution solution = solve(scaled, settings);
      EXPECT_NEAR(solution.value, k * value, k * allowed(value) + allowed(k * value));
    }
  }
}

// The actions of every state in the reverse order.
Problem reversed(const Problem& problem) {
  const Shape& shape = problem.shape;
  Problem result = problem;
  Transitions& P = result.transitions;
  P.begin = {0};
  P.next_state.clear();
  P.probability.clear();
  for (Index s = 0; s < shape.states(); ++s) {
    for (Index p : shape.pairs_of(s)) {
      const Index q = shape.pairs_of(s).last() - 1 - (p - shape.pairs_of(s).first());
      result.reward_mean[p] = problem.reward_mean[q];
      result.sigma[p] = problem.sigma[q];
      P.base_weight[p] = problem.transitions.base_weight[q];
      for (Offset k = problem.transitions.begin[q]; k < problem.transitions.begin[q + 1]; ++k) {
        P.next_state.push_back(problem.transitions.next_state[k]);
        P.probability.push_back(problem.transitions.probability[k]);
      }
      P.begin.push_back(static_cast<Offset>(P.next_state.size()));
    }
  }
  return result;
}

TEST(ClosedForm, PermutingActionsPermutesTheAnswer) {
  const RandomStream random(16);
  for (int i = 0; i < 50; ++i) {
    Problem problem = ragged_problem(random.split(i), 4);
    for (double& sigma : problem.sigma) sigma += 0.1;  // a unique optimum
    const Shape& shape = problem.shape;
    const Solution a = solve(problem);
    const Solution b = solve(reversed(problem));
    EXPECT_NEAR(a.value, b.value, 2.0 * allowed(a.value));
    for (Index s = 0; s < shape.states(); ++s)
      for (Index p : shape.pairs_of(s)) {
        const Index q = shape.pairs_of(s).last() - 1 - (p - shape.pairs_of(s).first());
        EXPECT_NEAR(a.occupancy[p], b.occupancy[q], 1e-4);
      }
  }
}

// One forced pair before a bandit: the whole of the value is the pair's mean and the bandit's.
TEST(ClosedForm, AForcedPairAddsItsMeanAlone) {
  const Problem problem = ProblemBuilder({1.0})
                              .layer()
                              .state({{.reward_mean = 2.5, .sigma = 1e3, .next = {{0, 1.0}}}})
                              .layer()
                              .state({{.sigma = 1.0}, {.sigma = 1.0}})
                              .build();
  const Solution solution = solve(problem);
  const double expected = 2.5 + std::sqrt(2.0 * std::log(2.0));
  EXPECT_NEAR(solution.value, expected, allowed(expected));
  EXPECT_EQ(solution.status, Status::kSolved);
  EXPECT_EQ(solution.occupancy[0], 1.0);
  EXPECT_TRUE(std::isinf(solution.temperature[0]));
}

// The largest numbers that a problem may have.
TEST(ClosedForm, HugeRewardsAreSolvedToo) {
  for (double r : {1e9, 1e50, 1e100}) {
    const Problem problem =
        ProblemBuilder({1.0})
            .layer()
            .state({{.reward_mean = r, .sigma = 1.0}, {.reward_mean = -r, .sigma = 1.0}})
            .build();
    const Solution solution = solve(problem);
    EXPECT_EQ(solution.status, Status::kSolved) << r;
    EXPECT_NEAR(solution.value, r, allowed(r));
  }
}

// Past bug: a NaN in the gap's sum counted as 0, so that an overflow was certified as optimal.
TEST(ClosedForm, AnOverflowIsNotCertified) {
  Problem problem = ProblemBuilder({1.0})
                        .layer()
                        .state({{.reward_mean = 1.0, .sigma = 1.0}, {.sigma = 1.0}})
                        .build();
  problem.reward_mean[0] = 1e300;  // more than validate_and_normalise() lets through
  const Solution solution = solve(problem);
  EXPECT_FALSE(std::isnan(solution.value));
  EXPECT_GE(solution.upper_bound(), 1e300 * (1.0 - 1e-9));
  const bool right = std::abs(solution.value - 1e300) <= 1e291;
  EXPECT_TRUE(right || solution.status != Status::kSolved) << solution.value;
}

}  // namespace
}  // namespace vapor
