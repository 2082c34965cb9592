// M x = b with M = J' diag(theta) J, against a dense factorisation of M put together from the
// definition of J.
#include "vapor/solver/normal_equations.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "tests/mdp/ragged_problem.h"
#include "tests/solver/stress_problems.h"
#include "vapor/mdp/problem_builder.h"
#include "vapor/mdp/random_problem.h"

namespace vapor {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

// J, pairs x states.
Matrix dense_flow(const Problem& problem) {
  const Shape& shape = problem.shape;
  Matrix J = Matrix::Zero(shape.pairs(), shape.states());
  for (Index l = 0; l < shape.layers(); ++l)
    for (Index s : shape.states_of(l))
      for (Index p : shape.pairs_of(s)) {
        const std::vector<double> row = test_support::dense_row(problem, l, p);
        for (Index t = 0; t < shape.states(); ++t) J(p, t) = row[t];
        J(p, s) -= 1.0;
      }
  return J;
}

Matrix dense_normal(const Problem& problem, const std::vector<double>& theta) {
  const Matrix J = dense_flow(problem);
  return J.transpose() * Eigen::Map<const Vector>(theta.data(), J.rows()).asDiagonal() * J;
}

// theta from 10^-orders to 1.
std::vector<double> random_theta(RandomStream& random, const Problem& problem, double orders) {
  std::vector<double> theta(problem.shape.pairs());
  for (double& x : theta) x = std::pow(10.0, -orders * random.uniform());
  return theta;
}

std::vector<double> random_vector(RandomStream& random, Index size) {
  std::vector<double> b(size);
  for (double& x : b) x = random.normal();
  return b;
}

// Every kind of coupling between layers: dense and sparse rows, base alone and beside them, wide
// and narrow layers, ragged actions, next states that repeat.
std::vector<Problem> many_problems() {
  std::vector<Problem> problems;
  for (int i = 0; i < 40; ++i)
    problems.push_back(test_support::ragged_problem(RandomStream(i), 1 + i % 7));
  for (int i = 0; i < 40; ++i) {
    Problem problem = stress_problem(i);
    if (problem.shape.states() <= 200) problems.push_back(std::move(problem));
  }
  for (Index states : {1, 4, 5, 17, 40})
    for (Index successors : {1, 3, 1000})
      for (double base_weight : {0.0, 0.3, 1.0}) {
        RandomProblemSettings settings;
        settings.layers = 4;
        settings.states = states;
        settings.successors = std::min(successors, states);
        settings.base_weight = base_weight;
        problems.push_back(random_problem(settings, RandomStream(states)));
      }
  return problems;
}

// How far x is from solving a system near this one: |M x - b| relative to |M| |x| + |b|.
double backward_error(const Matrix& M, const std::vector<double>& x, const std::vector<double>& b) {
  const Eigen::Map<const Vector> X(x.data(), M.rows());
  const Eigen::Map<const Vector> B(b.data(), M.rows());
  return (M * X - B).norm() / (M.norm() * X.norm() + B.norm());
}

void reset(BlockFactor& factor, const Problem& problem) { factor.reset(problem); }
void reset(SparseFactor& factor, const Problem& problem) {
  ASSERT_TRUE(factor.reset(problem, kNoLimit, kNoLimit));
}

// What both factorisations promise.
template <typename Factor>
class FactorTest : public ::testing::Test {};
using FactorTypes = ::testing::Types<BlockFactor, SparseFactor>;
TYPED_TEST_SUITE(FactorTest, FactorTypes);

TYPED_TEST(FactorTest, SolvesAsADenseFactorisationDoes) {
  RandomStream random(1);
  TypeParam factor;  // one for all: it must not remember the last problem
  for (const Problem& problem : many_problems()) {
    const std::vector<double> theta = random_theta(random, problem, 2.0);
    const std::vector<double> b = random_vector(random, problem.shape.states());
    std::vector<double> x(b.size(), 99.0);
    reset(factor, problem);
    factor.factor(theta);
    factor.apply(b, x);
    const Matrix M = dense_normal(problem, theta);
    const Vector expected = M.ldlt().solve(Eigen::Map<const Vector>(b.data(), M.rows()));
    const double error =
        (Eigen::Map<const Vector>(x.data(), M.rows()) - expected).norm() / expected.norm();
    EXPECT_LE(error, 1e-8);
    EXPECT_LE(backward_error(M, x, b), 1e-12);
  }
}

TYPED_TEST(FactorTest, KeepsASmallResidualOverTwelveOrdersOfTheta) {
  RandomStream random(2);
  TypeParam factor;
  for (const Problem& problem : many_problems()) {
    const std::vector<double> theta = random_theta(random, problem, 12.0);
    const std::vector<double> b = random_vector(random, problem.shape.states());
    std::vector<double> x(b.size(), 99.0);
    reset(factor, problem);
    factor.factor(theta);
    factor.apply(b, x);
    EXPECT_LE(backward_error(dense_normal(problem, theta), x, b), 1e-9);
  }
}

TEST(BlockFactor, NeedsTheBytesOfItsBlocks) {
  Shape shape;
  shape.add_layer();
  for (int s = 0; s < 8; ++s) shape.add_state(2);
  shape.add_layer();
  for (int s = 0; s < 4; ++s) shape.add_state(2);
  EXPECT_GE(BlockFactor::bytes_needed(shape), 8.0 * (8 * 8 + 4 * 4));
  EXPECT_LE(BlockFactor::bytes_needed(shape), 8.0 * 100 * (8 * 8 + 4 * 4));
}

// z' (preconditioner^-1 of r) must be symmetric and positive, or conjugate gradients fail.
TEST(LayerSweep, IsSymmetricAndPositive) {
  RandomStream random(3);
  LayerSweep sweep;
  for (const Problem& problem : many_problems()) {
    const std::vector<double> theta = random_theta(random, problem, 4.0);
    const std::vector<double> a = random_vector(random, problem.shape.states());
    const std::vector<double> b = random_vector(random, problem.shape.states());
    std::vector<double> Za(a.size()), Zb(b.size());
    sweep.reset(problem);
    sweep.factor(theta);
    sweep.apply(a, Za);
    sweep.apply(b, Zb);
    const auto dot = [](const std::vector<double>& x, const std::vector<double>& y) {
      double sum = 0.0;
      for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
      return sum;
    };
    EXPECT_NEAR(dot(a, Zb), dot(b, Za), 1e-10 * (std::abs(dot(a, Za)) + std::abs(dot(b, Zb))));
    EXPECT_GT(dot(a, Za), 0.0);
  }
}

bool repeats_a_next_state(const Problem& problem) {
  const Transitions& P = problem.transitions;
  for (Index p = 0; p < problem.shape.pairs(); ++p) {
    const std::set<Index> distinct(P.next_state.begin() + P.begin[p],
                                   P.next_state.begin() + P.begin[p + 1]);
    if (static_cast<Offset>(distinct.size()) < P.begin[p + 1] - P.begin[p]) return true;
  }
  return false;
}

// (D - B') D^-1 (D - B), put together from the blocks of M. Where a next state repeats, the sweep's
// diagonal is a little smaller than M's: as a preconditioner it may be.
TEST(LayerSweep, IsSymmetricGaussSeidelOverTheLayers) {
  RandomStream random(4);
  LayerSweep sweep;
  int checked = 0;
  for (const Problem& problem : many_problems()) {
    if (repeats_a_next_state(problem)) continue;
    ++checked;
    const Shape& shape = problem.shape;
    const std::vector<double> theta = random_theta(random, problem, 1.0);
    const Matrix M = dense_normal(problem, theta);
    const Matrix D = M.diagonal().asDiagonal();
    Matrix B = Matrix::Zero(M.rows(), M.rows());
    for (Index l = 0; l + 1 < shape.layers(); ++l) {
      const Range a = shape.states_of(l);
      const Range b = shape.states_of(l + 1);
      B.block(a.first(), b.first(), a.size(), b.size()) =
          -M.block(a.first(), b.first(), a.size(), b.size());
    }
    const Matrix Q = (D - B.transpose()) * M.diagonal().cwiseInverse().asDiagonal() * (D - B);
    const std::vector<double> b = random_vector(random, shape.states());
    std::vector<double> z(b.size(), 99.0);
    sweep.reset(problem);
    sweep.factor(theta);
    sweep.apply(b, z);
    EXPECT_LE(backward_error(Q, z, b), 1e-12);
  }
  EXPECT_GE(checked, 60);
}

TEST(NormalEquations, BothWaysReachTheTolerance) {
  RandomStream random(5);
  NormalEquations equations;
  for (const Problem& problem : many_problems()) {
    const std::vector<double> theta = random_theta(random, problem, 2.0);
    const std::vector<double> b = random_vector(random, problem.shape.states());
    const Matrix M = dense_normal(problem, theta);
    for (bool factorise : {true, false}) {
      std::vector<double> x(b.size(), 99.0);
      equations.reset(problem, factorise, kNoLimit);
      ASSERT_EQ(equations.factorised(), factorise);
      equations.factor(theta);
      const int iterations = equations.solve(b, x, {1e-9, 5000});
      EXPECT_GE(iterations, 1);
      EXPECT_LE(iterations, factorise ? 3 : 5000);
      const Vector residual = M * Eigen::Map<const Vector>(x.data(), M.rows()) -
                              Eigen::Map<const Vector>(b.data(), M.rows());
      const double largest = Eigen::Map<const Vector>(b.data(), M.rows()).cwiseAbs().maxCoeff();
      EXPECT_LE(residual.cwiseAbs().maxCoeff(), 1.01e-9 * largest) << factorise;
    }
  }
}

TEST(NormalEquations, WithoutIterationsIsThePreconditionerAlone) {
  const Problem problem = test_support::ragged_problem(RandomStream(6), 4);
  const std::vector<double> theta(problem.shape.pairs(), 1.0);
  const std::vector<double> b(problem.shape.states(), 1.0);
  std::vector<double> x(b.size()), expected(b.size());
  NormalEquations equations;
  equations.reset(problem, true, kNoLimit);
  equations.factor(theta);
  EXPECT_EQ(equations.solve(b, x, {1.0, 0}), 0);
  BlockFactor factor;
  factor.reset(problem);
  factor.factor(theta);
  factor.apply(b, expected);
  EXPECT_EQ(x, expected);
}

// Wide layers in which little leads to little: four rooms of the same plan that nobody leaves.
TEST(NormalEquations, FactorisesASparseMatrixWhereThatIsLessWork) {
  constexpr Index kStates = 200;
  ProblemBuilder builder(std::vector<double>(kStates, 1.0 / kStates));
  for (Index l = 0; l < 6; ++l) {
    builder.layer();
    for (Index s = 0; s < kStates; ++s) {
      const Index room = s / 50 * 50;
      const Index left = room + (s + 49) % 50, right = room + (s + 1) % 50;
      if (l == 5)
        builder.state({{.sigma = 1.0}, {.sigma = 1.0}});
      else
        builder.state(
            {{.sigma = 1.0, .next = {{left, 1.0}}}, {.sigma = 1.0, .next = {{right, 1.0}}}});
    }
  }
  Problem problem = builder.build();
  NormalEquations equations;
  equations.reset(problem, true, kNoLimit);
  EXPECT_EQ(equations.kind(), NormalEquations::Kind::kSparse);
  equations.reset(problem, false, kNoLimit);
  EXPECT_EQ(equations.kind(), NormalEquations::Kind::kSweep);
  equations.reset(problem, true, 1000.0);
  EXPECT_EQ(equations.kind(), NormalEquations::Kind::kSweep) << "neither fits";

  RandomProblemSettings dense;
  dense.layers = 6;
  dense.states = kStates;
  dense.successors = kStates;
  equations.reset(random_problem(dense, RandomStream(1)), true, kNoLimit);
  EXPECT_EQ(equations.kind(), NormalEquations::Kind::kBlocks);
}

TEST(NormalEquations, DoesNotFactoriseBeyondItsMemory) {
  const Problem problem = test_support::ragged_problem(RandomStream(7), 4);
  NormalEquations equations;
  equations.reset(problem, true, BlockFactor::bytes_needed(problem.shape) - 1.0);
  EXPECT_FALSE(equations.factorised());
}

}  // namespace
}  // namespace vapor
