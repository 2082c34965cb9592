// What is played and how, e.g. atari:game=pong,sticky=0.25 or minatar:game=breakout.
#pragma once

#include <string>
#include <vector>

#include "vapor/core/index.h"
#include "vapor/core/spec.h"

namespace vapor::atari {

enum class Suite { kAtari, kMinAtar };

struct GameSettings {
  Suite suite = Suite::kAtari;
  std::string game;             // as its package names it
  double sticky = 0.25;         // chance that the last action is played again instead
  bool minimal_actions = true;  // only the actions that do something in this game
  // Atari only.
  Index noop = 30;            // an episode begins with fewer than this many no-ops, at random
  Index skip = 4;             // frames that an action is repeated; the last two are pooled
  Index stack = 4;            // frames in an observation
  Index size = 84;            // height and width of an observation
  bool life = false;          // a lost life ends an episode, and the game goes on
  bool fire = false;          // an episode begins with FIRE, where the game has it
  Index max_frames = 108000;  // frames after which an episode is cut, no-ops not counted
  Index threads = 1;          // threads that step the places
};

// The default of `sticky` is that of the suite: 0.25 in Atari (Machado et al., 2018), 0.1 in
// MinAtar. Throws InputError on an unknown game or setting.
GameSettings game_settings(Spec& spec);

const std::vector<std::string>& minatar_games();

}  // namespace vapor::atari
