#include "vapor/agent/r_max.h"

namespace vapor {

CountAgent::Rule r_max_rule(const RMaxSettings& settings) {
  return backward_rule([settings](const CountModel& model, Index pair, const Ahead& ahead) {
    if (model.count(pair) < settings.m) return ahead.steps * settings.high;
    return model.mean_reward(pair) + dirichlet_ahead(model, pair, ahead, 0.0).mean;
  });
}

}  // namespace vapor
