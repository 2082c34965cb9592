// Random problems for benchmarks, tests and first steps.
#pragma once

#include "vapor/core/random.h"
#include "vapor/mdp/problem.h"

namespace vapor {

struct RandomProblemSettings {
  Index layers = 10;
  Index states = 10;          // in every layer
  Index actions = 3;          // in every state
  Index successors = 4;       // sparse next states of a pair, at most `states`
  double base_weight = 0.0;   // of a random base distribution, in [0, 1]
  double reward_scale = 1.0;  // means are normal with this standard deviation
  double sigma_min = 0.1;     // sigmas are log-uniform in [sigma_min, sigma_max]
  double sigma_max = 1.0;
  double zero_sigma_share = 0.0;  // of pairs whose sigma is 0 instead
};

// Throws InputError that names the field.
void validate(const RandomProblemSettings& settings);

Problem random_problem(const RandomProblemSettings& settings, RandomStream random);

}  // namespace vapor
