// Many trainings side by side: agents on tasks, some seeds each. What is trained is a list; what
// came out is read from the records alone.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "vapor/deep/training.h"

namespace vapor::deep {

// An agent on a task.
struct StudyCell {
  std::string name;           // of the agent in tables, e.g. "tuned scalar"
  std::string agent;          // a spec
  std::string env;            // a spec
  std::int64_t episodes = 0;  // a seed that has not solved it by then is counted there
};

struct TrainingStudy {
  std::vector<StudyCell> cells;
  int seeds = 5;
  std::uint64_t first_seed = 1;
};

// Throws InputError that names the option: --seeds, --episodes, --agent, --env.
void validate(const TrainingStudy& study);

struct StudyRun {
  TrainingSettings settings;
  std::string folder;
};

// Every training of the study, or those of one cell, seed by seed. Another cap is another run.
std::vector<StudyRun> runs_of(const TrainingStudy& study, const std::string& out);
std::vector<StudyRun> runs_of(const StudyCell& cell, const TrainingStudy& study,
                              const std::string& out);

// What a cell came to, from its records, which must be finished: by seed, and the mean over seeds
// with those that never got there counted at the cap (null if none did).
nlohmann::ordered_json row_of(const StudyCell& cell, const TrainingStudy& study,
                              const std::string& out);

}  // namespace vapor::deep
