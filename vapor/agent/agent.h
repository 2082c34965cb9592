// A learner has two methods: the policy of the next episode, and what it makes of that episode.
#pragma once

#include <span>

#include "vapor/core/archive.h"
#include "vapor/core/random.h"
#include "vapor/mdp/episode.h"

namespace vapor {

struct Solution;

class Agent {
 public:
  virtual ~Agent() = default;

  // The policy of the next episode, a table by pair that stays valid until the next call. `random`
  // is a stream of that episode's own.
  virtual std::span<const double> policy(RandomStream random) = 0;

  virtual void observe(const Episode& episode) = 0;

  // What an episode can change, to and from a checkpoint.
  virtual void archive(Archive& archive) = 0;

  // The solved program behind the last policy, for those who show lambda, tau and V; null if the
  // agent solves none, or has not yet.
  virtual const Solution* solution() const { return nullptr; }

  // By pair: what the constraints of that program charge for it, prices times coefficients. Empty
  // if it has none.
  virtual std::span<const double> charges() const { return {}; }
};

}  // namespace vapor
