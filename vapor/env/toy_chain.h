// The chain of figure 1 of the paper, for table 1: states s_1, ..., s_L in a row, one a layer.
// Right goes from s_l to s_{l+1} and costs epsilon; down leaves the chain for an absorbing state
// s'_{l+1} that pays nothing. Whatever is done in s_L pays +1 or -1, each with probability 1/2
// before the first episode, and then the same for ever.
//
// Layer 1 is {s_1}, layer l is {s_l, s'_l}; the actions of s_1, ..., s_{L-1} are {down, right}.
#pragma once

#include <cstdint>
#include <optional>

#include "vapor/env/environment.h"

namespace vapor {

struct ToyChainSettings {
  Index length = 10;                   // L, 2..100000
  std::optional<double> epsilon = {};  // cost of a step to the right, >= 0; not given: 0.1 / L
  std::optional<int> sign = {};  // of the reward of s_L, +1 or -1; not given: drawn from the seed
  std::uint64_t seed = 0;        // of the sign
  // One action in s_L and the absorbing states, as figure 1 is drawn. Table 1 holds with two
  // (docs/paper-slips.md).
  bool one_action = false;
};

// Throws InputError that names the field.
void validate(const ToyChainSettings& settings);

// Its goals are the pairs of s_L. Agents know everything but the reward of s_L, whose prior has
// mean 0 and variance 1.
Environment toy_chain(const ToyChainSettings& settings);

// The two chains that are possible; their prior probabilities are equal.
struct ToyChainPair {
  Environment plus;   // M+: s_L pays +1
  Environment minus;  // M-: s_L pays -1
};

// The sign and the seed of the settings are not used.
ToyChainPair toy_chain_pair(const ToyChainSettings& settings);

}  // namespace vapor
