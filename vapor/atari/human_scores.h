// The 57 games of the Atari benchmark, and the human-normalised score
//   (score - random) / (human - random),
// 0 for random play and 1 for a person, from data/atari57_human_random.csv.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "vapor/core/error.h"

namespace vapor::atari {

struct GameScores {
  std::string game;  // as the emulator names it: montezuma_revenge
  double random = 0;
  double human = 0;
};

// In alphabetical order.
std::span<const GameScores> game_scores();

// The scores of a game in any of its spellings (montezuma_revenge, MontezumaRevenge). Throws
// InputError that names `place` and suggests a game.
const GameScores& scores_of(const Place& place, std::string_view game);

double human_normalised_score(const Place& place, std::string_view game, double score);

}  // namespace vapor::atari
