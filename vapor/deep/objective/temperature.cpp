#include "vapor/deep/objective/temperature.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vapor/core/error.h"

namespace vapor::deep {

void validate(const TemperatureSettings& settings) {
  if (!(settings.least > 0.0 && settings.least <= settings.most && settings.most <= 1e6))
    throw InputError("tau_min", fmt::format("must be > 0 and at most tau_max, got {} and {}",
                                            settings.least, settings.most));
  if (!(settings.initial >= settings.least && settings.initial <= settings.most))
    throw InputError("tau", fmt::format("must be in [{}, {}], got {}", settings.least,
                                        settings.most, settings.initial));
  if (!(settings.step_size > 0.0 && settings.step_size <= 10.0))
    throw InputError("tau_rate", fmt::format("must be in (0, 10], got {}", settings.step_size));
}

Temperature::Temperature(const TemperatureSettings& settings)
    : settings_(settings), tau_(settings.initial) {}

void Temperature::descend(double gradient) {
  constexpr double kBeta1 = 0.9;
  constexpr double kBeta2 = 0.999;
  constexpr double kEpsilon = 1e-8;
  const double g = tau_ * gradient;  // with respect to log tau
  ++steps_;
  m_ = kBeta1 * m_ + (1.0 - kBeta1) * g;
  v_ = kBeta2 * v_ + (1.0 - kBeta2) * g * g;
  const auto t = static_cast<double>(steps_);
  const double step =
      m_ / (1.0 - std::pow(kBeta1, t)) / (std::sqrt(v_ / (1.0 - std::pow(kBeta2, t))) + kEpsilon);
  tau_ = std::clamp(tau_ * std::exp(-settings_.step_size * step), settings_.least, settings_.most);
}

}  // namespace vapor::deep
