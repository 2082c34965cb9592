#include "vapor/deep/objective/objective.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vapor/core/check.h"
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

ActionTerm term_of(double optimism, double weight, double log_pi) {
  const double slope = optimism - weight * (log_pi + 1.0);
  return {.value = slope + weight, .slope = slope, .optimism = optimism, .weight = weight};
}

ActionTerm term_of(const SigmaWeighted& o, const StateView& s, std::size_t a) {
  const double sigma = s.sigma[a];
  return term_of(o.optimism.expected * sigma, o.entropy.scalar + o.entropy.per_sigma * sigma,
                 s.log_pi[a]);
}

ActionTerm term_of(const RiskSeeking& /*o*/, const StateView& s, std::size_t a) {
  return term_of(s.sigma[a] * s.sigma[a] / (2.0 * s.tau), s.tau, s.log_pi[a]);
}

// lambda sqrt(-2 log lambda) rises up to lambda = exp(-1/2), where x is 1. Beyond it its greatest
// value is kept, so that no pair is worth less for being visited more.
ActionTerm term_of(const Occupancy& /*o*/, const StateView& s, std::size_t a) {
  const double log_lambda = s.log_mu + s.log_pi[a];
  const double x = std::sqrt(std::max(0.0, -2.0 * log_lambda));
  if (x < 1.0) return {.value = s.sigma[a] * std::exp(-0.5 - log_lambda)};
  const double slope = s.sigma[a] * (x - 1.0 / x);
  return {.value = s.sigma[a] * x, .slope = slope, .optimism = slope};
}

bool has_entropy_in_evaluation(const Occupancy& /*o*/) { return false; }
bool has_entropy_in_evaluation(const auto& o) { return o.entropy_in_evaluation; }

void check_shapes(const StateView& state) {
  VAPOR_CHECK_EQ(state.log_pi.size(), state.pi.size());
  VAPOR_CHECK_EQ(state.sigma.size(), state.pi.size());
}

}  // namespace

Objective make_objective(const ObjectiveSettings& s) {
  if (!(s.entropy_weight >= 0.0 && s.entropy_weight <= 1e6))
    throw InputError("entropy_weight",
                     fmt::format("must be in [0, 1e6], got {}", s.entropy_weight));
  if ((s.optimism == Optimism::kRiskSeeking) != (s.entropy == Entropy::kTuned))
    throw InputError("optimism", "risk-seeking goes with entropy=tuned, and only with it");
  if (s.optimism == Optimism::kOccupancy && s.entropy != Entropy::kNone)
    throw InputError("optimism", "occupancy has an entropy of its own and goes with entropy=none");
  if (!(s.visitation_rate > 0.0 && s.visitation_rate < 1.0))
    throw InputError("visitation_rate",
                     fmt::format("must be in (0, 1), got {}", s.visitation_rate));
  validate(s.temperature);
  if (s.optimism == Optimism::kRiskSeeking)
    return RiskSeeking{s.temperature, s.entropy_in_evaluation};
  if (s.optimism == Optimism::kOccupancy) return Occupancy{s.visitation_rate};
  return SigmaWeighted{{.sampled = s.optimism == Optimism::kSampled ? 1.0 : 0.0,
                        .expected = s.optimism == Optimism::kExpected ? 1.0 : 0.0},
                       {.scalar = s.entropy == Entropy::kFixed ? s.entropy_weight : 0.0,
                        .per_sigma = s.entropy == Entropy::kStateAction ? s.entropy_weight : 0.0},
                       s.entropy_in_evaluation};
}

double evaluation_bonus(const Objective& objective, const StateView& state) {
  check_shapes(state);
  return std::visit(
      [&](const auto& o) {
        double bonus = 0.0;
        for (std::size_t a = 0; a < state.pi.size(); ++a) {
          const ActionTerm term = term_of(o, state, a);
          bonus += state.pi[a] * term.optimism;
          if (has_entropy_in_evaluation(o)) bonus -= state.pi[a] * term.weight * state.log_pi[a];
        }
        return bonus;
      },
      objective);
}

double sampled_bonus(const Objective& objective, double sigma) {
  const auto* weighted = std::get_if<SigmaWeighted>(&objective);
  return weighted == nullptr ? 0.0 : weighted->optimism.sampled * sigma;
}

// With F the sum over the actions and f_a = dF/dpi_a, dF/dlogit_a = pi_a (f_a - sum_b pi_b f_b).
double improvement_loss(const Objective& objective, const StateView& state, double weight,
                        std::span<double> gradient) {
  check_shapes(state);
  VAPOR_CHECK_EQ(gradient.size(), state.pi.size());
  return std::visit(
      [&](const auto& o) {
        double F = 0.0;
        double mean_slope = 0.0;
        for (std::size_t a = 0; a < state.pi.size(); ++a) {
          const ActionTerm term = term_of(o, state, a);
          F += state.pi[a] * term.value;
          mean_slope += state.pi[a] * term.slope;
        }
        for (std::size_t a = 0; a < state.pi.size(); ++a)
          gradient[a] -= weight * state.pi[a] * (term_of(o, state, a).slope - mean_slope);
        return -weight * F;
      },
      objective);
}

double temperature_gradient(const StateView& state) {
  check_shapes(state);
  double gradient = entropy_of(state.pi, state.log_pi);
  for (std::size_t a = 0; a < state.pi.size(); ++a)
    gradient -= state.pi[a] * state.sigma[a] * state.sigma[a] / (2.0 * state.tau * state.tau);
  return gradient;
}

double entropy_of(std::span<const double> pi, std::span<const double> log_pi) {
  VAPOR_CHECK_EQ(log_pi.size(), pi.size());
  double entropy = 0.0;
  for (std::size_t a = 0; a < pi.size(); ++a) entropy -= pi[a] * log_pi[a];
  return entropy;
}

}  // namespace vapor::deep
