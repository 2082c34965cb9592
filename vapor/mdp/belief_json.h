// The belief of a pair as problem files state it: {"family": "beta", "alpha": 2, "beta": 3}.
// Internal to the reader and the writer.
#pragma once

#include <string>

#include "vapor/mdp/family.h"

namespace vapor {

// `mean` is the pair's reward_mean, which the belief is about. Throws InputError at the place.
PairBelief belief_of_json(const std::string& text, double mean, const std::string& place);

// What reads back to the same family and sigma. Throws InputError at the place if it is a function
// of one's own, which has no name.
std::string json_of_belief(const PairBelief& belief, const std::string& place);

}  // namespace vapor
