// Targets of off-policy evaluation along one sequence, by backward recursions.
//
// V-trace(lambda) (Espeholt et al., 2018): with rho_t = min(1, ratio_t), c_t = lambda rho_t and
// delta_t = rho_t (r_t + gamma_t V_{t+1} - V_t),
//   v_t = V_t + delta_t + gamma_t c_t (v_{t+1} - V_{t+1}),
// and r_t + gamma_t v_{t+1} - V_t is the advantage for the policy gradient, which goes with rho_t.
//
// Retrace(lambda) (Munos et al., 2016), for a critic of actions: with c_t = lambda min(1, ratio_t),
//   g_t = r_t + gamma_t (V_{t+1} + c_{t+1} (g_{t+1} - Q_{t+1})).
//
// After the last frame of a sequence the correction is 0: what is left is V of the observation that
// follows.
#pragma once

#include <span>

namespace vapor::deep {

// All by frame; `ratio` is the policy's probability of the action over the behaviour's.
struct SequenceView {
  std::span<const double> ratio;
  std::span<const double> reward;
  std::span<const float> discount;     // gamma_t, 0 where the episode ends
  std::span<const double> value;       // V-trace: V_t; Retrace: Q_t of the action taken
  std::span<const double> next_value;  // V_{t+1}
};

void vtrace(const SequenceView& sequence, double lambda, std::span<double> target,
            std::span<double> advantage);

void retrace(const SequenceView& sequence, double lambda, std::span<double> target);

}  // namespace vapor::deep
