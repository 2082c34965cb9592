#include "vapor/env/factored_cmdp.h"

#include <fmt/format.h>

#include "vapor/core/error.h"
#include "vapor/env/budget.h"
#include "vapor/env/unroll.h"

namespace vapor {

void validate(const FactoredCmdpSettings& settings) {
  if (settings.horizon < 1 || settings.horizon > 10000)
    throw InputError("horizon", fmt::format("must be in 1..10000, got {}", settings.horizon));
}

Environment factored_cmdp(const FactoredCmdpSettings& settings) {
  validate(settings);
  constexpr Index kRing = 3;
  StationaryMdp ring;
  ring.rows = 1;
  ring.columns = kRing;
  ring.actions = 2;
  ring.action_names = {"stay", "move"};
  ring.initial = {1.0, 0.0, 0.0};
  for (Index s = 0; s < kRing; ++s) {
    ring.next.push_back({{s, 1.0}});
    ring.next.push_back({{(s + 1) % kRing, 1.0}});
  }
  Environment world = unroll(ring, settings.horizon, Layers::kAll);
  const Shape& shape = world.shape();
  world.stationary = true;
  world.known.reward_high = 1.0;
  std::vector<double> cost(shape.pairs(), 0.0);
  for (Index s = 0; s < shape.states(); ++s) {
    const Index move = shape.pairs_of(s).first() + 1;
    world.model.reward_mean[move] = (cell_of(world, s) + 1.0) / kRing;
    cost[move] = 1.0;
  }
  set_cost(world, std::move(cost),
           settings.budget > 0.0 ? settings.budget : settings.horizon / 2.0);
  return world;
}

}  // namespace vapor
