// A Bernoulli bandit: one state, one step, arms that pay 1 with a probability of their own, else 0.
// The probabilities are drawn uniformly from [0, 1]: the prior Beta(1, 1) that Thompson sampling is
// classically given (Chapelle and Li, 2011).
#pragma once

#include <cstdint>

#include "vapor/env/environment.h"

namespace vapor {

struct BanditSettings {
  Index arms = 10;         // 1..1000000
  std::uint64_t seed = 0;  // of the probabilities
};

// Throws InputError that names the field.
void validate(const BanditSettings& settings);

// It has no goals.
Environment bandit(const BanditSettings& settings);

}  // namespace vapor
