// A cost beside the reward: every step costs something, and an episode may cost so much in
// expectation. What agents are told of it before the first episode.
#pragma once

#include <vector>

namespace vapor {

struct Cost {
  std::vector<double> of_pair;   // what taking it costs
  double budget = 0.0;           // the most that an episode may cost in expectation
  std::vector<double> baseline;  // by pair: a policy that is known to be safe; empty: none is
  double baseline_cost = 0.0;    // what an episode under the baseline costs in expectation
  double reward_high = 1.0;      // no pair pays more than this in the mean
};

}  // namespace vapor
