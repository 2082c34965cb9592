// The trainings of a study on a pool of threads, resumed where they stand.
#pragma once

#include <vector>

#include "vapor/deep/training_study.h"
#include "vapor/experiment/reproduction.h"

namespace vapor::command {

// Makes every run, or throws Interrupted. Writes nothing if a folder holds something else.
void make_trainings(const std::vector<deep::StudyRun>& runs, const ReproductionOptions& options);

}  // namespace vapor::command
