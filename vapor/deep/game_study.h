// Many trainings by frames side by side: agents in games, some seeds each, and the curves of their
// scores, read from the records alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vapor/deep/frame_training.h"

namespace vapor::deep {

struct GameStudy {
  struct Player {
    std::string name;  // in tables
    std::string spec;
  };

  std::vector<Player> players;
  std::vector<std::string> games;  // specs of environments that are observed as arrays
  std::int64_t frames = 1'000'000;
  int seeds = 2;
  std::uint64_t first_seed = 1;
  Index places = 8;
  Index actors = 0;
};

// Checkpoints of its trainings. On one thread all games begin anew there, so the longer a study,
// the longer games it lets be played to their end; a short one should lose little when it is
// stopped.
std::int64_t checkpoint_frames(const GameStudy& study);

struct GameRun {
  FrameTrainingSettings settings;
  std::string folder;
};

// Every training of the study, or those of one agent in one game, seed by seed.
std::vector<GameRun> runs_of(const GameStudy& study, const std::string& out);
std::vector<GameRun> runs_of(const GameStudy& study, const GameStudy::Player& player,
                             const std::string& game, const std::string& out);

// The score over a training, in so many windows of equal length: the mean return of the episodes
// that ended in a window. A window in which none did has the score of the one before; those before
// the first episode have the score of the first. Throws InputError that names the run if no
// episode ended in all of it.
std::vector<double> score_curve(const RunRecord& record, std::int64_t frames, int windows);

}  // namespace vapor::deep
