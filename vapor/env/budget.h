// The budget of an environment with a cost, and a policy that is known to keep to it.
#pragma once

#include <vector>

#include "vapor/env/environment.h"

namespace vapor {

// The share of the budget that the baseline uses in the public code of DOPE (Bura et al., 2022).
inline constexpr double kBaselineShare = 0.2;

// Sets the cost of an environment whose rewards are set. The baseline is the best policy of those
// that cost at most `kBaselineShare` of the budget. Throws InputError that names `budget` if no
// policy does.
void set_cost(Environment& environment, std::vector<double> of_pair, double budget);

}  // namespace vapor
