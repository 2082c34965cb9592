// What was seen of each pair, or of the pairs that share a count: what the agents that have no
// belief learn from.
#pragma once

#include <vector>

#include "vapor/core/archive.h"
#include "vapor/mdp/episode.h"
#include "vapor/mdp/places.h"

namespace vapor {

struct Experience {
  explicit Experience(const Pools& pools);

  struct Successor {
    Index place = 0;  // of the pools
    Index count = 0;
    double reward_sum = 0.0;  // of the visits that led there
    double reward_square_sum = 0.0;
  };

  std::vector<double> visits;                      // by pool
  std::vector<double> reward_sum;                  // by pool
  std::vector<double> reward_square_sum;           // by pool
  std::vector<std::vector<Successor>> successors;  // by pool, in the order in which they were met

  void add(const Episode& episode, const Pools& pools);

  // Visits of a pool that showed what follows: those of the last layer do not.
  double transitions(Index pool) const;

  void archive(Archive& archive);
};

}  // namespace vapor
