// A deep agent: it plays a policy at several places side by side, and learns from batches.
#pragma once

#include <algorithm>
#include <numeric>
#include <span>

#include "vapor/core/archive.h"
#include "vapor/core/random.h"
#include "vapor/deep/replay/batch.h"

namespace vapor::deep {

// What was minimised in a step, mean over the frames of its batch; 0 where an agent has no such
// part.
struct Losses {
  double policy = 0.0;  // of the actor: policy gradient and objective
  double value = 0.0;   // of the critic
  double reward = 0.0;  // of the reward ensemble
};

class Agent {
 public:
  virtual ~Agent() = default;

  // An episode begins at a place; what is drawn here holds for all of it.
  virtual void begin_episode(Index /*place*/, RandomStream& /*random*/) {}

  // What is played at observations[0], observations[1], ..., one a place: the policies, place by
  // place, and by place the expected uncertainty sum_a pi_a sigma_a, 0 where the agent has none.
  virtual void play(std::span<const Index> observations, std::span<double> pi,
                    std::span<double> sigma) = 0;

  // New frames, each once and before any batch has them.
  virtual void observe(std::span<const Frame> /*frames*/) {}

  // One step on a batch. Writes by sequence the priority with which it is to be replayed.
  virtual void learn(const Batch& batch, RandomStream& random, std::span<double> priorities) = 0;

  // Of the last step.
  virtual Losses losses() const { return {}; }

  // Numbers that the replay draws for each frame and keeps; how many, and how they are drawn.
  virtual Index extras() const { return 0; }
  virtual void draw_extras(std::span<float> /*extras*/, RandomStream& /*random*/) const {}

  // All of its state; and as much of it as `play` needs, by which an agent on another thread
  // becomes able to play like this one.
  virtual void archive(Archive& archive) = 0;
  virtual void archive_playing(Archive& archive) { this->archive(archive); }
};

// What Agent::play answers, from the policies and sigmas of its rows, which are places by actions.
inline void answer_play(std::span<const double> pi_of_rows, std::span<const double> sigma_of_rows,
                        std::span<double> pi, std::span<double> sigma) {
  std::ranges::copy(pi_of_rows, pi.begin());
  const std::size_t actions = pi_of_rows.size() / sigma.size();
  for (std::size_t place = 0; place < sigma.size(); ++place) {
    const std::size_t at = place * actions;
    sigma[place] =
        std::inner_product(&pi_of_rows[at], &pi_of_rows[at] + actions, &sigma_of_rows[at], 0.0);
  }
}

// Mean of |error| over the frames of each sequence.
inline void priorities_of(const Batch& batch, std::span<const double> error,
                          std::span<double> priorities) {
  for (Index k = 0; k < batch.sequences(); ++k) {
    double sum = 0.0;
    for (const Index f : batch.frames_of(k)) sum += error[f] < 0.0 ? -error[f] : error[f];
    priorities[k] = sum / batch.frames_of(k).size();
  }
}

}  // namespace vapor::deep
