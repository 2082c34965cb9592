#include "vapor/deep/objective/temperature.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "vapor/deep/objective/objective.h"

namespace vapor::deep {
namespace {

// At one state and a fixed policy tau minimises  sum_a pi_a sigma_a^2 / (2 tau) + tau H(pi),  so
// tau^2 = sum_a pi_a sigma_a^2 / (2 H(pi)).
TEST(Temperature, ComesToTheSaddlePointOfAFixedPolicy) {
  const std::vector<double> pi = {0.7, 0.2, 0.1};
  const std::vector<double> sigma = {0.1, 0.5, 1.0};
  std::vector<double> log_pi;
  double variance = 0.0;
  for (std::size_t a = 0; a < pi.size(); ++a) {
    log_pi.push_back(std::log(pi[a]));
    variance += pi[a] * sigma[a] * sigma[a];
  }
  Temperature temperature({.step_size = 1e-2});
  for (int t = 0; t < 5000; ++t)
    temperature.descend(
        temperature_gradient({pi, log_pi, sigma, temperature.tau(), /*log_mu=*/0.0}));
  EXPECT_NEAR(temperature.tau(), std::sqrt(variance / (2.0 * entropy_of(pi, log_pi))), 1e-3);
}

// The step is in log tau: Adam's first one is the step size, whatever the gradient.
TEST(Temperature, StepsAreRelative) {
  Temperature temperature({.initial = 0.5, .step_size = 0.1});
  temperature.descend(1e-3);
  EXPECT_NEAR(temperature.tau(), 0.5 * std::exp(-0.1), 1e-6);
}

TEST(Temperature, StaysWithinItsBounds) {
  Temperature temperature({.initial = 0.02, .least = 0.01, .most = 0.05, .step_size = 0.5});
  for (int t = 0; t < 20; ++t) temperature.descend(1.0);
  EXPECT_EQ(temperature.tau(), 0.01);
  for (int t = 0; t < 60; ++t) temperature.descend(-1.0);
  EXPECT_EQ(temperature.tau(), 0.05);
}

}  // namespace
}  // namespace vapor::deep
