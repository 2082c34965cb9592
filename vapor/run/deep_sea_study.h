// Figure 3 of the paper: how many episodes agents need to learn DeepSea, against its depth. The
// paper leaves the scale of the uncertainty open, and it decides the outcome, so the belief is a
// setting, the same for all agents of a comparison, and several are compared
// (experiments/deep-sea).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vapor/run/reproduction.h"

namespace vapor {

struct BeliefSetting {
  std::string name;    // literal
  std::string belief;  // tabular:repeat=100,...
};

struct DeepSeaStudy {
  std::vector<BeliefSetting> settings;
  std::vector<std::string> agents;
  std::vector<int> depths;
  int seeds = 10;
  std::uint64_t first_seed = 101;
  std::int64_t episodes = 2000;  // a seed that has not solved it by then is counted there
};

// What experiments/deep-sea/sweep.json says: the figure, a small version of it, and the grid of
// settings from which one was chosen, on seeds of its own.
DeepSeaStudy deep_sea_figure();
DeepSeaStudy deep_sea_quick();
DeepSeaStudy deep_sea_settings_grid();

// The setting of that name, or one that is given as the spec of a belief.
BeliefSetting deep_sea_setting(const std::string& name);

// Throws InputError that names the option, e.g. --depths.
Findings reproduce_deep_sea(const DeepSeaStudy& study, const ReproductionOptions& options);

}  // namespace vapor
