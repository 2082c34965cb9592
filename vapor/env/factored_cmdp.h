// The factored constrained MDP of AlwaysSafe (Simao, Jansen and Spaan, 2021) as the public code of
// DOPE (Bura et al., 2022) has it: three states in a ring. `stay` pays and costs nothing; `move`
// goes on to the next state, pays (s + 1) / 3 in state s = 0, 1, 2, and costs 1.
#pragma once

#include "vapor/env/environment.h"

namespace vapor {

struct FactoredCmdpSettings {
  Index horizon = 6;    // layers, 1..10000
  double budget = 0.0;  // the most an episode may cost in expectation; 0: horizon / 2
};

// Throws InputError that names the field.
void validate(const FactoredCmdpSettings& settings);

// It starts in state 0 and has no goal. Every layer holds all states.
Environment factored_cmdp(const FactoredCmdpSettings& settings);

}  // namespace vapor
