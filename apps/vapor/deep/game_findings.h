// What a study of games found: scores by game and agent, and over all games as the field reports
// them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "vapor/deep/game_study.h"
#include "vapor/run/reproduction.h"

namespace vapor::command {

// A score of a game on a scale that games share: 0 is random play, 1 a person's. Empty: there is
// none, and agents are compared within a game only.
using Normalise = std::function<double(const std::string& game, double score)>;

// From the records of all runs of the study:
//   rows     by game and agent: the mean return over the last tenth of the frames, by seed too, and
//            the curve of its mean over the seeds
//   agents   with a common scale, over all games: the median over games of the mean over seeds, and
//   the interquartile
//            mean over games and seeds with its bootstrap interval, at the end; the peak of the
//            median's curve
//   races    likewise, for each agent and rival: the frames after which the agent's median first
//   reached the
//            rival's peak; null: never
Findings game_findings(const deep::GameStudy& study, const std::string& out,
                       const Normalise& normalise);

// "pong, breakout" or "all" as specs of Atari games; throws InputError that names --games.
std::vector<std::string> atari_games(const std::string& list);

// Of a spec that atari_games gave.
double human_normalised(const std::string& game, double score);

// Prints the tables, and by game a bar for each agent.
void print_game_findings(const Findings& findings);

}  // namespace vapor::command
