// What trainings by episodes came to, from their records.
#pragma once

#include <string>
#include <vector>

#include "experiments/common/study.h"

namespace vapor::experiments {

// By seed, and the mean over seeds with those that never got there counted at the cap (null if none
// did). `name` is that of the agent in tables.
ordered_json training_row(const Cell& cell, const std::string& name);

// Prints `rows` of those.
void print_training_rows(const Findings& findings);

}  // namespace vapor::experiments
