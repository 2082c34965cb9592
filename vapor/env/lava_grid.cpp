#include "vapor/env/lava_grid.h"

#include <fmt/format.h>

#include "vapor/core/error.h"
#include "vapor/env/budget.h"
#include "vapor/env/grid.h"

namespace vapor {

void validate(const LavaGridSettings& settings) {
  if (settings.size < 3 || settings.size > 50)
    throw InputError("size", fmt::format("must be in 3..50, got {}", settings.size));
  if (settings.horizon < 0 || settings.horizon > 10000)
    throw InputError("horizon", fmt::format("must be in 0..10000, got {}", settings.horizon));
  if (!(settings.slip >= 0.0 && settings.slip <= 1.0))
    throw InputError("slip", fmt::format("must be in [0, 1], got {}", settings.slip));
  if (!(settings.budget > 0.0 && settings.budget <= 1e9))
    throw InputError("budget", fmt::format("must be in (0, 1e9], got {}", settings.budget));
}

Environment lava_grid(const LavaGridSettings& settings) {
  validate(settings);
  const Index rows = (settings.size + 1) / 2, goal = settings.size - 1;
  const Grid grid = {rows, settings.size, std::vector<char>(rows * settings.size, 0)};
  const Index horizon = settings.horizon > 0 ? settings.horizon : 3 * settings.size;
  Environment world = unroll(grid_mdp(grid, 0, settings.slip), horizon, Layers::kAll);
  const Shape& shape = world.shape();
  world.stationary = true;
  world.known.reward_high = 1.0;
  std::vector<double> cost(shape.pairs(), 0.0);
  for (Index s = 0; s < shape.states(); ++s) {
    const Index cell = cell_of(world, s);
    for (Index p : shape.pairs_of(s)) {
      if (cell == goal) {
        world.model.reward_mean[p] = 1.0;
        world.goals.push_back(p);
      } else if (cell > 0 && cell < goal) {
        cost[p] = 1.0;
      }
    }
  }
  set_cost(world, std::move(cost), settings.budget);
  return world;
}

}  // namespace vapor
