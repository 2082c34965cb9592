#include "vapor/env/four_rooms.h"

#include <fmt/format.h>

#include "vapor/core/error.h"

namespace vapor {

void validate(const FourRoomsSettings& settings) {
  if (settings.size < 5 || settings.size > 199 || settings.size % 2 == 0)
    throw InputError("size", fmt::format("must be odd and in 5..199, got {}", settings.size));
  validate_horizon(settings.size, settings.horizon);
}

// The doors mirror each other, so the way from one corner to the opposite one never turns back: it
// takes 2 (size - 1) steps, and no cell is farther.
Grid four_rooms_grid(Index size) {
  Grid grid = {size, size, std::vector<char>(size * size, 0)};
  const Index middle = size / 2;
  for (Index i = 0; i < size; ++i) {
    const bool door = i == middle / 2 || i == size - 1 - middle / 2;
    grid.wall[middle * size + i] = door ? 0 : 1;
    grid.wall[i * size + middle] = door ? 0 : 1;
  }
  return grid;
}

Environment four_rooms(const FourRoomsSettings& settings) {
  validate(settings);
  const Grid grid = four_rooms_grid(settings.size);
  Environment rooms =
      unroll(grid_mdp(grid, 0, 0.0), horizon_or_default(settings.size, settings.horizon),
             Layers::kReachable);
  rooms.stationary = true;
  rooms.known.dynamics = !settings.goal;
  if (settings.goal) {
    rooms.known.reward_high = 1.0;
    rooms.noise.assign(rooms.shape().pairs(), 0.0);
    for (Index s = 0; s < rooms.shape().states(); ++s)
      if (cell_of(rooms, s) == settings.size * settings.size - 1)
        for (Index pair : rooms.shape().pairs_of(s)) {
          rooms.model.reward_mean[pair] = 1.0;
          rooms.goals.push_back(pair);
        }
  }
  return rooms;
}

}  // namespace vapor
