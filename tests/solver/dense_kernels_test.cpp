#include "vapor/solver/dense_kernels.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <vector>

#include "vapor/core/random.h"

namespace vapor {
namespace {

using Matrix = Eigen::MatrixXd;  // column-major

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Matrix random_matrix(RandomStream& random, int rows, int columns) {
  return Matrix::NullaryExpr(rows, columns, [&] { return random.normal(); });
}

// A positive definite matrix with eigenvalues from 1 / condition to 1.
Matrix random_spd(RandomStream& random, int n, double condition) {
  const Matrix Q = Eigen::HouseholderQR<Matrix>(random_matrix(random, n, n)).householderQ();
  Eigen::VectorXd d(n);
  for (double& x : d) x = std::pow(condition, -random.uniform());
  const Matrix A = Q * d.asDiagonal() * Q.transpose();
  return 0.5 * (A + A.transpose());
}

Matrix inverse_by_kernel(Matrix A, const Eigen::VectorXd& scale) {
  const int n = static_cast<int>(A.rows());
  std::vector<double> work(n * n);
  invert_spd(A.data(), n, n, scale.data(), work.data());
  return A;
}

TEST(Padded, IsTheNextMultipleOfTheTile) {
  EXPECT_EQ(padded(0), 0);
  EXPECT_EQ(padded(1), kTile);
  EXPECT_EQ(padded(kTile), kTile);
  EXPECT_EQ(padded(kTile + 1), 2 * kTile);
}

TEST(Multiply, IsTheTripleLoop) {
  RandomStream random(1);
  for (int rows = kTile; rows <= 100; rows += kTile) {
    const int inner = 1 + random.index(60);
    const int columns = kTile * (1 + random.index(20));
    const Matrix A = random_matrix(random, rows, inner);
    const Matrix B = random_matrix(random, inner, columns);
    const Matrix C0 = random_matrix(random, rows, columns);
    for (double beta : {0.0, 1.0, -0.5}) {
      Matrix C = C0;
      multiply({A.data(), rows, B.data(), 1, inner, rows, inner, columns}, 1.5, beta, C.data(),
               rows);
      EXPECT_LE((C - (beta * C0 + 1.5 * A * B)).cwiseAbs().maxCoeff(), 1e-12) << rows;
    }
  }
}

TEST(Multiply, TransposesBySwappingStrides) {
  RandomStream random(2);
  const Matrix A = random_matrix(random, 16, 9);
  const Matrix B = random_matrix(random, 12, 9);  // its transpose is 9 x 12
  Matrix C(16, 12);
  multiply({A.data(), 16, B.data(), 12, 1, 16, 9, 12}, 1.0, 0.0, C.data(), 16);
  EXPECT_LE((C - A * B.transpose()).cwiseAbs().maxCoeff(), 1e-13);
}

// beta = 0 overwrites, whatever stood there.
TEST(Multiply, OverwritesWhatIsNotANumber) {
  RandomStream random(3);
  const Matrix A = random_matrix(random, 8, 5);
  const Matrix B = random_matrix(random, 5, 4);
  Matrix C = Matrix::Constant(8, 4, kNaN);
  multiply({A.data(), 8, B.data(), 1, 5, 8, 5, 4}, 1.0, 0.0, C.data(), 8);
  EXPECT_LE((C - A * B).cwiseAbs().maxCoeff(), 1e-13);
}

// Blocks of larger matrices: nothing outside of them is read or written.
TEST(Multiply, WorksOnBlocks) {
  RandomStream random(4);
  Matrix A = random_matrix(random, 40, 30);
  Matrix B = random_matrix(random, 40, 30);
  A.row(25).setConstant(kNaN);
  B.row(25).setConstant(kNaN);
  Matrix C = Matrix::Constant(40, 30, 7.0);
  multiply({A.data() + 1, 40, B.data() + 2, 1, 40, 20, 10, 8}, 1.0, 0.0, C.data() + 3, 40);
  Matrix expected = Matrix::Constant(40, 30, 7.0);
  expected.block(3, 0, 20, 8) = A.block(1, 0, 20, 10) * B.block(2, 0, 10, 8);
  EXPECT_LE((C - expected).cwiseAbs().maxCoeff(), 1e-12);
}

// S = X D X' is symmetric: half of the blocks are computed, and both triangles are written.
TEST(MultiplySymmetric, IsTheWholeProduct) {
  RandomStream random(9);
  for (int n = kTile; n <= 60; n += kTile) {
    const int inner = 1 + random.index(30);
    const Matrix X = random_matrix(random, n, inner);
    const Matrix DXt = random_matrix(random, inner, 1).asDiagonal() * X.transpose();
    const Matrix Y = random_matrix(random, n, n);
    const Matrix C0 = Y + Y.transpose();
    for (double beta : {0.0, 1.0}) {
      Matrix C = C0;
      multiply_symmetric({X.data(), n, DXt.data(), 1, inner, n, inner, n}, -2.0, beta, C.data(), n);
      EXPECT_LE((C - (beta * C0 - 2.0 * X * DXt)).cwiseAbs().maxCoeff(), 1e-11) << n;
    }
  }
}

TEST(InvertSpd, IsTheInverse) {
  RandomStream random(5);
  for (int n = kTile; n <= 100; n += kTile) {
    for (double condition : {1.0, 1e3, 1e7}) {
      const Matrix A = random_spd(random, n, condition);
      const Matrix G = inverse_by_kernel(A, A.diagonal());
      const Matrix expected = A.ldlt().solve(Matrix::Identity(n, n));
      EXPECT_LE((G - expected).norm() / expected.norm(), 1e-14 * n * condition) << n;
      EXPECT_LE((G - G.transpose()).norm() / expected.norm(), 1e-14 * n * condition) << n;
    }
  }
}

TEST(InvertSpd, KeepsToItsColumnsStride) {
  RandomStream random(6);
  const Matrix A = random_spd(random, 12, 10.0);
  Matrix large = Matrix::Constant(20, 12, 7.0);
  large.topRows(12) = A;
  std::vector<double> work(144);
  const Eigen::VectorXd scale = A.diagonal();
  invert_spd(large.data(), 12, 20, scale.data(), work.data());
  EXPECT_LE((large.topRows(12) * A - Matrix::Identity(12, 12)).norm(), 1e-12);
  EXPECT_EQ(large.bottomRows(8), Matrix::Constant(8, 12, 7.0));
}

// A diagonal over 30 orders of magnitude is inverted entry by entry.
TEST(InvertSpd, IsExactOnADiagonalOfAnyScale) {
  const int n = 16;
  Eigen::VectorXd d(n);
  for (int i = 0; i < n; ++i) d[i] = std::pow(10.0, 2 * i - 15);
  const Matrix G = inverse_by_kernel(d.asDiagonal(), d);
  for (int i = 0; i < n; ++i) EXPECT_DOUBLE_EQ(G(i, i) * d[i], 1.0);
  EXPECT_EQ((G - Matrix(G.diagonal().asDiagonal())).norm(), 0.0);
}

// A row and column of zeros, the padding of a block: zero in the inverse, and the rest inverted as
// if it were not there.
TEST(InvertSpd, AZeroRowGivesAZeroRow) {
  RandomStream random(7);
  for (int n : {4, 8, 20, 52}) {
    for (int zero : {0, 2, n - 1}) {
      Matrix A = random_spd(random, n, 100.0);
      A.row(zero).setZero();
      A.col(zero).setZero();
      const Matrix G = inverse_by_kernel(A, A.diagonal());
      EXPECT_EQ(G.row(zero).norm(), 0.0) << n << " " << zero;
      EXPECT_EQ(G.col(zero).norm(), 0.0) << n << " " << zero;
      Matrix identity = Matrix::Identity(n, n);
      identity(zero, zero) = 0.0;
      EXPECT_LE((G * A - identity).norm(), 1e-11) << n << " " << zero;
    }
  }
}

// Singular up to rounding: the pivot that has cancelled counts as infinite, the result solves what
// can be solved, A G A = A.
TEST(InvertSpd, ACancelledPivotGivesAZeroRow) {
  RandomStream random(8);
  for (int n : {4, 8, 24}) {
    const Matrix X = random_matrix(random, n, n - 1);
    const Matrix A = X * X.transpose();  // of rank n - 1
    const Matrix G = inverse_by_kernel(A, 1e3 * A.diagonal());
    ASSERT_TRUE(G.allFinite());
    EXPECT_EQ(G.row(n - 1).norm(), 0.0);
    EXPECT_LE((A * G * A - A).norm() / A.norm(), 1e-8) << n;
  }
}

}  // namespace
}  // namespace vapor
