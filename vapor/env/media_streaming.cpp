#include "vapor/env/media_streaming.h"

#include <fmt/format.h>

#include <algorithm>

#include "vapor/core/error.h"
#include "vapor/env/budget.h"
#include "vapor/env/unroll.h"

namespace vapor {
namespace {

StationaryMdp stream(Index levels) {
  constexpr double kPlayed = 0.8;
  StationaryMdp mdp;
  mdp.rows = 1;
  mdp.columns = levels;
  mdp.actions = 2;
  mdp.action_names = {"fast", "slow"};
  mdp.initial.assign(levels, 0.0);
  mdp.initial[0] = 1.0;
  for (Index s = 0; s < levels; ++s)
    for (const double filled : {0.9, 0.1}) {
      const double up = filled * (1.0 - kPlayed), down = (1.0 - filled) * kPlayed;
      double stay = filled * kPlayed + (1.0 - filled) * (1.0 - kPlayed);
      if (s == 0) stay += down;
      if (s + 1 == levels) stay += up;
      std::vector<std::pair<Index, double>> next;
      if (s > 0) next.emplace_back(s - 1, down);
      next.emplace_back(s, stay);
      if (s + 1 < levels) next.emplace_back(s + 1, up);
      mdp.next.push_back(std::move(next));
    }
  return mdp;
}

}  // namespace

void validate(const MediaStreamingSettings& settings) {
  if (settings.buffer < 2 || settings.buffer > 1000)
    throw InputError("buffer", fmt::format("must be in 2..1000, got {}", settings.buffer));
  if (settings.horizon < 1 || settings.horizon > 10000)
    throw InputError("horizon", fmt::format("must be in 1..10000, got {}", settings.horizon));
}

Environment media_streaming(const MediaStreamingSettings& settings) {
  validate(settings);
  Environment world = unroll(stream(settings.buffer), settings.horizon, Layers::kAll);
  const Shape& shape = world.shape();
  world.stationary = true;
  world.known.reward_low = -1.0;
  std::vector<double> cost(shape.pairs(), 0.0);
  for (Index s = 0; s < shape.states(); ++s) {
    cost[shape.pairs_of(s).first()] = 1.0;
    if (cell_of(world, s) != 0) continue;
    for (Index p : shape.pairs_of(s)) world.model.reward_mean[p] = -1.0;
  }
  set_cost(world, std::move(cost),
           settings.budget > 0.0 ? settings.budget : settings.horizon / 2.0);
  return world;
}

}  // namespace vapor
