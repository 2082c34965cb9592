// Environments that are played side by side, a place each, and observed as arrays of numbers:
// Atari, MinAtar, whatever has a fixed number of actions. (Environments whose states are known by
// index are in environment.h.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>

#include "vapor/core/index.h"
#include "vapor/core/observation_shape.h"

namespace vapor {

// What every place sees after a step, by place. The views hold until the next call.
struct VectorStep {
  // Places one after another. Where an episode is over, the first observation of the next one.
  std::span<const std::byte> observations;
  std::span<const float> rewards;
  std::span<const std::uint8_t> ended;  // 1: the episode is over and nothing is worth anything
  std::span<const std::uint8_t> cut;    // 1: it was cut short, by a limit on its length
  // Where an episode is over, its last observation; elsewhere anything.
  std::span<const std::byte> last_observations;
  // 1: the place did not play. Its environment needed the step to begin the episode whose first
  // observation is shown; the action went nowhere, and nothing else is told of the place. The step
  // before it, which ended an episode there, could show no first observation and showed anything.
  // Empty: all played.
  std::span<const std::uint8_t> idle = {};
};

// The environments are gone (their process died); `reset` brings new ones.
struct EnvironmentLost : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class VectorEnvironment {
 public:
  virtual ~VectorEnvironment() = default;

  virtual Index places() const = 0;
  virtual Index actions() const = 0;
  virtual ObservationShape shape() const = 0;

  // Begins an episode at every place, from this seed on always in the same way; the first
  // observations.
  virtual std::span<const std::byte> reset(std::uint64_t seed) = 0;

  // One action a place. Throws EnvironmentLost.
  virtual VectorStep step(std::span<const Index> actions) = 0;
};

}  // namespace vapor
