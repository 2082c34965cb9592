#include "vapor/env/grid_world.h"

#include <fmt/format.h>

#include <cmath>

#include "vapor/core/error.h"
#include "vapor/env/grid.h"

namespace vapor {
namespace {

struct Prior {
  double mean = 0.0;
  double deviation = 0.0;
};

Prior draw_prior(const GridWorldSettings& settings, RandomStream& random) {
  const double mean = settings.mean_scale * random.normal();
  return {mean, random.uniform(0.0, settings.deviation_scale)};
}

// By pair: a prior drawn once for each cell and action, or once for each pair.
std::vector<Prior> draw_priors(const GridWorldSettings& settings, const Environment& world,
                               RandomStream random) {
  const Shape& shape = world.shape();
  std::vector<Prior> of_cell;
  for (Index i = 0; i < world.rows * world.columns * kDirections; ++i)
    of_cell.push_back(draw_prior(settings, random));
  std::vector<Prior> of_pair;
  for (Index s = 0; s < shape.states(); ++s)
    for (Index a = 0; a < kDirections; ++a)
      of_pair.push_back(settings.stationary_prior ? of_cell[cell_of(world, s) * kDirections + a]
                                                  : draw_prior(settings, random));
  return of_pair;
}

void check_scale(const char* field, double value) {
  if (!(value >= 0.0 && value <= 1e6))
    throw InputError(field, fmt::format("must be in [0, 1e6], got {}", value));
}

}  // namespace

void validate(const GridWorldSettings& settings) {
  if (settings.size < 2 || settings.size > 200)
    throw InputError("size", fmt::format("must be in 2..200, got {}", settings.size));
  validate_horizon(settings.size, settings.horizon);
  if (!(settings.slip >= 0.0 && settings.slip <= 1.0))
    throw InputError("slip", fmt::format("must be in [0, 1], got {}", settings.slip));
  check_scale("mean_scale", settings.mean_scale);
  check_scale("deviation_scale", settings.deviation_scale);
  check_scale("noise", settings.noise);
}

Environment grid_world(const GridWorldSettings& settings) {
  validate(settings);
  const Index size = settings.size;
  const Grid grid = {size, size, std::vector<char>(size * size, 0)};
  const Index start =
      settings.start == GridWorldSettings::Start::kCorner ? 0 : size / 2 * size + size / 2;
  Environment world =
      unroll(grid_mdp(grid, start, settings.slip),
             horizon_or_default(settings.size, settings.horizon), Layers::kReachable);

  const RandomStream random = RandomStream(settings.seed).split("grid_world");
  RandomStream truth = random.split("true means");
  world.known.dynamics = true;
  for (const Prior& prior : draw_priors(settings, world, random.split("prior"))) {
    const std::size_t pair = world.known.reward_mean.size();
    world.known.reward_mean.push_back(prior.mean);
    world.known.reward_variance.push_back(prior.deviation * prior.deviation);
    world.model.reward_mean[pair] = prior.mean + prior.deviation * truth.normal();
    world.noise[pair] = settings.noise;
  }
  return world;
}

}  // namespace vapor
