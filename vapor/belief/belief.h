// A belief about an MDP: what an agent that reasons about uncertainty learns with.
#pragma once

#include <span>
#include <vector>

#include "vapor/core/archive.h"
#include "vapor/core/random.h"
#include "vapor/mdp/episode.h"
#include "vapor/mdp/places.h"
#include "vapor/mdp/problem.h"

namespace vapor {

// What is known about the optimal policy pi* of an MDP drawn from a belief (section 3).
struct Optimality {
  std::vector<double> marginal;        // by pair: P(pi*(s) = a), action optimality
  std::vector<double> occupancy;       // by pair: P(Gamma*(s,a)), state-action optimality
  std::vector<double> standard_error;  // of `occupancy`; 0 where it is exact
  double value = 0.0;                  // E V* of the start
  double value_standard_error = 0.0;
};

class FiniteBelief;

class Belief {
 public:
  virtual ~Belief() = default;

  const Shape& shape() { return problem().shape; }

  virtual void update(const Episode& episode) = 0;

  // The problem that the belief poses now: E P, E r and sigma_hat. Valid until the next update.
  virtual const Problem& problem() = 0;

  // Draws an MDP and writes its optimal policy: 1 for one action of each state, ties going to the
  // first. Returns V* of the start.
  virtual double sample_optimal_policy(RandomStream& random, std::span<double> policy) = 0;

  // P(Gamma*) and its kin: by enumeration where the belief is finite, and `samples` is ignored;
  // else from that many sampled MDPs. If the dynamics are unknown, the MDPs are those of the
  // transformed belief (lemma "reduction V"): dynamics E P and rewards N(E r, sigma_hat^2).
  virtual Optimality optimality(RandomStream& random, int samples) = 0;

  // The size of rewards, a power of two: agents whose methods have tolerances solve problem()
  // divided by it (in_units() of mdp/problem.h), so that rewards in other units give the same
  // episodes. 1 where the belief has a scale of its own.
  virtual double unit() { return 1.0; }

  // What is known about the states. If they are stationary, the belief counts a place and action of
  // all layers as one; agents that keep counts of their own go by the same. Empty: nothing.
  virtual const Places& places() const;

  // What an update can change, to and from a checkpoint.
  virtual void archive(Archive& archive) = 0;

  // This belief if it is one over finitely many models, else null.
  virtual FiniteBelief* as_finite() { return nullptr; }
};

inline const Places& Belief::places() const {
  static const Places none;
  return none;
}

}  // namespace vapor
