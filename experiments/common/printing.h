// What people read of findings.
#pragma once

#include <string>
#include <vector>

#include "experiments/common/study.h"
#include "terminal.h"

namespace vapor::experiments {

using command::bold;
using command::dim;
using command::plus_minus;

// One array of the findings, of objects with the same names, as a table under its name and what it
// is about, without some of its columns: a line has 100 characters.
void print_findings(const Findings& findings, const std::string& name, const std::string& about,
                    const std::vector<std::string>& left_out = {});

// "mean over 10 seeds ± standard error; never counts as 1500": the cap of --episodes.
std::string capped_mean(const Findings& findings);

}  // namespace vapor::experiments
