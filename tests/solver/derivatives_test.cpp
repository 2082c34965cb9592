// Derivatives of the optimum: closed forms, central differences, and what is said where there are
// none.
#include "vapor/solver/derivatives.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/solver/solution_checks.h"
#include "tests/solver/stress_problems.h"
#include "vapor/core/error.h"
#include "vapor/mdp/random_problem.h"
#include "vapor/solver/solve.h"

namespace vapor {
namespace {

using Table = std::vector<double>;

double largest_of(const Table& table) {
  double most = 0.0;
  for (double x : table) most = std::max(most, std::abs(x));
  return most;
}

double product_of(const Table& a, const Table& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) sum += a[i] * b[i];
  return sum;
}

// A problem with a little of everything: ragged layers, forced pairs, exchangeable states and
// actions, bases, states out of reach; a share of sigmas is 0.
Problem mixed_problem(std::uint64_t seed, double zero_sigmas) {
  RandomStream random = RandomStream(seed).split("mixed");
  const Index layers = 1 + random.index(5);
  std::vector<Index> states(layers);
  for (Index& n : states) n = 1 + random.index(4);
  const bool posterior = random.uniform() < 0.4;
  const double contrast = std::pow(10.0, -random.uniform(0.0, 2.0));
  const auto uniform_over = [](Index n) { return Table(n, 1.0 / n); };
  ProblemBuilder builder(random.uniform() < 0.5 || states[0] == 1 ? uniform_over(states[0]) : [&] {
    Table rho(states[0], 0.0);
    rho[0] = 0.7;
    rho[1] = 0.3;
    return rho;
  }());
  for (Index l = 0; l < layers; ++l) {
    builder.layer(l > 0 ? uniform_over(states[l]) : Table{});
    for (Index s = 0; s < states[l]; ++s) {
      const bool unvisited = posterior && random.uniform() < 0.5;
      std::vector<ActionSpec> specs(1 + random.index(3));
      for (ActionSpec& action : specs) {
        action.reward_mean = unvisited ? 0.0 : random.normal();
        action.sigma = unvisited ? 1.0 : std::exp(random.uniform(std::log(contrast), 0.0));
        if (random.uniform() < zero_sigmas) action.sigma = 0.0;
        if (l + 1 == layers) continue;
        if (unvisited) {
          action.base_weight = 1.0;
          continue;
        }
        action.base_weight = posterior ? 0.1 : 0.0;
        const double p = random.uniform(0.1, 0.9);
        action.next = {{random.index(states[l + 1]), (1.0 - action.base_weight) * p},
                       {random.index(states[l + 1]), (1.0 - action.base_weight) * (1.0 - p)}};
      }
      builder.state(specs);
    }
  }
  return builder.build();
}

// A constraint that the solution without it violates by some, or has room for.
void constrain(Problem& problem, RandomStream& random) {
  const Solution free = solve(problem);
  Table cost(problem.shape.pairs());
  double used = 0.0;
  for (std::size_t p = 0; p < cost.size(); ++p) {
    cost[p] = random.uniform();
    used += cost[p] * free.occupancy[p];
  }
  Constraint row{"cost", random.uniform() < 0.5 ? Sense::kAtMost : Sense::kAtLeast, 0.0};
  row.add_cost(cost);
  const double sign = row.sense == Sense::kAtMost ? 1.0 : -1.0;
  row.bound = used * (1.0 + sign * (random.uniform() < 0.7 ? -0.03 : 0.05));
  problem.constraints = {row};
}

// A random direction in which every table moves, none to a state that no policy reaches.
ProblemChange random_direction(const Problem& problem, RandomStream& random) {
  const std::vector<char> reached = test_support::reachable_states(problem);
  const Transitions& P = problem.transitions;
  ProblemChange d;
  d.initial.assign(problem.initial.size(), 0.0);
  for (std::size_t s = 0; s < d.initial.size(); ++s)
    if (problem.initial[s] > 0.0) d.initial[s] = 0.1 * random.normal();
  for (Index p = 0; p < problem.shape.pairs(); ++p) {
    d.reward_mean.push_back(random.normal());
    d.sigma.push_back(problem.sigma[p] > 0.0 ? 0.5 * random.normal() : 0.0);
    d.base_weight.push_back(P.base_weight[p] > 0.0 ? 0.1 * random.normal() : 0.0);
  }
  for (double p : P.probability) d.probability.push_back(p * random.normal());
  for (double p : P.base) d.base.push_back(0.1 * p * random.normal());
  for (std::size_t i = 0; i < problem.constraints.size(); ++i) d.bound.push_back(random.normal());
  return d;
}

Problem moved(const Problem& problem, const ProblemChange& d, double step) {
  Problem next = problem;
  const auto add = [&](Table& table, const Table& change) {
    for (std::size_t i = 0; i < table.size(); ++i) table[i] += step * change[i];
  };
  add(next.reward_mean, d.reward_mean);
  add(next.sigma, d.sigma);
  add(next.transitions.probability, d.probability);
  add(next.transitions.base_weight, d.base_weight);
  add(next.transitions.base, d.base);
  add(next.initial, d.initial);
  for (std::size_t i = 0; i < next.constraints.size(); ++i)
    next.constraints[i].bound += step * d.bound[i];
  // Distributions are scaled to sum to 1, as far from it as they are.
  const auto scale = [](double* first, const double* last, double more) {
    double sum = more;
    for (double* x = first; x != last; ++x) sum += *x;
    for (double* x = first; sum > 0.0 && x != last; ++x) *x /= sum;
    return sum;
  };
  Transitions& P = next.transitions;
  scale(next.initial.data(), next.initial.data() + next.initial.size(), 0.0);
  for (Index p = 0; p < next.shape.pairs(); ++p) {
    const double sum = scale(P.probability.data() + P.begin[p],
                             P.probability.data() + P.begin[p + 1], P.base_weight[p]);
    if (sum > 0.0) P.base_weight[p] /= sum;
  }
  for (Index l = 1; l < next.shape.layers(); ++l) {
    const Range layer = next.shape.states_of(l);
    scale(P.base.data() + layer.first(), P.base.data() + layer.last(), 0.0);
  }
  validate_and_normalise(next);
  return next;
}

struct Point {
  double value = 0.0;
  Table occupancy, policy, values, prices;
  bool smooth = false;
};

Point point_of(const Problem& problem, RegulariserKind kind) {
  const Solution solution = solve(problem, {.regulariser = kind});
  const Derivatives derivatives = differentiate(problem, solution);
  Point point{0.0,
              derivatives.occupancy(),
              {},
              derivatives.values(),
              derivatives.prices(),
              derivatives.status() == Differentiability::kSmooth};
  point.policy.resize(point.occupancy.size());
  policy_of_occupancy(problem.shape, point.occupancy, point.policy);
  point.value = static_cast<double>(test_support::objective(kind, problem, point.occupancy));
  return point;
}

// Of fourth order: (8 (f(h) - f(-h)) - (f(2h) - f(-2h))) / 12h.
Table central(const Table& a, const Table& b, const Table& c, const Table& d, double h) {
  Table difference(a.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    difference[i] = (8.0 * (b[i] - c[i]) - (a[i] - d[i])) / (12.0 * h);
  return difference;
}

double smallest_sigma(const Problem& problem) {
  double least = 1.0;
  for (double sigma : problem.sigma)
    if (sigma > 0.0) least = std::min(least, sigma);
  return least;
}

double smallest_sigma_or_zero(const Problem& problem) {
  return *std::min_element(problem.sigma.begin(), problem.sigma.end());
}

// Where the optimum arrives, however rarely: elsewhere neither policy nor V is settled.
void keep_visited(const Problem& problem, const Table& occupancy, Table& by_pair, Table& by_state) {
  constexpr double kVisited = 1e-60;
  for (Index s = 0; s < problem.shape.states(); ++s) {
    double mass = 0.0;
    for (Index p : problem.shape.pairs_of(s)) mass += occupancy[p];
    if (mass > kVisited) continue;
    by_state[s] = 0.0;
    for (Index p : problem.shape.pairs_of(s)) by_pair[p] = 0.0;
  }
}

struct Check {
  double worst = 0.0;  // difference from the central one, relative to the largest of its table
  int smooth = 0;
  int ties = 0;
  int others = 0;
};

// Whether a pair without sigma is taken by one optimum and not by the other: a tie lies between.
bool takes_others(const Problem& problem, const Table& one, const Table& other) {
  for (std::size_t p = 0; p < one.size(); ++p)
    if (problem.sigma[p] == 0.0 && (one[p] > 0.0) != (other[p] > 0.0)) return true;
  return false;
}

// Compares the derivatives along one direction; false where a point of the difference has none.
bool compare_with_differences(const Problem& problem, RegulariserKind kind,
                              const Derivatives& derivatives, const ProblemChange& d, double h,
                              double& worst) {
  Point a = point_of(moved(problem, d, 2 * h), kind);
  Point b = point_of(moved(problem, d, h), kind);
  Point c = point_of(moved(problem, d, -h), kind);
  Point e = point_of(moved(problem, d, -2 * h), kind);
  if (!(a.smooth && b.smooth && c.smooth && e.smooth)) return false;
  for (const Point* point : {&a, &b, &c, &e})
    if (takes_others(problem, point->occupancy, derivatives.occupancy())) return false;
  SolutionChange change = derivatives.forward(d);
  for (Point* point : {&a, &b, &c, &e})
    keep_visited(problem, derivatives.occupancy(), point->policy, point->values);
  keep_visited(problem, derivatives.occupancy(), change.policy, change.values);
  const auto compare = [&](const Table& ours, const Table& theirs) {
    constexpr double kSmall = 1e-2;
    double difference = 0.0;
    for (std::size_t i = 0; i < ours.size(); ++i)
      difference = std::max(difference, std::abs(ours[i] - theirs[i]));
    worst = std::max(worst, difference / std::max(kSmall, largest_of(ours)));
  };
  compare({change.value}, central({a.value}, {b.value}, {c.value}, {e.value}, h));
  compare(change.occupancy, central(a.occupancy, b.occupancy, c.occupancy, e.occupancy, h));
  compare(change.policy, central(a.policy, b.policy, c.policy, e.policy, h));
  // Without sigma V need not be unique.
  if (smallest_sigma_or_zero(problem) > 0.0)
    compare(change.values, central(a.values, b.values, c.values, e.values, h));
  compare(change.prices, central(a.prices, b.prices, c.prices, e.prices, h));
  return true;
}

// <cotangent, forward(d)> = <adjoint(cotangent), d>.
void expect_adjoint(const Derivatives& derivatives, const ProblemChange& d, double tolerance,
                    RandomStream& random) {
  const SolutionChange change = derivatives.forward(d);
  const auto noise = [&](std::size_t size) {
    Table table(size);
    for (double& x : table) x = random.normal();
    return table;
  };
  const SolutionChange c{random.normal(), noise(change.occupancy.size()),
                         noise(change.policy.size()), noise(change.values.size()),
                         noise(change.prices.size())};
  const ProblemChange g = derivatives.adjoint(c);
  const double forward = c.value * change.value + product_of(c.occupancy, change.occupancy) +
                         product_of(c.policy, change.policy) + product_of(c.values, change.values) +
                         product_of(c.prices, change.prices);
  const double adjoint = product_of(g.reward_mean, d.reward_mean) + product_of(g.sigma, d.sigma) +
                         product_of(g.probability, d.probability) +
                         product_of(g.initial, d.initial) +
                         product_of(g.base_weight, d.base_weight) + product_of(g.base, d.base) +
                         product_of(g.bound, d.bound);
  const double size = 1.0 + std::abs(change.value) + largest_of(change.occupancy) +
                      largest_of(change.policy) + largest_of(change.values) +
                      largest_of(change.prices);
  EXPECT_NEAR(forward, adjoint, tolerance * size);
}

void check_problem(const Problem& problem, RegulariserKind kind, double relative_step,
                   RandomStream& random, Check& check) {
  const Derivatives derivatives = differentiate(problem, solve(problem, {.regulariser = kind}));
  if (derivatives.status() != Differentiability::kSmooth) {
    ++(derivatives.status() == Differentiability::kTies ? check.ties : check.others);
    return;
  }
  const ProblemChange d = random_direction(problem, random);
  expect_adjoint(derivatives, d, smallest_sigma_or_zero(problem) > 0.0 ? 1e-8 : 1e-6, random);
  const double h = relative_step * smallest_sigma(problem);
  double worst = 0.0;
  if (!compare_with_differences(problem, kind, derivatives, d, h, worst)) {
    ++check.ties;
    return;
  }
  ++check.smooth;
  check.worst = std::max(check.worst, worst);
}

TEST(Derivatives, AgreeWithCentralDifferences) {
  RandomStream random(20);
  Check check;
  for (std::uint64_t seed = 0; seed < 500; ++seed)
    check_problem(mixed_problem(seed, 0.0),
                  seed % 5 == 4 ? RegulariserKind::kWeightedEntropy : RegulariserKind::kVapor, 1e-3,
                  random, check);
  EXPECT_EQ(check.smooth, 500);
  EXPECT_LT(check.worst, 1e-6);
}

TEST(Derivatives, AgreeWithCentralDifferencesWithoutSomeSigmas) {
  RandomStream random(21);
  Check check;
  for (std::uint64_t seed = 0; seed < 500; ++seed)
    check_problem(mixed_problem(seed, 0.4), RegulariserKind::kVapor, 1e-5, random, check);
  // 65 of them have ties, here or within the step; 5 are too ill-conditioned.
  EXPECT_GE(check.smooth, 420);
  EXPECT_LE(check.others, 10);
  EXPECT_LT(check.worst, 1e-5);
}

TEST(Derivatives, AgreeWithCentralDifferencesUnderConstraints) {
  RandomStream random(22);
  Check check;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Problem problem = mixed_problem(seed, 0.0);
    constrain(problem, random);
    check_problem(problem, RegulariserKind::kVapor, 1e-4, random, check);
  }
  EXPECT_GE(check.smooth, 180);  // the others are infeasible
  EXPECT_EQ(check.ties, 0);
  EXPECT_LT(check.worst, 1e-6);
}

// Two arms, sigma 1: lambda = 1 - lambda' and q - q' = f'(lambda') - f'(lambda), so
// d lambda / d r = 1 / (-f''(lambda) - f''(1 - lambda)).
TEST(Derivatives, OfTwoArmsHaveTheClosedForm) {
  const Problem problem = ProblemBuilder({1.0}).layer().state({{0.3, 1.0}, {0.0, 1.0}}).build();
  const Solution solution = solve(problem);
  const Derivatives derivatives = differentiate(problem, solution);
  ASSERT_EQ(derivatives.status(), Differentiability::kSmooth);
  const double x = derivatives.occupancy()[0];
  EXPECT_NEAR(x, solution.occupancy[0], 1e-4);
  const auto w = [](double y) { return std::sqrt(-2.0 * std::log(y)); };
  const auto bend = [&](double y) { return (1.0 / w(y) + 1.0 / std::pow(w(y), 3)) / y; };
  EXPECT_NEAR(0.3 + w(x) - 1.0 / w(x), w(1.0 - x) - 1.0 / w(1.0 - x), 1e-12);
  const double rate = 1.0 / (bend(x) + bend(1.0 - x));
  const SolutionChange change = derivatives.forward({.reward_mean = {1.0, 0.0}});
  EXPECT_NEAR(change.occupancy[0], rate, 1e-12);
  EXPECT_NEAR(change.occupancy[1], -rate, 1e-12);
  EXPECT_NEAR(change.value, x, 1e-14);
  const ProblemChange gradient = derivatives.adjoint({.value = 1.0});
  EXPECT_NEAR(gradient.sigma[0], x * w(x), 1e-14);
  const ProblemChange of_policy = derivatives.adjoint({.policy = {1.0, 0.0}});
  EXPECT_NEAR(of_policy.reward_mean[0], rate, 1e-12);
  EXPECT_NEAR(of_policy.sigma[0], rate * (w(x) - 1.0 / w(x)), 1e-12);
}

// max v x1 + b x2 - c sum x log x over the simplex is softmax(v / c, b / c). At v = .6, b = .58 and
// c = .01 a general conic layer gave .014 for d x1 / d b = -x1 x2 / c (cvxpylayers, issue 145).
TEST(Derivatives, OfSoftmaxAsAProgramCvxpylayers145) {
  const Problem problem = ProblemBuilder({1.0}).layer().state({{0.6, 0.01}, {0.58, 0.01}}).build();
  const Derivatives derivatives =
      differentiate(problem, solve(problem, {.regulariser = RegulariserKind::kWeightedEntropy}));
  const double x = 1.0 / (1.0 + std::exp(-2.0));
  const SolutionChange change = derivatives.forward({.reward_mean = {0.0, 1.0}});
  EXPECT_NEAR(change.policy[0], -x * (1.0 - x) / 0.01, 1e-10);
  EXPECT_NEAR(change.policy[0], -10.4994, 1e-4);
}

// One of two equal arms is made better: the merged arms part.
TEST(Derivatives, OfOneOfTwoCopiesPartsThem) {
  const Problem problem = ProblemBuilder({1.0}).layer().state({{0.0, 1.0}, {0.0, 1.0}}).build();
  const Derivatives derivatives = differentiate(problem, solve(problem));
  const double w = std::sqrt(2.0 * std::log(2.0));
  const double rate = 0.5 / ((1.0 / w + 1.0 / std::pow(w, 3)) / 0.5);
  const SolutionChange change = derivatives.forward({.reward_mean = {1.0, 0.0}});
  EXPECT_NEAR(change.occupancy[0], rate, 1e-12);
  EXPECT_NEAR(change.occupancy[1], -rate, 1e-12);
}

// Known rewards: the better arm is taken, and stays so; equal ones are a tie.
TEST(Derivatives, WithoutSigmasAreThoseOfAPlainProblem) {
  const auto arms = [](double r) {
    return ProblemBuilder({1.0}).layer().state({{1.0, 0.0}, {r, 0.0}}).build();
  };
  const Problem clear = arms(0.5);
  const Derivatives derivatives = differentiate(clear, solve(clear));
  ASSERT_EQ(derivatives.status(), Differentiability::kSmooth);
  const SolutionChange change =
      derivatives.forward({.reward_mean = {2.0, 7.0}, .sigma = {1.0, 1.0}});
  EXPECT_EQ(change.value, 2.0);
  EXPECT_EQ(largest_of(change.occupancy), 0.0);
  const Problem tied = arms(1.0);
  const Derivatives none = differentiate(tied, solve(tied));
  EXPECT_EQ(none.status(), Differentiability::kTies);
  const SolutionChange one_sided = none.forward({.reward_mean = {2.0, 0.0}});
  EXPECT_EQ(one_sided.value, 2.0);
  EXPECT_TRUE(one_sided.occupancy.empty());
  EXPECT_THROW(none.adjoint({.occupancy = {1.0, 0.0}}), InputError);
  EXPECT_EQ(none.adjoint({.value = 1.0}).reward_mean[0], 1.0);
}

// A known arm beside an unknown one: lambda of the known one is 1 - lambda, and its sigma counts
// from above.
TEST(Derivatives, OfASigmaOfZeroAreFromAbove) {
  const auto arms = [](double sigma) {
    return ProblemBuilder({1.0}).layer().state({{0.5, sigma}, {0.0, 1.0}}).build();
  };
  const Problem problem = arms(0.0);
  const Derivatives derivatives = differentiate(problem, solve(problem));
  ASSERT_EQ(derivatives.status(), Differentiability::kSmooth);
  const SolutionChange change = derivatives.forward({.sigma = {1.0, 0.0}});
  const double h = 1e-5;
  const Point at = point_of(problem, RegulariserKind::kVapor);
  const Point one = point_of(arms(h), RegulariserKind::kVapor);
  const Point two = point_of(arms(2.0 * h), RegulariserKind::kVapor);
  const double forward_difference =
      (4.0 * one.occupancy[0] - two.occupancy[0] - 3.0 * at.occupancy[0]) / (2.0 * h);
  EXPECT_NEAR(change.occupancy[0], forward_difference, 1e-6);
}

TEST(Derivatives, RefuseMassWhereNoneCanBe) {
  const Problem problem = ProblemBuilder({1.0, 0.0})
                              .layer()
                              .state({{0.0, 1.0}, {0.5, 1.0}})
                              .state({{0.0, 1.0}})
                              .build();
  const Derivatives derivatives = differentiate(problem, solve(problem));
  EXPECT_THROW(derivatives.forward({.initial = {-1.0, 1.0}}), InputError);
  EXPECT_THROW(derivatives.forward({.sigma = {1.0}}), InputError);
  EXPECT_EQ(derivatives.adjoint({.value = 1.0}).initial[1], 0.0);
}

// Whatever the problem: a status, and numbers where the status says that there are some.
TEST(Derivatives, AreNeverNaN) {
  int smooth = 0;
  const int problems = 300;
  for (std::uint64_t seed = 0; seed < problems; ++seed) {
    const Problem problem = stress_problem(seed);
    const Derivatives derivatives = differentiate(problem, solve(problem));
    if (derivatives.status() != Differentiability::kSmooth) continue;
    ++smooth;
    const ProblemChange gradient =
        derivatives.adjoint({.value = 1.0, .policy = Table(problem.shape.pairs(), 1.0)});
    for (const Table* table : {&gradient.reward_mean, &gradient.sigma, &gradient.probability,
                               &gradient.base, &gradient.base_weight, &gradient.initial})
      for (double x : *table) ASSERT_TRUE(std::isfinite(x)) << seed;
  }
  EXPECT_GE(smooth, 200);
}

}  // namespace
}  // namespace vapor
