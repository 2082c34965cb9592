// The trainings of a study on a pool of threads, resumed where they stand.
#pragma once

#include <vector>

#include "vapor/deep/game_study.h"
#include "vapor/deep/training_study.h"
#include "vapor/run/reproduction.h"

namespace vapor::command {

// Make every run, or throw Interrupted. Write nothing if a folder holds something else.
void make_trainings(const std::vector<deep::StudyRun>& runs, const ReproductionOptions& options);
void make_trainings(const std::vector<deep::GameRun>& runs, const ReproductionOptions& options);

}  // namespace vapor::command
