#include "vapor/env/frozen_lake.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "vapor/core/error.h"
#include "vapor/env/unroll.h"

namespace vapor {
namespace {

constexpr std::string_view kLakeMap = "S....o.o...oo..G";
constexpr Index kLakeSide = 4, kLakeGoal = 15, kLakeHole = 5;

// Where a move from a cell ends: left, down, right, up, in Gymnasium's order; the edge is a wall.
Index lake_move(Index cell, Index direction) {
  const std::array<Index, 4> rows = {0, 1, 0, -1}, columns = {-1, 0, 1, 0};
  const Index row = std::clamp(cell / kLakeSide + rows[direction], 0, kLakeSide - 1);
  const Index column = std::clamp(cell % kLakeSide + columns[direction], 0, kLakeSide - 1);
  return row * kLakeSide + column;
}

StationaryMdp lake(bool slippery) {
  StationaryMdp mdp;
  mdp.rows = mdp.columns = kLakeSide;
  mdp.actions = 4;
  mdp.initial.assign(kLakeMap.size(), 0.0);
  mdp.initial[0] = 1.0;
  for (Index cell = 0; cell < kLakeSide * kLakeSide; ++cell)
    for (Index action = 0; action < 4; ++action) {
      if (cell == kLakeGoal)
        mdp.next.push_back({{kLakeHole, 1.0}});  // over: a hole is as final as any end
      else if (kLakeMap[cell] == 'o')
        mdp.next.push_back({{cell, 1.0}});
      else if (!slippery)
        mdp.next.push_back({{lake_move(cell, action), 1.0}});
      else
        mdp.next.push_back({{lake_move(cell, (action + 3) % 4), 1.0 / 3.0},
                            {lake_move(cell, action), 1.0 / 3.0},
                            {lake_move(cell, (action + 1) % 4), 1.0 / 3.0}});
    }
  return mdp;
}

}  // namespace

void validate(const FrozenLakeSettings& settings) {
  if (settings.horizon < 1 || settings.horizon > 10000)
    throw InputError("horizon", fmt::format("must be in 1..10000, got {}", settings.horizon));
}

Environment frozen_lake(const FrozenLakeSettings& settings) {
  validate(settings);
  Environment ice = unroll(lake(settings.slippery), settings.horizon, Layers::kAll);
  const Shape& shape = ice.shape();
  ice.stationary = true;
  ice.known.reward_high = 1.0;
  ice.noise.assign(shape.pairs(), 0.0);
  for (Index s = 0; s < shape.states(); ++s) {
    if (cell_of(ice, s) != kLakeGoal) continue;
    for (Index pair : shape.pairs_of(s)) {
      ice.model.reward_mean[pair] = 1.0;
      ice.goals.push_back(pair);
    }
  }
  return ice;
}

}  // namespace vapor
