#include "vapor/agent/beb.h"

#include <algorithm>

namespace vapor {

CountAgent::Rule beb_rule(const BebSettings& settings) {
  return backward_rule([settings](const CountModel& model, Index pair, const Ahead& ahead) {
    const double H = model.shape.layers();
    const double beta = settings.theorem ? 2.0 * H * H : settings.beta;
    const double alpha = settings.mass / std::max<Index>(1, ahead.states);
    const DirichletAhead next = dirichlet_ahead(model, pair, ahead, alpha);
    const double mass = ahead.states == 0 ? settings.mass + next.mass : next.mass;
    return model.mean_reward(pair) + beta / (1.0 + mass) + next.mean;
  });
}

}  // namespace vapor
