#include "vapor/belief/sigma_transform.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "vapor/core/error.h"
#include "vapor/core/spec.h"

namespace vapor {
namespace {

void check_factor(const char* name, double factor) {
  if (!(factor >= 0.0 && factor <= 1e100))
    throw InputError(name, fmt::format("must be >= 0 and at most 1e100, got {}", factor));
}

}  // namespace

SigmaTransform operator+(SigmaTransform a, SigmaTransform b) {
  const bool uses_values = a.uses_values || b.uses_values;
  return {[a = std::move(a.variance), b = std::move(b.variance)](const PairUncertainty& u) {
            return a(u) + b(u);
          },
          uses_values};
}

SigmaTransform scaled(SigmaTransform transform, double factor) {
  check_factor("factor", factor);
  return {[variance = std::move(transform.variance), factor](const PairUncertainty& u) {
            return factor * variance(u);
          },
          transform.uses_values};
}

SigmaTransform reward_only(double coefficient) {
  check_factor("coefficient", coefficient);
  return {[coefficient](const PairUncertainty& u) { return coefficient * u.reward_variance; }};
}

SigmaTransform range_bound() {
  return {[](const PairUncertainty& u) {
    const double range = u.steps_left;
    return range * range / u.dirichlet_mass;
  }};
}

SigmaTransform value_variance() {
  return {[](const PairUncertainty& u) { return u.value_variance; }, true};
}

SigmaTransform paper_transform() {
  constexpr double kReward = 3.6 * 3.6;  // lemma "SO subgaussian", appendix G
  return reward_only(kReward) + range_bound();
}

SigmaTransform named_transform(const std::string& place, const std::string& name) {
  if (name == "paper") return paper_transform();
  if (name == "reward-only") return reward_only();
  if (name == "range") return reward_only() + range_bound();
  if (name == "dirichlet-variance") return reward_only() + value_variance();
  static const std::vector<std::string> names = {"paper", "reward-only", "range",
                                                 "dirichlet-variance"};
  throw unknown_name(place, name, names);
}

}  // namespace vapor
