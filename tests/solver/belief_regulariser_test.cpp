#include "vapor/solver/belief_regulariser.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "vapor/core/error.h"
#include "vapor/core/root_finding.h"
#include "vapor/mdp/problem_builder.h"
#include "vapor/mdp/random_problem.h"
#include "vapor/solver/solve.h"

namespace vapor {
namespace {

std::vector<PairBelief> some_beliefs() {
  return {beta_belief(1, 1),
          beta_belief(0.5, 4),
          beta_belief(30, 2),
          gamma_belief(0.3, 1),
          gamma_belief(20, 1),
          exponential_belief(2),
          laplace_belief(0, 1),
          two_point_belief(0.05, 0, 1),
          two_point_belief(0.7, 0, 1),
          sample_belief({0, 1, 3, 3.5}),
          mixture_belief({{0.3, {0, 1, {}}}, {0.7, {2, 0.5, {}}}}),
          mixture_belief({{0.5, {0, 0, {}}}, {0.5, gamma_belief(2, 1)}})};
}

// (psi + u) / beta at its least, by golden sections in log beta.
double least_quotient(const Family& family, double u) {
  const double limit = family.limit();
  const auto at = [&](double eta) {
    const double beta = std::isfinite(limit) ? limit / (1.0 + std::exp(-eta)) : std::exp(eta);
    return (family.at(beta).psi + u) / beta;
  };
  double low = -20.0, high = std::isfinite(limit) ? 30.0 : 60.0;
  constexpr double kGolden = 0.6180339887498949;
  for (int i = 0; i < 120; ++i) {
    const double a = high - kGolden * (high - low), b = low + kGolden * (high - low);
    (at(a) < at(b) ? high : low) = at(a) < at(b) ? b : a;
  }
  return at(0.5 * (low + high));
}

TEST(BeliefRegulariser, InverseConjugateIsTheLeastQuotient) {
  for (const PairBelief& belief : some_beliefs())
    for (double u : {1e-6, 0.01, 0.3, 1.0, 2.5, 10.0, 40.0}) {
      const double g = inverse_conjugate(*belief.family, u).g;
      const double least = least_quotient(*belief.family, u);
      EXPECT_NEAR(g / least, 1.0, 1e-9) << belief.family->spec().name << " at " << u;
      EXPECT_LE(inverse_conjugate_below(*belief.family, u), least * (1.0 + 1e-12));
      EXPECT_GE(inverse_conjugate_below(*belief.family, u), g * (1.0 - 1e-9));
    }
}

// The beta of g is the root of rate(beta) = u, bracketed.
TEST(BeliefRegulariser, BetaIsTheBracketedRoot) {
  for (const PairBelief& belief : some_beliefs()) {
    const Family& family = *belief.family;
    for (double u : {1e-4, 0.05, 0.2}) {
      if (family.atom() > 0.0 && u > -0.9 * std::log(family.atom())) continue;
      const double limit = std::isfinite(family.limit()) ? family.limit() * (1 - 1e-12) : 1e6;
      const double root =
          increasing_root([&](double beta) { return family.at(beta).rate - u; }, 1e-9, limit);
      EXPECT_NEAR(inverse_conjugate(family, u).beta / root, 1.0, 1e-9)
          << family.spec().name << " at " << u;
    }
  }
}

TEST(BeliefRegulariser, DerivativesAreThoseOfDifferences) {
  for (const PairBelief& belief : some_beliefs())
    for (double u : {0.05, 0.3, 1.0, 2.5, 6.0}) {
      const Family& family = *belief.family;
      if (family.atom() > 0.0 && u > -0.8 * std::log(family.atom())) continue;
      const double h = 1e-4 * u;
      const InverseConjugate at = inverse_conjugate(family, u);
      const InverseConjugate more = inverse_conjugate(family, u + h);
      const InverseConjugate less = inverse_conjugate(family, u - h);
      EXPECT_NEAR((more.g - less.g) / (2 * h) / at.slope, 1.0, 1e-6);
      EXPECT_NEAR((more.slope - less.slope) / (2 * h) / at.curvature, 1.0, 1e-5);
      // f' = g - g' is the derivative of lambda g(-log lambda).
      const double lambda = std::exp(-u);
      const AnyBelief::Parameter parameter{2.0, &family};
      const auto f = [&](double x) { return AnyBelief::value(x, std::log(x), parameter); };
      const double d = 1e-5 * lambda;
      EXPECT_NEAR((f(lambda + d) - f(lambda - d)) / (2 * d),
                  AnyBelief::slope(std::log(lambda), parameter), 1e-6);
    }
}

// f*(delta) over a fine grid of lambda: attained by the maximiser, and below the certified excess.
TEST(BeliefRegulariser, ConjugateIsTheMaximumOverAGrid) {
  for (const PairBelief& belief : some_beliefs()) {
    const AnyBelief::Parameter parameter{0.7, belief.family.get()};
    for (double delta : {-2.0, -0.5, -0.01, 0.0, 0.2, 1.0, 8.0}) {
      const auto objective = [&](double log_lambda) {
        const double lambda = std::exp(log_lambda);
        return lambda * delta + AnyBelief::value(lambda, log_lambda, parameter);
      };
      double most = 0.0;
      for (int i = 1; i < 4000; ++i)
        most = std::max(most, objective(-std::pow(0.0015 * i, 3) - 1e-9));
      const double attained = objective(AnyBelief::log_maximiser(delta, parameter));
      EXPECT_GE(attained, most - 1e-12) << belief.family->spec().name << " " << delta;
      const double above = std::max(delta, 0.0) + AnyBelief::excess_above({delta, 0.0}, parameter);
      EXPECT_GE(above, attained - 1e-15 * std::abs(attained));
      EXPECT_LE(above, attained + 1e-8 * (1.0 + std::abs(attained))) << belief.family->spec().name;
    }
  }
}

TEST(BeliefRegulariser, AGaussianByItsFunctionIsVapor) {
  const PairBelief own = function_belief(
      0.0, {.values = [](double b) -> CumulantValues { return {0.5 * b * b, b, 1.0}; }});
  const AnyBelief::Parameter parameter{1.5, own.family.get()};
  for (double lambda : {1e-6, 0.01, 0.4, 0.99}) {
    const double log_lambda = std::log(lambda);
    EXPECT_NEAR(
        AnyBelief::value(lambda, log_lambda, parameter) / Vapor::value(lambda, log_lambda, 1.5),
        1.0, 1e-12);
    EXPECT_NEAR(AnyBelief::slope(log_lambda, parameter), Vapor::slope(log_lambda, 1.5), 1e-9);
  }
  for (double delta : {-3.0, -0.1, 0.5, 6.0})
    EXPECT_NEAR(AnyBelief::log_maximiser(delta, parameter), Vapor::log_maximiser(delta, 1.5), 1e-9);
}

// The best of a fine grid over the policies of one state with three arms.
TEST(BeliefRegulariser, OneStateAgainstAGrid) {
  const std::vector<PairBelief> arms = {beta_belief(2, 3), gamma_belief(2, 0.2), {0.3, 0.25, {}}};
  const Problem problem = ProblemBuilder({1.0})
                              .layer()
                              .state({action_of(arms[0]), action_of(arms[1]), action_of(arms[2])})
                              .build();
  const Solution solution = solve(problem);
  ASSERT_EQ(solution.status, Status::kSolved);
  const auto value = [&](double x, double y) {
    double sum = 0.0;
    for (const auto& [arm, lambda] : {std::pair{0, x}, {1, y}, {2, 1.0 - x - y}}) {
      if (lambda <= 0.0) continue;
      sum += lambda * arms[arm].mean +
             AnyBelief::value(lambda, std::log(lambda), {arms[arm].sigma, arms[arm].family.get()});
    }
    return sum;
  };
  double best = 0.0;
  for (int i = 0; i <= 400; ++i)
    for (int j = 0; i + j <= 400; ++j) best = std::max(best, value(i / 400.0, j / 400.0));
  EXPECT_LE(best, solution.upper_bound());
  EXPECT_GE(best, solution.value - 1e-4);
}

PairBelief drawn_belief(RandomStream& random, double sigma) {
  const auto between = [&](double low, double high) {
    return low * std::pow(high / low, random.uniform());
  };
  PairBelief belief{0.0, sigma, {}};
  switch (static_cast<int>(6.0 * random.uniform())) {
    case 0:
      return belief;
    case 1:
      belief = beta_belief(between(0.3, 60), between(0.3, 60));
      break;
    case 2:
      belief = gamma_belief(between(0.1, 100), 1);
      break;
    case 3:
      belief = laplace_belief(0, 1);
      break;
    case 4:
      belief = mixture_belief({{0.3, {0, 1, {}}}, {0.7, {2, 0.5, {}}}});
      break;
    default:
      belief = mixture_belief({{0.5, {0, 0, {}}}, {0.5, gamma_belief(2, 1)}});
  }
  belief.sigma = sigma;
  return belief;
}

Problem mixed_problem(int seed) {
  RandomProblemSettings settings;
  settings.layers = 2 + seed % 6;
  settings.states = 1 + seed % 5;
  settings.actions = 2 + seed % 3;
  settings.successors = std::min<Index>(3, settings.states);
  settings.sigma_min = seed % 3 == 0 ? 1e-3 : 0.1;
  settings.zero_sigma_share = seed % 4 == 0 ? 0.2 : 0.0;
  Problem problem = random_problem(settings, RandomStream(1000 + seed));
  RandomStream random(500000 + seed);
  for (Index p = 0; p < problem.shape.pairs(); ++p) {
    if (problem.sigma[p] == 0.0) continue;
    PairBelief belief = drawn_belief(random, problem.sigma[p]);
    belief.mean = problem.reward_mean[p];
    set_belief(problem, p, belief);
  }
  return problem;
}

void expect_certified(int first, int last) {
  for (int seed = first; seed < last; ++seed) {
    const Solution solution = solve(mixed_problem(seed));
    EXPECT_EQ(solution.status, Status::kSolved) << "seed " << seed;
    EXPECT_LE(solution.gap, 1e-9 * std::max(1.0, std::abs(solution.value))) << "seed " << seed;
  }
}

TEST(BeliefRegulariser, MixedProblemsAreCertified) { expect_certified(0, 60); }
TEST(BeliefRegulariserFull, TenThousandMixedProblemsAreCertified) { expect_certified(0, 10000); }

// With an atom the method may stall, but both bounds hold: Frank-Wolfe's are on the right sides.
TEST(BeliefRegulariser, BoundsWithAtomsAreValid) {
  for (int seed = 1; seed < 12; ++seed) {
    Problem problem = random_problem({.layers = 3, .states = 3, .actions = 2, .successors = 2},
                                     RandomStream(seed));
    RandomStream random(seed);
    for (Index p = 0; p < problem.shape.pairs(); ++p) {
      PairBelief belief = two_point_belief(0.02 + 0.9 * random.uniform(), 0, 1);
      belief.mean = problem.reward_mean[p];
      belief.sigma = problem.sigma[p];
      set_belief(problem, p, belief);
    }
    const Solution newton = solve(problem);
    const Solution wolfe = solve(problem, {.method = Method::kFrankWolfe, .max_iterations = 200});
    EXPECT_LE(wolfe.value, newton.upper_bound());
    EXPECT_LE(newton.value, wolfe.upper_bound());
    EXPECT_LE(newton.gap, 0.1 * std::max(1.0, std::abs(newton.value)));
  }
}

// psi below that of a Gaussian means a value below its value.
TEST(BeliefRegulariser, NeverAboveTheSubGaussianBound) {
  for (int seed = 0; seed < 20; ++seed) {
    Problem exact = random_problem({.layers = 3, .states = 3}, RandomStream(seed));
    Problem proxy = exact;
    RandomStream random(seed);
    for (Index p = 0; p < exact.shape.pairs(); ++p) {
      const double a = 0.5 + 5.0 * random.uniform(), b = 0.5 + 5.0 * random.uniform();
      set_belief(exact, p, beta_belief(a, b));
      set_belief(proxy, p, {exact.reward_mean[p], 0.5 / std::sqrt(a + b + 1.0), {}});
    }
    EXPECT_LE(solve(exact).value, solve(proxy).upper_bound()) << "seed " << seed;
  }
}

TEST(BeliefRegulariser, MethodsAgreeAndThoseThatCannotSaySo) {
  const Problem problem = mixed_problem(7);
  const Solution newton = solve(problem);
  const Solution cg = solve(problem, {.method = Method::kNewtonCg});
  EXPECT_NEAR(newton.value, cg.value, 2e-9 * std::abs(newton.value));
  EXPECT_THROW(solve(problem, {.method = Method::kSaddlePoint}), InputError);
  EXPECT_THROW(solve(problem, {.regulariser = RegulariserKind::kWeightedEntropy}), InputError);
  const Solution warm = solve(problem, {}, newton);
  EXPECT_NEAR(newton.value, warm.value, 2e-9 * std::abs(newton.value));
}

}  // namespace
}  // namespace vapor
