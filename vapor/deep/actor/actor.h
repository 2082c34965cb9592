// Plays episodes of an environment whose states are observed as their index.
#pragma once

#include <span>
#include <vector>

#include "vapor/core/random.h"
#include "vapor/deep/agent.h"
#include "vapor/env/environment.h"

namespace vapor::deep {

// What an episode came to.
struct EpisodeReport {
  double episode_return = 0.0;
  bool success = false;
  double sigma = 0.0;    // mean over the frames of sum_a pi_a sigma_a
  double entropy = 0.0;  // mean over the frames of the policy's entropy
};

class Actor {
 public:
  // Throws InputError that names `place` unless every state has the same number of actions.
  Actor(const Environment& environment, const Place& place);

  Index observations() const { return environment_.shape().states(); }
  Index actions() const { return actions_; }
  Index horizon() const { return environment_.shape().layers(); }

  EpisodeReport play(Agent& agent, RandomStream& random);
  std::span<const Frame> frames() const { return frames_; }  // of the last episode

 private:
  const Environment& environment_;
  Index actions_;
  std::vector<Frame> frames_;
  std::vector<double> pi_;
};

}  // namespace vapor::deep
