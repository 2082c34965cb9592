// Appendix I, "Reward-Free GridWorld": how many episodes agents need to take every action in every
// cell of the four rooms, against the size of the rooms. Known deterministic dynamics, no rewards;
// a cell and an action count once, whatever the layer (experiments/four-rooms).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vapor/run/reproduction.h"

namespace vapor {

struct CoveringAgent {
  std::string agent;     // spec
  int largest_size = 0;  // it is left out of larger rooms; 0: of none
};

struct FourRoomsCoverage {
  std::vector<CoveringAgent> agents;
  std::vector<int> sizes;  // odd, 5..199
  int seeds = 10;
  std::uint64_t first_seed = 1;
  std::int64_t episodes = 5000;  // a seed that has not covered the rooms by then is counted there
};

// What experiments/four-rooms/sweep.json says: the figure, and a small version of it.
FourRoomsCoverage four_rooms_figure();
FourRoomsCoverage four_rooms_quick();

// Throws InputError that names the option, e.g. --sizes.
Findings reproduce_four_rooms(const FourRoomsCoverage& study, const ReproductionOptions& options);

}  // namespace vapor
