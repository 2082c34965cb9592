// The paper's ablation of the entropy (appendix I): four policy losses, all with optimism, that
// differ in the entropy alone, on a list of tasks.
#pragma once

#include <string>
#include <vector>

#include "vapor/deep/training_study.h"

namespace vapor::deep {

struct EntropyLoss {
  std::string name;   // none, fixed scalar, tuned scalar, tuned state-action
  std::string agent;  // a spec
};

struct AblationTask {
  std::string env;  // a spec
  std::int64_t episodes = 1000;
};

struct EntropyAblation {
  std::vector<EntropyLoss> losses;
  std::vector<AblationTask> tasks;
  int seeds = 10;
  std::uint64_t first_seed = 1;
};

// What experiments/entropy-ablation/sweep.json says, of the part `full` or `quick`.
EntropyAblation entropy_ablation_of(const nlohmann::ordered_json& sweep, const std::string& part);

// Throws InputError that names the option.
TrainingStudy study_of(const EntropyAblation& ablation);

// From the records of all runs of study_of(ablation): `rows`, and `losses`, each over all tasks:
// how many runs solved, and the geometric mean over the tasks of the episodes, with runs that did
// not counted at the cap.
nlohmann::ordered_json entropy_ablation_findings(const EntropyAblation& ablation,
                                                 const std::string& out);

}  // namespace vapor::deep
