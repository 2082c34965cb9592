// RiverSwim (Strehl and Littman, "An analysis of model-based interval estimation for Markov
// decision processes", 2008): states 0, 1, ..., n - 1 along a river. Left goes with the current and
// always works; right works with probability 0.3 and is thrown back with 0.1:
//
//   right from 0:     stays 0.7, advances 0.3
//   right from n - 1: falls back 0.7, stays 0.3
//   right elsewhere:  falls back 0.1, stays 0.6, advances 0.3
//
// Left in state 0 pays 5, right in state n - 1 pays 10000 if the swimmer holds on; here in units of
// 10000, and the second as its mean 0.3, whether the swimmer holds on or not. Episodes start in
// state 1 or 2.
#pragma once

#include "vapor/env/environment.h"

namespace vapor {

struct RiverSwimSettings {
  Index states = 6;    // 3..1000
  Index horizon = 20;  // 1..10000
  double noise = 0.0;  // standard deviation of an observed reward, >= 0
};

// Throws InputError that names the field.
void validate(const RiverSwimSettings& settings);

// Its goal is right in the last state. Every layer holds all states: which of them can be reached
// when is not told.
Environment river_swim(const RiverSwimSettings& settings);

}  // namespace vapor
