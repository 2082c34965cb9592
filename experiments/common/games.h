// Trainings in games: the curves of their scores, and what a study of games found, by game and
// agent and over all games as the field reports them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "experiments/common/options.h"

namespace vapor::experiments {

// The score over a training, in so many windows of equal length: the mean return of the episodes
// that ended in a window. A window in which none did has the score of the one before; those before
// the first episode have the score of the first. Throws InputError that names the run if no
// episode ended in all of it.
std::vector<double> score_curve(const RunRecord& record, std::int64_t frames, int windows);

// A score of a game on a scale that games share: 0 is random play, 1 a person's. Empty: there is
// none, and agents are compared within a game only.
using Normalise = std::function<double(const std::string& game, double score)>;

// Of an Atari game's spec.
double human_normalised(const std::string& game, double score);

// From the records of cells of games, in which every agent, by the name that `name_of` gives it,
// plays every game:
//   rows     by game and agent: the mean return over the last tenth of the frames, by seed too, and
//            the curve of its mean over the seeds
//   agents   with a common scale, over all games: the median over games of the mean over seeds, and
//            the interquartile mean over games and seeds with its bootstrap interval, at the end;
//            the peak of the median's curve
//   races    likewise, for each agent and rival: the frames after which the agent's median first
//            reached the rival's peak; null: never
Findings game_findings(const Study& study, const std::vector<Cell>& cells, const CellKey& name_of,
                       const Normalise& normalise);

// --games: Atari games with commas between them, or all, for the tables that are trained by frames.
Option games_option(const std::string& help);

// Prints the tables, and by game a bar for each agent.
void print_games(const Findings& findings);

}  // namespace vapor::experiments
