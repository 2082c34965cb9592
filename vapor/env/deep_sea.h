// DeepSea (Osband et al., 2019): a depth x depth grid. The agent starts in the top left cell, and
// every step goes one row down and one column left or right. Right costs 0.01 / depth; going right
// from the bottom right cell pays 1. Only the policy that always goes right gets there.
//
// Row l has l + 1 cells that can be reached, so the layers are triangular.
#pragma once

#include <vector>

#include "vapor/core/random.h"
#include "vapor/mdp/episode.h"
#include "vapor/mdp/shape.h"

namespace vapor {

class DeepSea {
 public:
  // Which of the two actions goes right is drawn for each cell from `mapping`, so that no agent can
  // learn that "right is action 1".
  DeepSea(Index depth, RandomStream mapping);

  const Shape& shape() const { return shape_; }
  Index depth() const { return depth_; }

  // Plays one episode under a policy, a table by pair.
  Episode play(std::span<const double> policy, RandomStream& random) const;

  // Whether the episode ended with the treasure.
  bool found_treasure(const Episode& episode) const;

  // The policy that always goes right.
  std::vector<double> optimal_policy() const;

 private:
  Step step(Index row, Index state, Index action) const;

  Index depth_;
  Shape shape_;
  std::vector<Index> right_;  // by state: the action that goes right
};

}  // namespace vapor
