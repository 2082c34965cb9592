#include "vapor/deep/objective.h"

#include <fmt/format.h>

#include "vapor/core/error.h"

namespace vapor::deep {
namespace {

bool over_all_actions(Optimism optimism) {
  return optimism == Optimism::kExpected || optimism == Optimism::kRiskSeeking;
}

}  // namespace

void validate(const Objective& objective) {
  if (!(objective.entropy_weight >= 0.0 && objective.entropy_weight <= 1e6))
    throw InputError("entropy_weight",
                     fmt::format("must be in [0, 1e6], got {}", objective.entropy_weight));
  if ((objective.optimism == Optimism::kRiskSeeking) != (objective.entropy == Entropy::kTuned))
    throw InputError("optimism", "risk-seeking goes with entropy=tuned, and only with it");
}

double optimism_of(const Objective& objective, double sigma, double tau) {
  switch (objective.optimism) {
    case Optimism::kOff:
      return 0.0;
    case Optimism::kSampled:
    case Optimism::kExpected:
      return sigma;
    case Optimism::kRiskSeeking:
      return sigma * sigma / (2.0 * tau);
  }
  return 0.0;
}

double entropy_weight_of(const Objective& objective, double sigma, double tau) {
  switch (objective.entropy) {
    case Entropy::kNone:
      return 0.0;
    case Entropy::kFixed:
      return objective.entropy_weight;
    case Entropy::kTuned:
      return tau;
    case Entropy::kStateAction:
      return objective.entropy_weight * sigma;
  }
  return 0.0;
}

double evaluation_bonus(const Objective& objective, const StateView& state) {
  double bonus = 0.0;
  for (std::size_t a = 0; a < state.pi.size(); ++a) {
    if (over_all_actions(objective.optimism))
      bonus += state.pi[a] * optimism_of(objective, state.sigma[a], state.tau);
    if (objective.entropy_in_evaluation)
      bonus -=
          entropy_weight_of(objective, state.sigma[a], state.tau) * state.pi[a] * state.log_pi[a];
  }
  return bonus;
}

double sampled_bonus(const Objective& objective, double sigma) {
  return objective.optimism == Optimism::kSampled ? sigma : 0.0;
}

// With F the sum over the actions and f_a = dF/dpi_a, dF/dlogit_a = pi_a (f_a - sum_b pi_b f_b).
double improvement_loss(const Objective& objective, const StateView& state, double weight,
                        std::span<double> gradient) {
  const bool optimistic = over_all_actions(objective.optimism);
  const auto slope = [&](std::size_t a) {
    const double b = optimistic ? optimism_of(objective, state.sigma[a], state.tau) : 0.0;
    const double w = entropy_weight_of(objective, state.sigma[a], state.tau);
    return b - w * (state.log_pi[a] + 1.0);
  };
  double F = 0.0;
  double mean_slope = 0.0;
  for (std::size_t a = 0; a < state.pi.size(); ++a) {
    const double w = entropy_weight_of(objective, state.sigma[a], state.tau);
    F += state.pi[a] * (slope(a) + w);
    mean_slope += state.pi[a] * slope(a);
  }
  for (std::size_t a = 0; a < state.pi.size(); ++a)
    gradient[a] -= weight * state.pi[a] * (slope(a) - mean_slope);
  return -weight * F;
}

double temperature_gradient(const StateView& state) {
  double gradient = entropy_of(state.pi, state.log_pi);
  for (std::size_t a = 0; a < state.pi.size(); ++a)
    gradient -= state.pi[a] * state.sigma[a] * state.sigma[a] / (2.0 * state.tau * state.tau);
  return gradient;
}

double entropy_of(std::span<const double> pi, std::span<const double> log_pi) {
  double entropy = 0.0;
  for (std::size_t a = 0; a < pi.size(); ++a) entropy -= pi[a] * log_pi[a];
  return entropy;
}

}  // namespace vapor::deep
