#include "vapor/belief/sigma_transform.h"

#include <fmt/format.h>

#include <cmath>

#include "vapor/core/error.h"

namespace vapor {

SigmaTransform paper_transform() {
  return [](const PairUncertainty& u) {
    constexpr double kReward = 3.6 * 3.6;  // lemma "SO subgaussian", appendix G
    const double range = u.steps_left;
    return std::sqrt(kReward * u.reward_variance + range * range / u.dirichlet_mass);
  };
}

SigmaTransform reward_only(double variance_scale) {
  if (!(variance_scale >= 0.0 && variance_scale <= 1e100))
    throw InputError("variance_scale",
                     fmt::format("must be >= 0 and at most 1e100, got {}", variance_scale));
  return [variance_scale](const PairUncertainty& u) {
    return std::sqrt(variance_scale * u.reward_variance);
  };
}

}  // namespace vapor
