// What was seen of each pair: the counts behind the agents that have no belief.
#pragma once

#include <vector>

#include "vapor/core/archive.h"
#include "vapor/mdp/episode.h"
#include "vapor/mdp/shape.h"

namespace vapor {

struct Experience {
  explicit Experience(const Shape& shape);

  struct Successor {
    Index state = 0;
    Index count = 0;
  };

  std::vector<double> visits;                      // by pair
  std::vector<double> reward_sum;                  // by pair
  std::vector<double> reward_square_sum;           // by pair
  std::vector<std::vector<Successor>> successors;  // by pair, in the order in which they were met

  void add(const Episode& episode);
  void archive(Archive& archive);
};

}  // namespace vapor
