// What plays the games of one suite at several places.
#pragma once

#include <cstdint>
#include <memory>

#include "vapor/atari/game_settings.h"
#include "vapor/atari/protocol.h"

namespace vapor::atari {

class Host {
 public:
  virtual ~Host() = default;

  virtual Index actions() const = 0;
  virtual ObservationShape shape() const = 0;

  // Begins an episode at every place and writes the observations.
  virtual void reset(std::uint64_t seed, const SharedArrays& arrays) = 0;

  // Plays the actions and writes everything else, as VectorStep has it.
  virtual void step(const SharedArrays& arrays) = 0;
};

std::unique_ptr<Host> make_ale_host(const GameSettings& settings, Index places);
std::unique_ptr<Host> make_minatar_host(const GameSettings& settings, Index places);

}  // namespace vapor::atari
