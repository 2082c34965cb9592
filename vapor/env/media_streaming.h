// Media streaming as the public code of DOPE (Bura et al., 2022) has it (Bura et al., 2021): a
// buffer of 0..9 tenths that is played from with probability lambda = .8 and filled by a fast
// server with probability mu = .9 or a slow one with .1:
//
//   stays     mu lambda + (1 - mu) (1 - lambda)
//   up one    mu (1 - lambda)
//   down one  (1 - mu) lambda
//
// A full buffer stays full and an empty one empty. The fast server costs 1. Every step with an
// empty buffer is a stall and pays -1.
#pragma once

#include "vapor/env/environment.h"

namespace vapor {

struct MediaStreamingSettings {
  Index buffer = 10;    // levels, 2..1000
  Index horizon = 10;   // layers, 1..10000
  double budget = 0.0;  // the most an episode may cost in expectation; 0: horizon / 2
};

// Throws InputError that names the field.
void validate(const MediaStreamingSettings& settings);

// It starts with an empty buffer and has no goal. Every layer holds all states.
Environment media_streaming(const MediaStreamingSettings& settings);

}  // namespace vapor
