#include "vapor/agent/bayes_ucbvi.h"

#include <algorithm>
#include <cmath>

#include "vapor/agent/dirichlet_bootstrap.h"

namespace vapor {

CountAgent::Rule bayes_ucbvi_rule(const BayesUcbviSettings& settings) {
  return [settings](const CountModel& model, RandomStream& random, std::vector<double>&,
                    std::span<double> Q) {
    const double place = std::ceil(settings.level * settings.samples) - 1.0;
    const auto rank = static_cast<std::ptrdiff_t>(std::clamp(place, 0.0, settings.samples - 1.0));
    const auto value = [&](Index pair, const Ahead& ahead) {
      auto draws =
          bootstrap_values(model, pair, ahead, settings.n0, settings.r0, settings.samples, random);
      std::ranges::nth_element(draws, draws.begin() + rank);
      return draws[rank];
    };
    backward_pass(model, value, Q);
  };
}

}  // namespace vapor
