// The scalar temperature of the epistemic-risk-seeking objective (O'Donoghue, 2023): a player that
// minimises over tau, by Adam on log tau within bounds.
#pragma once

#include "vapor/core/archive.h"

namespace vapor::deep {

struct TemperatureSettings {
  double initial = 0.02;  // within the bounds
  double least = 0.005;   // > 0
  double most = 10.0;
  double step_size = 1e-4;  // of Adam, > 0
};

// Throws InputError that names the field.
void validate(const TemperatureSettings& settings);

class Temperature {
 public:
  explicit Temperature(const TemperatureSettings& settings);

  double tau() const { return tau_; }
  void descend(double gradient);  // d/dtau of what tau is to minimise

  void archive(Archive& archive) { archive(tau_), archive(m_), archive(v_), archive(steps_); }

 private:
  TemperatureSettings settings_;
  double tau_;
  double m_ = 0.0;
  double v_ = 0.0;
  std::int64_t steps_ = 0;
};

}  // namespace vapor::deep
