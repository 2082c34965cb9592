#include "vapor/deep/objective/objective.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vapor/core/error.h"

namespace vapor::deep {
namespace {

// The part of the objective that is differentiated over all actions is sum_a pi_a value_a.
struct ActionTerm {
  double value = 0.0;
  double slope = 0.0;     // of pi_a value_a with respect to pi_a
  double optimism = 0.0;  // the part of it that policy evaluation has in any case
  double weight = 0.0;    // w_a of the entropy
};

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

double optimism_of(const Objective& objective, double sigma, double tau) {
  if (objective.optimism == Optimism::kExpected) return sigma;
  if (objective.optimism == Optimism::kRiskSeeking) return sigma * sigma / (2.0 * tau);
  return 0.0;
}

// lambda sqrt(-2 log lambda) rises up to lambda = exp(-1/2), where x is 1. Beyond it its greatest
// value is kept, so that no pair is worth less for being visited more.
ActionTerm occupancy_term(double sigma, double log_lambda) {
  const double x = std::sqrt(std::max(0.0, -2.0 * log_lambda));
  if (x < 1.0) return {.value = sigma * std::exp(-0.5 - log_lambda)};
  const double slope = sigma * (x - 1.0 / x);
  return {.value = sigma * x, .slope = slope, .optimism = slope};
}

ActionTerm term_of(const Objective& objective, const StateView& s, std::size_t a) {
  if (objective.optimism == Optimism::kOccupancy)
    return occupancy_term(s.sigma[a], s.log_mu + s.log_pi[a]);
  ActionTerm term;
  term.optimism = optimism_of(objective, s.sigma[a], s.tau);
  term.weight = entropy_weight_of(objective, s.sigma[a], s.tau);
  term.slope = term.optimism - term.weight * (s.log_pi[a] + 1.0);
  term.value = term.slope + term.weight;
  return term;
}

}  // namespace

void validate(const Objective& objective) {
  if (!(objective.entropy_weight >= 0.0 && objective.entropy_weight <= 1e6))
    throw InputError("entropy_weight",
                     fmt::format("must be in [0, 1e6], got {}", objective.entropy_weight));
  if ((objective.optimism == Optimism::kRiskSeeking) != (objective.entropy == Entropy::kTuned))
    throw InputError("optimism", "risk-seeking goes with entropy=tuned, and only with it");
  if (objective.optimism == Optimism::kOccupancy && objective.entropy != Entropy::kNone)
    throw InputError("optimism", "occupancy has an entropy of its own and goes with entropy=none");
  if (!(objective.visitation_rate > 0.0 && objective.visitation_rate < 1.0))
    throw InputError("visitation_rate",
                     fmt::format("must be in (0, 1), got {}", objective.visitation_rate));
}

double evaluation_bonus(const Objective& objective, const StateView& state) {
  double bonus = 0.0;
  for (std::size_t a = 0; a < state.pi.size(); ++a) {
    const ActionTerm term = term_of(objective, state, a);
    bonus += state.pi[a] * term.optimism;
    if (objective.entropy_in_evaluation) bonus -= state.pi[a] * term.weight * state.log_pi[a];
  }
  return bonus;
}

double sampled_bonus(const Objective& objective, double sigma) {
  return objective.optimism == Optimism::kSampled ? sigma : 0.0;
}

// With F the sum over the actions and f_a = dF/dpi_a, dF/dlogit_a = pi_a (f_a - sum_b pi_b f_b).
double improvement_loss(const Objective& objective, const StateView& state, double weight,
                        std::span<double> gradient) {
  double F = 0.0;
  double mean_slope = 0.0;
  for (std::size_t a = 0; a < state.pi.size(); ++a) {
    const ActionTerm term = term_of(objective, state, a);
    F += state.pi[a] * term.value;
    mean_slope += state.pi[a] * term.slope;
  }
  for (std::size_t a = 0; a < state.pi.size(); ++a)
    gradient[a] -= weight * state.pi[a] * (term_of(objective, state, a).slope - mean_slope);
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
