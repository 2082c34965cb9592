#include "vapor/agent/opsrl.h"

#include <algorithm>

#include "vapor/agent/dirichlet_bootstrap.h"

namespace vapor {

CountAgent::Rule opsrl_rule(const OpsrlSettings& settings) {
  return [settings](const CountModel& model, RandomStream& random, std::vector<double>&,
                    std::span<double> Q) {
    const auto value = [&](Index pair, const Ahead& ahead) {
      return std::ranges::max(
          bootstrap_values(model, pair, ahead, settings.n0, settings.r0, settings.samples, random));
    };
    backward_pass(model, value, Q);
  };
}

}  // namespace vapor
