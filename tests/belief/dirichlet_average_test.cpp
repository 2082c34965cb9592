#include "vapor/belief/dirichlet_average.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "tests/belief/kolmogorov_smirnov.h"

namespace vapor {
namespace {

using test_support::kolmogorov_smirnov;

constexpr int kAverages = 30000;

struct Moments {
  double mean = 0.0;
  double variance = 0.0;
  double error = 0.0;           // standard error of the mean
  double variance_error = 0.0;  // of the variance
};

Moments moments_of(const std::function<double()>& draw) {
  std::vector<double> x(kAverages);
  Moments m;
  for (double& value : x) m.mean += (value = draw()) / kAverages;
  double fourth = 0.0;
  for (double value : x) {
    m.variance += std::pow(value - m.mean, 2) / kAverages;
    fourth += std::pow(value - m.mean, 4) / kAverages;
  }
  m.error = std::sqrt(m.variance / kAverages);
  m.variance_error = std::sqrt((fourth - m.variance * m.variance) / kAverages);
  return m;
}

// E W'V = sum alpha V / A and Var W'V = (sum p V^2 - (sum p V)^2) / (A + 1), A = sum alpha.
void expect_dirichlet_moments(const Moments& m, const std::vector<double>& alpha,
                              const std::vector<double>& V) {
  double total = 0.0;
  double first = 0.0;
  double second = 0.0;
  for (std::size_t i = 0; i < V.size(); ++i) {
    total += alpha[i];
    first += alpha[i] * V[i];
    second += alpha[i] * V[i] * V[i];
  }
  first /= total;
  const double variance = (second / total - first * first) / (total + 1.0);
  EXPECT_NEAR(m.mean, first, 5.0 * m.error);
  EXPECT_NEAR(m.variance, variance, 5.0 * m.variance_error);
}

std::vector<double> wavy(int n) {
  std::vector<double> V(n);
  for (int i = 0; i < n; ++i) V[i] = std::sin(1.0 + 2.0 * i) + (i == 0 ? 3.0 : 0.0);
  return V;
}

// The textbook's Dirichlet: a gamma for each component, in logarithms so that none is lost.
double naive_average(const std::vector<double>& alpha, const std::vector<double>& V,
                     RandomStream& random) {
  std::vector<double> log_g(V.size());
  double largest = -INFINITY;
  for (std::size_t i = 0; i < V.size(); ++i) {
    log_g[i] = std::log(random.gamma(alpha[i] + 1.0)) + std::log(1.0 - random.uniform()) / alpha[i];
    largest = std::max(largest, log_g[i]);
  }
  double total = 0.0;
  double sum = 0.0;
  for (std::size_t i = 0; i < V.size(); ++i) {
    total += std::exp(log_g[i] - largest);
    sum += std::exp(log_g[i] - largest) * V[i];
  }
  return sum / total;
}

TEST(DirichletAverage, SymmetricHasTheMomentsOfADirichlet) {
  for (int n : {2, 3, 11, 50, 200}) {
    for (double mass : {0.3, 1.0, 12.0}) {
      SCOPED_TRACE(testing::Message() << n << " components of total mass " << mass);
      DirichletAverage average;
      RandomStream random(n);
      const std::vector<double> V = wavy(n);
      expect_dirichlet_moments(moments_of([&] { return average.symmetric(mass, V, 1.0, random); }),
                               std::vector<double>(n, mass / n), V);
    }
  }
}

TEST(DirichletAverage, SymmetricHasTheDistributionOfTheNaiveSampler) {
  for (int n : {2, 12, 40}) {
    for (double mass : {0.5, 1.0, 3.0}) {
      const std::vector<double> V = wavy(n);
      const std::vector<double> alpha(n, mass / n);
      DirichletAverage average;
      RandomStream random(100 + n);
      std::vector<double> ours(10000);
      std::vector<double> naive(10000);
      for (double& x : ours) x = average.symmetric(mass, V, 1.0, random);
      for (double& x : naive) x = naive_average(alpha, V, random);
      EXPECT_LT(kolmogorov_smirnov(ours, naive), 1.95) << n << " of mass " << mass;
    }
  }
}

// What is left of the stick goes to some component, however small it has become.
TEST(DirichletAverage, WeightsAddUpToOne) {
  DirichletAverage average;
  RandomStream random(5);
  for (int n : {1, 2, 9, 10, 11, 1000}) {
    const std::vector<double> ones(n, 1.0);
    for (int i = 0; i < 200; ++i) {
      EXPECT_NEAR(average.symmetric(1.0, ones, 1.0, random), 1.0, 1e-14);
      EXPECT_NEAR(average.symmetric(1.0, ones, 1e-6, random), 1e-6, 1e-15);
    }
  }
}

TEST(DirichletAverage, CountsHaveTheMomentsOfADirichlet) {
  const std::vector<double> V{4.0, -1.0, 0.5, 100.0, 2.0};
  const std::vector<Index> states{0, 1, 4};
  const std::vector<double> counts{1.0, 7.0, 2.0};
  for (double repeat : {0.02, 0.5, 1.0, 100.0}) {
    SCOPED_TRACE(repeat);
    DirichletAverage average;
    RandomStream random(17);
    expect_dirichlet_moments(
        moments_of([&] { return average.counted(repeat, counts, states, V, random); }),
        {1.0 * repeat, 7.0 * repeat, 2.0 * repeat}, {4.0, -1.0, 2.0});
  }
}

TEST(DirichletAverage, OneSuccessorIsCertain) {
  DirichletAverage average;
  RandomStream random(1);
  const std::vector<double> V{3.0, 8.0};
  EXPECT_EQ(average.counted(100.0, std::vector<double>{5.0}, std::vector<Index>{1}, V, random),
            8.0);
}

// A draw depends on the stream alone, not on what was drawn before: a restored run goes on as the
// unbroken one.
TEST(DirichletAverage, ADrawDoesNotDependOnEarlierOnes) {
  const std::vector<double> V = wavy(60);
  DirichletAverage fresh;
  DirichletAverage used;
  RandomStream other(9);
  for (int i = 0; i < 10; ++i) used.symmetric(1.0, wavy(80), 1.0, other);
  RandomStream a(4);
  RandomStream b(4);
  EXPECT_EQ(fresh.symmetric(1.0, V, 1.0, a), used.symmetric(1.0, V, 1.0, b));
}

}  // namespace
}  // namespace vapor
