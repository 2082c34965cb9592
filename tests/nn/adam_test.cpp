#include "vapor/nn/adam.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "vapor/core/error.h"

namespace vapor::nn {
namespace {

// By hand, learning rate 0.1, betas 0.5 and 0.75, epsilon 0.5, gradients 2 then -1, from w = 1:
//   m = 1, v = 1; corrected 2 and 4:           w = 1 - 0.1 * 2 / (2 + 0.5) = 0.92
//   m = 0, v = 1; corrected 0 and 1/(7/16):    w stays
TEST(Adam, HandWorkedSequence) {
  const Adam adam({0.1, 0.5, 0.75, 0.5});
  std::vector<float> w(8, 1.0F);
  std::vector<float> m(8, 0.0F);
  std::vector<float> v(8, 0.0F);
  adam.step(1, std::vector<float>(8, 2.0F).data(), w.data(), m.data(), v.data(), 8);
  EXPECT_FLOAT_EQ(w[0], 0.92F);
  EXPECT_FLOAT_EQ(m[7], 1.0F);
  EXPECT_FLOAT_EQ(v[7], 1.0F);
  adam.step(2, std::vector<float>(8, -1.0F).data(), w.data(), m.data(), v.data(), 8);
  EXPECT_FLOAT_EQ(w[7], 0.92F);
  EXPECT_FLOAT_EQ(m[0], 0.0F);
  EXPECT_FLOAT_EQ(v[0], 1.0F);
}

// The defaults against the definition in double precision, past the end of the table of
// corrections.
TEST(Adam, FollowsTheDefinitionForManySteps) {
  const AdamSettings settings{.learning_rate = 0.01};
  const Adam adam(settings);
  std::vector<float> w(8, 0.3F);
  std::vector<float> m(8, 0.0F);
  std::vector<float> v(8, 0.0F);
  double W = 0.3F;
  double M = 0.0;
  double V = 0.0;
  for (int t = 1; t <= 30000; ++t) {
    const auto g = static_cast<float>(std::sin(0.01 * t) + 0.2);
    const std::vector<float> gradient(8, g);
    adam.step(t, gradient.data(), w.data(), m.data(), v.data(), 8);
    M = 0.9 * M + 0.1 * g;
    V = 0.999 * V + 0.001 * g * g;
    W -= 0.01 * M / (1.0 - std::pow(0.9, t)) /
         (std::sqrt(V / (1.0 - std::pow(0.999, t))) + settings.epsilon);
  }
  EXPECT_NEAR(w[3], W, 2e-3 * std::abs(W));
}

// The first step is the learning rate whatever the gradient, for a row that is first touched late.
TEST(Adam, AFirstStepIsTheLearningRate) {
  const Adam adam({.learning_rate = 0.01});
  for (const float g : {1e-3F, 1.0F, 1e3F}) {
    std::vector<float> w(8, 0.0F);
    std::vector<float> m(8, 0.0F);
    std::vector<float> v(8, 0.0F);
    adam.step(1, std::vector<float>(8, g).data(), w.data(), m.data(), v.data(), 8);
    EXPECT_NEAR(w[0], -0.01F, 1e-6F);
  }
}

TEST(Adam, BadSettingsAreNamed) {
  EXPECT_THROW(validate(AdamSettings{.learning_rate = 0.0}, ""), InputError);
  EXPECT_THROW(validate(AdamSettings{.beta_2 = 1.0}, ""), InputError);
  EXPECT_THROW(validate(AdamSettings{.epsilon = std::nan("")}, ""), InputError);
}

}  // namespace
}  // namespace vapor::nn
