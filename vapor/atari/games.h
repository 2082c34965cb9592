// Atari 2600 games and MinAtar, played by a process of vapor-atari.
#pragma once

#include <memory>
#include <string>

#include "vapor/core/index.h"
#include "vapor/core/spec.h"
#include "vapor/env/vector_environment.h"

namespace vapor::atari {

inline constexpr Index kMostPlaces = 1024;

// "atari" or "minatar": the names that make_game takes.
bool is_game(const std::string& name);

// The game of a spec such as atari:game=pong,sticky=0.25 at so many places (1 to kMostPlaces); the
// settings are those of GameSettings. Throws InputError that says what to install or change.
std::unique_ptr<VectorEnvironment> make_game(Spec& spec, Index places);

}  // namespace vapor::atari
