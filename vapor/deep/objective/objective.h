// What a policy is improved towards, per state (paper, section 7 and the ablation of appendix I):
//
//   sum_a pi_a (q_a + b_a) + H(pi),   b_a the optimism,  H(pi) = -sum_a w_a pi_a log pi_a
//
// Optimism: none; sigma_a; sigma_a^2 / (2 tau). It enters policy evaluation as a bonus on the
// reward, of the action that was taken (sampled) or in expectation over the policy, and in the
// second case it is differentiated over all actions in policy improvement, which is what lets
// untried actions reach the policy. Entropy: w_a = 0; a fixed scalar; the temperature tau, which is
// tuned; sigma_a.
//
// Beyond the paper, the objective of VAPOR itself, sum_a lambda_a (q_a + sigma_a x_a) with
// lambda_a = mu pi_a, x_a = sqrt(-2 log lambda_a) and an estimate of mu(s): docs/deep.md derives
// it.
#pragma once

#include <span>
#include <variant>

#include "vapor/core/index.h"
#include "vapor/deep/objective/temperature.h"

namespace vapor::deep {

// Sums of multiples of sigma: b_a = expected sigma_a, with sampled sigma more for the action that
// was taken, in evaluation alone; w_a = scalar + per_sigma sigma_a. VAPOR-lite by default.
struct SigmaWeighted {
  struct Optimism {
    double sampled = 0.0;
    double expected = 1.0;
  } optimism = {};
  struct Entropy {
    double scalar = 0.0;
    double per_sigma = 1.0;
  } entropy = {};
  bool entropy_in_evaluation = false;
};

// b_a = sigma_a^2 / (2 tau), w_a = tau, and tau minimises their sum.
struct RiskSeeking {
  TemperatureSettings temperature = {};
  bool entropy_in_evaluation = false;
};

// sigma_a x_a, optimism and entropy in one.
struct Occupancy {
  double visitation_rate = 0.01;  // weight of an episode in the estimate of mu, in (0, 1)
};

using Objective = std::variant<SigmaWeighted, RiskSeeking, Occupancy>;

// The same as it is written in a spec, word by word.
enum class Optimism { kOff, kSampled, kExpected, kRiskSeeking, kOccupancy };
enum class Entropy { kNone, kFixed, kTuned, kStateAction };

struct ObjectiveSettings {
  Optimism optimism = Optimism::kExpected;
  Entropy entropy = Entropy::kStateAction;
  double entropy_weight = 1.0;  // of the fixed scalar, or a factor of sigma
  bool entropy_in_evaluation =
      false;                      // entropy is a reward too; the paper has it in improvement only
  double visitation_rate = 0.01;  // of Occupancy
  TemperatureSettings temperature = {};  // of RiskSeeking
};

// Throws InputError that names the field, also where two words do not go together.
Objective make_objective(const ObjectiveSettings& settings);

// A state: its policy, the logarithm of it and the uncertainties, by action; the temperature, and
// the logarithm of how often an episode comes here.
struct StateView {
  std::span<const double> pi;
  std::span<const double> log_pi;
  std::span<const double> sigma;
  double tau = 1.0;
  double log_mu = 0.0;
};

// What policy evaluation adds to the reward at a state, whatever the action.
double evaluation_bonus(const Objective& objective, const StateView& state);

// What it adds for the action that was taken.
double sampled_bonus(const Objective& objective, double sigma);

// The part of the objective that is differentiated over all actions, times -weight: a loss. Adds
// its gradient with respect to the logits of pi.
double improvement_loss(const Objective& objective, const StateView& state, double weight,
                        std::span<double> gradient);

// d/dtau of sum_a pi_a sigma_a^2 / (2 tau) + tau H(pi), which the temperature goes down.
double temperature_gradient(const StateView& state);

// -sum_a pi_a log pi_a.
double entropy_of(std::span<const double> pi, std::span<const double> log_pi);

}  // namespace vapor::deep
