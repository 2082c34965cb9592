#include "vapor/nn/adam.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vapor/core/error.h"
#include "vapor/core/multiversion.h"
#include "vapor/nn/matrix.h"

namespace vapor::nn {
namespace {

VAPOR_MULTIVERSION
void update(const float* __restrict g, float* __restrict w, float* __restrict m,
            float* __restrict v, Index n, float beta_1, float beta_2, float rate, float square,
            float epsilon) {
  for (Index j = 0; j < n; ++j) {
    m[j] = beta_1 * m[j] + (1.0F - beta_1) * g[j];
    v[j] = beta_2 * v[j] + (1.0F - beta_2) * g[j] * g[j];
    w[j] -= rate * m[j] / (std::sqrt(v[j] * square) + epsilon);
  }
}

}  // namespace

void validate(const AdamSettings& settings, const char* place) {
  const auto refuse = [&](const char* field, double value, const char* rule) {
    throw InputError(fmt::format("{}{}", place, field),
                     fmt::format("must be {}, got {}", rule, value));
  };
  if (!(settings.learning_rate > 0.0 && settings.learning_rate <= 10.0))
    refuse("learning_rate", settings.learning_rate, "in (0, 10]");
  if (!(settings.beta_1 >= 0.0 && settings.beta_1 < 1.0))
    refuse("beta_1", settings.beta_1, "in [0, 1)");
  if (!(settings.beta_2 >= 0.0 && settings.beta_2 < 1.0))
    refuse("beta_2", settings.beta_2, "in [0, 1)");
  // A float that is 0 would divide 0 by 0 where a gradient is 0.
  if (!(settings.epsilon >= 1e-30 && settings.epsilon <= 10.0))
    refuse("epsilon", settings.epsilon, "in [1e-30, 10]");
}

Adam::Adam(const AdamSettings& settings)
    : beta_1_(static_cast<float>(settings.beta_1)),
      beta_2_(static_cast<float>(settings.beta_2)),
      epsilon_(static_cast<float>(settings.epsilon)) {
  // As soon as both corrections are 1 in floats they stay so.
  constexpr std::size_t kMost = 1 << 16;
  double power_1 = 1.0;
  double power_2 = 1.0;
  do {
    power_1 *= settings.beta_1;
    power_2 *= settings.beta_2;
    corrections_.push_back({static_cast<float>(settings.learning_rate / (1.0 - power_1)),
                            static_cast<float>(1.0 / (1.0 - power_2))});
  } while (corrections_.size() < kMost && std::max(power_1, power_2) > 1e-9);
}

void Adam::step(std::uint32_t t, const float* gradient, float* w, float* m, float* v,
                Index n) const {
  const Correction& c = corrections_[std::min<std::size_t>(t, corrections_.size()) - 1];
  update(gradient, w, m, v, n, beta_1_, beta_2_, c.rate, c.square, epsilon_);
}

}  // namespace vapor::nn
